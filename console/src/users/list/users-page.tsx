import { Button, Group, Skeleton, Stack } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { type KeyboardEvent, useRef, useState } from 'react';
import { Link, useLocation, useSearch } from 'wouter';
import { EmptyState } from '../../components/empty-state.js';
import { PageTitle } from '../../components/page-title.js';
import { Problem } from '../../components/problem.js';
import { useStored } from '../../components/use-stored.js';
import { changeUsersCopy, commonCopy, usersCopy, usersListCopy } from '../../copy/copy.js';
import { usePermission } from '../../session/session.js';
import { selectedUsers, type UserSelection } from '../selection/selection.js';
import type { SelectionAction } from '../selection/selection-actions.js';
import { SelectionBar } from '../selection/selection-bar.js';
import { Filters } from './filters.js';
import { loadedRowCount, rowCount } from './page-chain.js';
import { savedScrollPosition } from './scroll-memory.js';
import { SelectionDialog } from './selection-dialog.js';
import { Suggestions } from './suggestions.js';
import { useSelection } from './use-selection.js';
import { type PagedUsers, useUsers } from './use-users.js';
import { NoMatches, UserCount, useTotal } from './user-count.js';
import css from './users.module.css';
import { UsersTable } from './users-table.js';
import {
  columnsText,
  isFiltered,
  queryOf,
  readView,
  type ShowView,
  type UsersView,
  writeView,
} from './users-view.js';

/** Below this width, each row shows a user in two lines. */
const narrowWidth = '(max-width: 48em)';

/** What a dialog is about: the view as it was, and the users selected in it. */
interface Task {
  readonly action: SelectionAction | 'change';
  readonly view: UsersView;
  readonly users: ReturnType<typeof selectedUsers>;
}

export function UsersPage() {
  const search = useSearch();
  const [, navigate] = useLocation();
  const isNarrow = useMediaQuery(narrowWidth, undefined, { getInitialValueInEffect: false });
  const mayWrite = usePermission('users:write');
  const [columns, rememberColumns] = useStored('columns');
  const view = readView(search, columns);
  const query = queryOf(view);
  const users = useUsers(query, savedScrollPosition(JSON.stringify(query))?.chain);
  const selection = useSelection(users);
  const [task, setTask] = useState<Task>();
  const addFilterRef = useRef<HTMLButtonElement>(null);
  const { total } = useTotal(users);
  const exactTotal = total?.isExact ? total.count : undefined;
  const show: ShowView = (next, { replace } = { replace: true }) => {
    if (columnsText(next) !== columnsText(view)) rememberColumns(columnsText(next));
    const parts = writeView(next);
    if (parts === search) return;
    navigate(parts === '' ? '/users' : `/users?${parts}`, { replace });
  };
  /** Into the list, or to the only user in it. */
  const onSearchKey = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === 'ArrowDown') {
      event.preventDefault();
      document.querySelector<HTMLElement>('tr[data-row="0"] a')?.focus();
    }
    const isCurrent = event.currentTarget.value.trim() === users.query.search && !users.isReplacing;
    const only = exactTotal === 1 && isCurrent ? users.rowAt(0) : undefined;
    if (event.key === 'Enter' && only) navigate(`/users/${only.serial}`);
  };
  return (
    <div className={css.page}>
      <PageTitle title={commonCopy.users}>
        {mayWrite && (
          <>
            <Button component={Link} href="/import" variant="default">
              {usersCopy.import}
            </Button>
            <Button component={Link} href="/users/new">
              {usersCopy.create}
            </Button>
          </>
        )}
      </PageTitle>
      <Filters
        view={view}
        onChange={show}
        onOpenView={(saved) => navigate(`/users?${saved}`)}
        isNarrow={isNarrow}
        addFilterRef={addFilterRef}
        onSearchKey={onSearchKey}
      />
      {users.error !== undefined && (
        <Problem title={usersCopy.notLoaded} error={users.error} onRetry={users.retry} />
      )}
      {selection.error !== undefined && (
        <Problem title={usersListCopy.select.failed} error={selection.error} />
      )}
      <UsersList
        users={users}
        view={view}
        selection={selection}
        total={exactTotal}
        isNarrow={isNarrow}
        mayWrite={mayWrite}
        onChange={show}
        onAction={(action, these) => setTask({ action, view, users: these })}
        onRemoveFilters={(next) => {
          // The empty state disappears, and the focus with it.
          addFilterRef.current?.focus();
          show(next, { replace: false });
        }}
      />
      <SelectionBar
        selection={selection}
        total={exactTotal}
        isNarrow={isNarrow}
        mayWrite={mayWrite}
        mayAdminister={usePermission('access:admin')}
        isFiltered={isFiltered(view)}
        onAction={(action) => setTask({ action, view, users: selectedUsers(selection.current) })}
        onClear={() => {
          addFilterRef.current?.focus(); // the bar disappears, and the focus with it
          selection.clear();
        }}
      />
      {task && <SelectionDialog {...task} total={exactTotal} onClose={() => setTask(undefined)} />}
    </div>
  );
}

interface UsersListProps {
  readonly users: PagedUsers;
  readonly view: UsersView;
  readonly selection: UserSelection;
  /** Undefined unless it is exact. */
  readonly total: number | undefined;
  readonly isNarrow: boolean;
  readonly mayWrite: boolean;
  readonly onChange: ShowView;
  /** For everyone in the list, or for these users. */
  readonly onAction: (action: Task['action'], users?: Task['users']) => void;
  readonly onRemoveFilters: (view: UsersView) => void;
}

function UsersList(props: UsersListProps) {
  const { users, view, selection, total, isNarrow, mayWrite, onChange, onAction, onRemoveFilters } = props;
  const isEmpty = rowCount(users.chain) === 0;
  if (users.isFirstLoad) return <UsersTableLoading />;
  if (users.error !== undefined && loadedRowCount(users.chain) === 0) return null;
  if (isEmpty && users.isReplacing) return <UsersTableLoading />;
  return (
    <>
      <Suggestions searches={users.suggestions} onSearch={(search) => onRemoveFilters({ ...view, search })} />
      <Group justify="space-between" gap="xs" mb="xs">
        <UserCount users={users} />
        {!isEmpty && (
          <Group gap="xs">
            {mayWrite && isFiltered(view) && (
              <Button
                variant="default"
                size="compact-sm"
                disabled={users.isReplacing}
                onClick={() => onAction('change')}
              >
                {changeUsersCopy.action(total)}
              </Button>
            )}
            <Button
              variant="default"
              size="compact-sm"
              disabled={users.isReplacing}
              onClick={() => onAction('export')}
            >
              {usersListCopy.export.open}
            </Button>
          </Group>
        )}
      </Group>
      {!isEmpty ? (
        <UsersTable
          users={users}
          view={view}
          isNarrow={isNarrow}
          mayWrite={mayWrite}
          selection={selection}
          total={total}
          onChange={onChange}
          onChangeStatus={(user) => onAction(user.isActive ? 'deactivate' : 'activate', [user])}
        />
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

const rows = Array.from({ length: 12 }, (_, index) => index);

function UsersTableLoading() {
  return (
    <Stack gap="xs" role="status" aria-label={commonCopy.loading}>
      {rows.map((row) => (
        <Skeleton key={row} height={32} />
      ))}
    </Stack>
  );
}
