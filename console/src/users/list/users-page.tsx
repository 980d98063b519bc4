import { Button } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useRef } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { commonCopy } from '../../copy/common.js';
import { usersCopy } from '../../copy/users.js';
import { usePermission } from '../../session/session.js';
import { Filters } from './filters.js';
import { NoMatches } from './no-matches.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { savedScrollPosition } from './scroll-memory.js';
import { type PagedUsers, useUsers } from './use-users.js';
import { UserCount } from './user-count.js';
import css from './users.module.css';
import { UsersTable } from './users-table.js';
import { UsersTableLoading } from './users-table-loading.js';
import { isFiltered, queryOf, readView, type ShowView, type UsersView, writeView } from './users-view.js';

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
        canCreate={mayWrite}
        onChange={show}
        onRemoveFilters={(next) => {
          // The empty state disappears, and the focus with it.
          addFilterRef.current?.focus();
          show(next, { replace: false });
        }}
      />
    </div>
  );
}

interface UsersListProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly isNarrow: boolean;
  readonly canCreate: boolean;
  readonly onChange: ShowView;
  readonly onRemoveFilters: (view: UsersView) => void;
}

function UsersList({ users, view, isNarrow, canCreate, onChange, onRemoveFilters }: UsersListProps) {
  const isEmpty = rowCount(users.chain) === 0;
  if (users.isFirstLoad) return <UsersTableLoading />;
  if (users.error !== undefined && loadedRowCount(users.chain) === 0) return null;
  if (isEmpty && users.isReplacing) return <UsersTableLoading />;
  return (
    <>
      <UserCount users={users} />
      {!isEmpty ? (
        <UsersTable users={users} view={view} isNarrow={isNarrow} onChange={onChange} />
      ) : isFiltered(view) ? (
        <NoMatches view={view} onChange={onRemoveFilters} />
      ) : (
        <EmptyState
          title={usersCopy.empty}
          hint={canCreate ? usersCopy.emptyHint : usersCopy.emptyHintReader}
        />
      )}
    </>
  );
}
