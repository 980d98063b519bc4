import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ListedUser } from '../data/user.js';
import type { EditableField } from '../edit/editable-columns.js';
import { type TableColumn, tableColumns } from './table-column.js';
import type { PagedUsers } from './use-users.js';
import type { Column } from './users-view.js';

/** The field that is edited, with the user as shown when it began. */
export interface Edited {
  readonly user: ListedUser;
  readonly field: EditableField;
}

export interface GridPosition {
  readonly row: number;
  /** The column of the tab stop. */
  readonly column: TableColumn;
  readonly columns: readonly TableColumn[];
  readonly edited: Edited | undefined;
  readonly moveTo: (row: number, column: TableColumn) => void;
  /** The same, with the focus. */
  readonly focusOn: (row: number, column: TableColumn) => void;
  readonly edit: (edited: Edited | undefined) => void;
}

interface GridPositionOptions {
  readonly users: PagedUsers;
  readonly columns: readonly Column[];
  readonly startRow: number;
  readonly region: RefObject<HTMLElement | null>;
}

/** Which cell is the tab stop. The focus waits for rows that are loading, and returns to the cell after editing. */
export function useGridPosition({ users, columns, startRow, region }: GridPositionOptions): GridPosition {
  const [row, setRow] = useState(startRow);
  const [wanted, setWanted] = useState<TableColumn>('name');
  const [edited, setEdited] = useState<Edited>();
  const [listKey, setListKey] = useState(users.key);
  const needsFocus = useRef(false);
  // A new list starts at the top.
  if (users.key !== listKey) {
    setListKey(users.key);
    setRow(0);
  }
  const stops = tableColumns(columns);
  const column = stops.includes(wanted) ? wanted : 'name';
  const isLoaded = users.rowAt(row) !== undefined;
  useEffect(() => {
    if (!needsFocus.current || !isLoaded || edited) return;
    needsFocus.current = false;
    cellToFocus(region.current, row, column)?.focus({ preventScroll: true });
  }, [row, column, isLoaded, edited, region]);
  const moveTo = (nextRow: number, nextColumn: TableColumn) => {
    setRow(nextRow);
    setWanted(nextColumn);
  };
  return {
    row,
    column,
    columns: stops,
    edited,
    moveTo,
    focusOn: (nextRow, nextColumn) => {
      if (nextRow === row && nextColumn === column) return cellToFocus(region.current, row, column)?.focus();
      needsFocus.current = true;
      moveTo(nextRow, nextColumn);
    },
    edit: (next) => {
      needsFocus.current = true; // once the editor is closed
      setEdited(next);
    },
  };
}

/** The checkbox, the link, or the cell itself. */
function cellToFocus(region: HTMLElement | null, row: number, column: TableColumn): HTMLElement | null {
  const cell =
    region?.querySelector<HTMLElement>(`tr[data-row="${row}"] > [data-column="${column}"]`) ?? null;
  return cell?.querySelector<HTMLElement>(':scope > input, a') ?? cell;
}
