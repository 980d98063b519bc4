import { Button, Group } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { lazy, Suspense, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { changeUsersCopy, commonCopy, usersCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import { filterText } from '../filters/filter-text.js';
import { useFilterNames } from '../filters/use-filter-names.js';
import { Filters } from './filters.js';
import { NoMatches } from './no-matches.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { savedScrollPosition } from './scroll-memory.js';
import { type PagedUsers, useUsers } from './use-users.js';
import { UserCount, useTotal } from './user-count.js';
import css from './users.module.css';
import { UsersTable } from './users-table.js';
import { UsersTableLoading } from './users-table-loading.js';
import {
  isFiltered,
  matchQuery,
  queryOf,
  readView,
  type ShowView,
  type UsersView,
  writeView,
} from './users-view.js';

// Loaded on demand, to keep the first page small.
const ChangeUsers = lazy(async () => ({ default: (await import('../change/change-users.js')).ChangeUsers }));

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
  const [changed, setChanged] = useState<UsersView>();
  const addFilterRef = useRef<HTMLButtonElement>(null);
  const show: ShowView = (next, { replace } = { replace: true }) => {
    const parts = writeView(next);
    if (parts === writeView(view)) return;
    navigate(parts === '' ? '/users' : `/users?${parts}`, { replace });
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
      <Filters view={view} onChange={show} isNarrow={isNarrow} addFilterRef={addFilterRef} />
      {users.error !== undefined && (
        <Problem title={usersCopy.notLoaded} error={users.error} onRetry={users.retry} />
      )}
      <UsersList
        users={users}
        view={view}
        isNarrow={isNarrow}
        mayWrite={mayWrite}
        onChange={show}
        onChangeUsers={() => setChanged(view)}
        onRemoveFilters={(next) => {
          // The empty state disappears, and the focus with it.
          addFilterRef.current?.focus();
          show(next, { replace: false });
        }}
      />
      {changed && (
        <Suspense>
          <ChangeMatching view={changed} onClose={() => setChanged(undefined)} />
        </Suspense>
      )}
    </div>
  );
}

function ChangeMatching({ view, onClose }: { view: UsersView; onClose: () => void }) {
  const names = useFilterNames(view.filters);
  const search = view.search.trim();
  // Whoever changes users has to see all of a filter.
  const texts = view.filters.map((filter) => filterText(filter, { names, valuesMax: Infinity }));
  return (
    <ChangeUsers
      filter={matchQuery(view)}
      filterTexts={search === '' ? texts : [changeUsersCopy.search(search), ...texts]}
      onClose={onClose}
    />
  );
}

interface UsersListProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly mayWrite: boolean;
  readonly onChange: ShowView;
  readonly onChangeUsers: () => void;
  readonly onRemoveFilters: (view: UsersView) => void;
}

function UsersList(props: UsersListProps) {
  const { users, view, isNarrow, mayWrite, onChange, onChangeUsers, onRemoveFilters } = props;
  const isEmpty = rowCount(users.chain) === 0;
  if (users.isFirstLoad) return <UsersTableLoading />;
  if (users.error !== undefined && loadedRowCount(users.chain) === 0) return null;
  if (isEmpty && users.isReplacing) return <UsersTableLoading />;
  return (
    <>
      <Group justify="space-between" gap="xs" mb="xs">
        <UserCount users={users} />
        {mayWrite && isFiltered(view) && !isEmpty && <ChangeButton users={users} onClick={onChangeUsers} />}
      </Group>
      {!isEmpty ? (
        <UsersTable users={users} view={view} isNarrow={isNarrow} onChange={onChange} />
      ) : isFiltered(view) ? (
        <NoMatches view={view} onChange={onRemoveFilters} />
      ) : (
        <EmptyState
          title={usersCopy.empty}
          hint={mayWrite ? usersCopy.emptyHint : usersCopy.emptyHintReader}
        />
      )}
    </>
  );
}

function ChangeButton({ users, onClick }: { users: PagedUsers; onClick: () => void }) {
  const { total } = useTotal(users);
  return (
    <Button variant="default" size="compact-sm" disabled={users.isReplacing} onClick={onClick}>
      {changeUsersCopy.action(total?.isExact ? total.count : undefined)}
    </Button>
  );
}
