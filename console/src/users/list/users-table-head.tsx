import { usersListCopy } from '../../copy/copy.js';
import { type HeadState, headState, type UserSelection } from '../selection/selection.js';
import { columnName } from './column-name.js';
import { columnWidth, type LongestIds } from './column-widths.js';
import css from './users.module.css';
import { type Column, isSortKey, toggleSort, type UsersView } from './users-view.js';

interface UsersTableHeadProps {
  readonly columns: readonly Column[];
  readonly longest: LongestIds;
  readonly view: UsersView;
  readonly selection: UserSelection;
  /** Undefined unless it is exact. */
  readonly total: number | undefined;
  readonly onChange: (view: UsersView) => void;
}

export function UsersTableHead({ columns, longest, view, selection, total, onChange }: UsersTableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        <th scope="col" data-column="select" aria-label={usersListCopy.select.column}>
          <SelectAll
            state={headState(selection.current, selection.isWholeList)}
            onSelect={() => selection.selectAll(total)}
            onClear={selection.clear}
          />
        </th>
        {columns.map((column) => {
          const isSorted = view.sort === column;
          const direction = view.isDescending ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              scope="col"
              data-column={column}
              aria-sort={isSorted ? direction : isSortKey(column) ? 'none' : undefined}
              style={columns.length === 1 ? undefined : { width: `${columnWidth(column, longest)}rem` }}
            >
              {isSortKey(column) ? (
                <button type="button" className={css.sort} onClick={() => onChange(toggleSort(view, column))}>
                  {columnName(column)}
                  <span aria-hidden="true" className={css.arrow}>
                    {isSorted ? (view.isDescending ? '▼' : '▲') : '↕'}
                  </span>
                </button>
              ) : (
                columnName(column)
              )}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

interface SelectAllProps {
  readonly state: HeadState;
  readonly onSelect: () => void;
  readonly onClear: () => void;
}

function SelectAll({ state, onSelect, onClear }: SelectAllProps) {
  return (
    <input
      type="checkbox"
      className={css.check}
      aria-label={usersListCopy.select.all}
      checked={state === 'all'}
      ref={(input) => {
        if (input) input.indeterminate = state === 'some';
      }}
      onChange={state === 'all' ? onClear : onSelect}
    />
  );
}
