import { Button, Text, VisuallyHidden } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { Link, useLocation, useSearch } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy } from '../../copy/common.js';
import { usersCopy } from '../../copy/users.js';
import { usePermission } from '../../session/session.js';
import { Filters } from './filters.js';
import { loadedRowCount, pageSize, rowCount } from './page-chain.js';
import { savedScrollPosition } from './scroll-memory.js';
import { type PagedUsers, useUsers } from './use-users.js';
import css from './users.module.css';
import { UsersTable } from './users-table.js';
import { UsersTableLoading } from './users-table-loading.js';
import { isFiltered, noFilters, queryOf, readView, type UsersView, writeView } from './users-view.js';

/** Below this a table has no room, and each row tells about the person in two lines. */
const narrowWidth = '(max-width: 48em)';

export function UsersPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const mayWrite = usePermission('users:write');
  const view = readView(search);
  const query = queryOf(view);
  const people = useUsers(query, savedScrollPosition(JSON.stringify(query))?.chain);
  const show = (next: UsersView) => {
    const parts = writeView(next);
    navigate(parts === '' ? '/people' : `/people?${parts}`, { replace: true });
  };
  return (
    <div className={css.page}>
      <PageTitle title={commonCopy.people}>
        {mayWrite && (
          <Button component={Link} href="/people/new">
            {usersCopy.create}
          </Button>
        )}
      </PageTitle>
      <Filters view={view} onChange={show} isNarrow={isNarrow} />
      {people.error !== undefined && (
        <Problem title={usersCopy.notLoaded} error={people.error} onRetry={people.retry} />
      )}
      <UsersList people={people} view={view} isNarrow={isNarrow} onChange={show} canCreate={mayWrite} />
    </div>
  );
}

interface UsersListProps {
  readonly people: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly canCreate: boolean;
  readonly onChange: (view: UsersView) => void;
}

function UsersList({ people, view, isNarrow, canCreate, onChange }: UsersListProps) {
  if (people.isFirstLoad) return <UsersTableLoading />;
  if (people.error !== undefined && loadedRowCount(people.chain) === 0) return null;
  const isEmpty = rowCount(people.chain) === 0;
  return (
    <>
      <Count people={people} />
      {isEmpty ? (
        <NoUsers view={view} onChange={onChange} canCreate={canCreate} />
      ) : (
        <UsersTable people={people} view={view} isNarrow={isNarrow} onChange={onChange} />
      )}
    </>
  );
}

function Count({ people }: { people: PagedUsers }) {
  const isWhole = people.chain.lastPageRows !== undefined;
  const loaded = loadedRowCount(people.chain);
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {isWhole ? usersCopy.all(loaded) : usersCopy.loaded(loaded)}
      </Text>
      {/* Told again for another list only, not for every page that a scroll brings. */}
      <VisuallyHidden role="status" key={people.key}>
        {people.isReplacing ? commonCopy.loading : usersCopy.found(isWhole, Math.min(loaded, pageSize))}
      </VisuallyHidden>
    </>
  );
}

function NoUsers({ view, onChange, canCreate }: Pick<UsersListProps, 'view' | 'onChange' | 'canCreate'>) {
  if (isFiltered(view)) {
    return (
      <EmptyState title={usersCopy.nobodyFound} hint={usersCopy.nobodyFoundHint}>
        <Button variant="default" onClick={() => onChange({ ...view, ...noFilters })}>
          {usersCopy.clearFilters}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState
      title={usersCopy.nobodyYet}
      hint={canCreate ? usersCopy.nobodyYetHint : usersCopy.nobodyYetHintReader}
    />
  );
}
