import { texts } from '../../copy/index.js';
import css from './users.module.css';
import { type Column, isSortKey, type PeopleView, sortedBy } from './users-view.js';

interface PeopleTableHeadProps {
  readonly columns: readonly Column[];
  readonly view: PeopleView;
  readonly onChange: (view: PeopleView) => void;
}

export function PeopleTableHead({ columns, view, onChange }: PeopleTableHeadProps) {
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
                <button type="button" className={css.sort} onClick={() => onChange(sortedBy(view, column))}>
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
  if (column === 'createdAt' || column === 'updatedAt') return texts.people[column];
  return texts.common.fields[column];
}
