import { lazy, Suspense } from 'react';
import { useAttributes } from '../../components/attributes.js';
import { changeUsersCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import type { ListedUser } from '../data/user.js';
import { filterText } from '../filters/filter-text.js';
import { useFilterNames } from '../filters/use-filter-names.js';
import type { SelectionAction } from '../selection/selection-actions.js';
import { columnName, matchQuery, queryOf, shownColumns, type UsersView } from './users-view.js';

// Loaded on demand, to keep the first page small.
const ChangeUsers = lazy(async () => ({
  default: (await import('../selection/change-users.js')).ChangeUsers,
}));
const ExportDialog = lazy(async () => ({
  default: (await import('../selection/export-dialog.js')).ExportDialog,
}));
const RunDialog = lazy(async () => ({ default: (await import('../selection/run-dialog.js')).RunDialog }));

interface SelectionDialogProps {
  /** "change" asks what to change. */
  readonly action: SelectionAction | 'change';
  readonly view: UsersView;
  /** Undefined for everyone in the list. */
  readonly users: readonly ListedUser[] | undefined;
  readonly total: number | undefined;
  readonly onClose: () => void;
}

export function SelectionDialog(props: SelectionDialogProps) {
  return (
    <Suspense>
      <DialogFor {...props} />
    </Suspense>
  );
}

function DialogFor({ action, view, users, total, onClose }: SelectionDialogProps) {
  const filterTexts = useFilterTexts(view);
  const attributes = useAttributes();
  const { scopes } = useCurrentUser();
  const serials = users?.map(({ serial }) => serial);
  switch (action) {
    case 'export': {
      const query = queryOf(view);
      const source = serials ? { serials, ...(query.access && { access: true as const }) } : { query };
      const columns = shownColumns(view, attributes, scopes);
      const headings = columns.map((column) => columnName(column, attributes));
      return (
        <ExportDialog
          {...{ source, columns, headings, onClose }}
          filters={filterTexts}
          total={users?.length ?? total}
        />
      );
    }
    case 'resetPasswords':
    case 'resendMessages':
      return <RunDialog kind={action} users={users ?? []} onClose={onClose} />;
    default:
      return (
        <ChangeUsers
          filter={serials ? { serial: serials } : matchQuery(view)}
          who={users ? { selected: users.length } : { filters: filterTexts }}
          kind={action === 'change' ? undefined : action}
          onClose={onClose}
        />
      );
  }
}

/** Whoever changes users has to see all of a filter. */
function useFilterTexts(view: UsersView): string[] {
  const names = useFilterNames(view.filters);
  const search = view.search.trim();
  const texts = view.filters.map((filter) => filterText(filter, { names, valuesMax: Infinity }));
  return search === '' ? texts : [changeUsersCopy.search(search), ...texts];
}
