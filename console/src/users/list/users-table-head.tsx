import { commonCopy, usersCopy } from '../../copy/copy.js';
import css from './users.module.css';
import { type Column, isSortKey, toggleSort, type UsersView } from './users-view.js';

interface UsersTableHeadProps {
  readonly columns: readonly Column[];
  readonly view: UsersView;
  readonly onChange: (view: UsersView) => void;
}

export function UsersTableHead({ columns, view, onChange }: UsersTableHeadProps) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {columns.map((column) => {
          const isSorted = view.sort === column;
          const direction = view.isDescending ? 'descending' : 'ascending';
          return (
            <th
              key={column}
              scope="col"
              data-column={column}
              aria-sort={isSorted ? direction : isSortKey(column) ? 'none' : undefined}
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

export function columnName(column: Column): string {
  if (column === 'createdAt' || column === 'updatedAt') return usersCopy[column];
  return commonCopy.fields[column];
}
