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

/** Below this width, each row shows a user in two lines. */
const narrowWidth = '(max-width: 48em)';

export function UsersPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const mayWrite = usePermission('users:write');
  const view = readView(search);
  const query = queryOf(view);
  const users = useUsers(query, savedScrollPosition(JSON.stringify(query))?.chain);
  const show = (next: UsersView) => {
    const parts = writeView(next);
    navigate(parts === '' ? '/users' : `/users?${parts}`, { replace: true });
  };
  return (
    <div className={css.page}>
      <PageTitle title={commonCopy.users}>
        {mayWrite && (
          <Button component={Link} href="/users/new">
            {usersCopy.create}
          </Button>
        )}
      </PageTitle>
      <Filters view={view} onChange={show} isNarrow={isNarrow} />
      {users.error !== undefined && (
        <Problem title={usersCopy.notLoaded} error={users.error} onRetry={users.retry} />
      )}
      <UsersList users={users} view={view} isNarrow={isNarrow} onChange={show} canCreate={mayWrite} />
    </div>
  );
}

interface UsersListProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly canCreate: boolean;
  readonly onChange: (view: UsersView) => void;
}

function UsersList({ users, view, isNarrow, canCreate, onChange }: UsersListProps) {
  if (users.isFirstLoad) return <UsersTableLoading />;
  if (users.error !== undefined && loadedRowCount(users.chain) === 0) return null;
  const isEmpty = rowCount(users.chain) === 0;
  return (
    <>
      <Count users={users} />
      {isEmpty ? (
        <NoUsers view={view} onChange={onChange} canCreate={canCreate} />
      ) : (
        <UsersTable users={users} view={view} isNarrow={isNarrow} onChange={onChange} />
      )}
    </>
  );
}

function Count({ users }: { users: PagedUsers }) {
  const isWhole = users.chain.lastPageRows !== undefined;
  const loaded = loadedRowCount(users.chain);
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        {isWhole ? usersCopy.all(loaded) : usersCopy.loaded(loaded)}
      </Text>
      {/* The key announces every new list once, but not every page of it. */}
      <VisuallyHidden role="status" key={users.key}>
        {users.isReplacing ? commonCopy.loading : usersCopy.found(isWhole, Math.min(loaded, pageSize))}
      </VisuallyHidden>
    </>
  );
}

function NoUsers({ view, onChange, canCreate }: Pick<UsersListProps, 'view' | 'onChange' | 'canCreate'>) {
  if (isFiltered(view)) {
    return (
      <EmptyState title={usersCopy.noMatches} hint={usersCopy.noMatchesHint}>
        <Button variant="default" onClick={() => onChange({ ...view, ...noFilters })}>
          {commonCopy.clearFilters}
        </Button>
      </EmptyState>
    );
  }
  return (
    <EmptyState title={usersCopy.empty} hint={canCreate ? usersCopy.emptyHint : usersCopy.emptyHintReader} />
  );
}
