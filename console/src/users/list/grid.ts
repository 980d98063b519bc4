import { type KeyboardEvent, type MouseEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { Attribute } from '../../components/attribute-value.js';
import { type EditableField, isEditableColumn, type ListedUser } from '../data/user.js';
import type { UserSelection } from '../selection/selection.js';
import type { PagedUsers } from './use-users.js';
import type { Column } from './users-view.js';

interface Grid {
  readonly position: GridPosition;
  readonly selection: UserSelection;
  readonly mayEdit: boolean;
  readonly attributes: readonly Attribute[];
  readonly rowAt: (row: number) => ListedUser | undefined;
  readonly lastRow: number;
  readonly rowsOnScreen: (region: HTMLElement) => number;
  readonly scrollTo: (row: number) => void;
  readonly open: (row: number) => void;
  readonly changeStatus: (user: ListedUser) => void;
}

/** Keys of the table. Arrows move, Space selects, F2 and Enter edit, and Enter opens what can't be edited. */
export function onGridKey(grid: Grid, event: KeyboardEvent<HTMLElement>): void {
  const target = event.target as HTMLElement;
  // Events of editors and dialogs bubble through the tree of components.
  if (!event.currentTarget.contains(target) || target.closest('thead')) return;
  if (event.altKey) return;
  const isOutside = target === event.currentTarget;
  if (event.ctrlKey || event.metaKey) {
    if (moveToCorner(grid, event.key)) event.preventDefault();
    return;
  }
  if ((!isOutside && actOnCell(grid, event, target)) || move(grid, event, isOutside)) event.preventDefault();
}

function actOnCell(grid: Grid, { key, shiftKey }: KeyboardEvent, target: HTMLElement): boolean {
  const { row, column } = grid.position;
  const user = grid.rowAt(row);
  const isCheckbox = target instanceof HTMLInputElement;
  if (key === ' ' && !isCheckbox && user) {
    grid.selection.toggle(row, user, shiftKey);
    return true;
  }
  if (key === 'F2') return edit(grid, user, column);
  if (key !== 'Enter' || isCheckbox || target.closest('a')) return false;
  if (!edit(grid, user, column)) grid.open(row);
  return true;
}

function move(grid: Grid, event: KeyboardEvent<HTMLElement>, isOutside: boolean): boolean {
  const { row, column, columns, focusOn } = grid.position;
  const rows = { last: grid.lastRow, rowsOnScreen: grid.rowsOnScreen(event.currentTarget), isOutside };
  const nextRow = rowForKey(event.key, row, rows);
  const nextColumn = isOutside ? undefined : columnForKey(event.key, columns.indexOf(column), columns.length);
  if (nextRow === undefined && nextColumn === undefined) return false;
  focusOn(nextRow ?? row, nextColumn === undefined ? column : (columns[nextColumn] ?? column));
  if (nextRow !== undefined) grid.scrollTo(nextRow);
  return true;
}

/** The browser would only scroll, and leave the focus behind. */
function moveToCorner({ position: { columns, focusOn }, lastRow, scrollTo }: Grid, key: string): boolean {
  const [first, last] = [columns[0], columns.at(-1)];
  if (!first || !last || lastRow < 0 || (key !== 'Home' && key !== 'End')) return false;
  const row = key === 'Home' ? 0 : lastRow;
  focusOn(row, key === 'Home' ? first : last);
  scrollTo(row);
  return true;
}

/** Changing the status has consequences, so it asks. */
function edit(
  { mayEdit, attributes, position, changeStatus }: Grid,
  user: ListedUser | undefined,
  column: TableColumn,
): boolean {
  if (!mayEdit || !user || !isEditableColumn(column, attributes)) return false;
  if (column === 'isActive') changeStatus(user);
  else position.edit({ user, field: column });
  return true;
}

/** A click ticks a checkbox, goes to a cell that can be edited, edits it if it is there already, or opens the user. */
export function onGridClick(grid: Grid, event: MouseEvent<HTMLElement>): void {
  const cell = clickedCell(event);
  if (!cell || event.button !== 0 || grid.position.edited) return;
  const { row, column } = cell;
  if (column === 'select') {
    const user = grid.rowAt(row);
    grid.position.moveTo(row, column);
    if (user) grid.selection.toggle(row, user, event.shiftKey);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  if (!cell.isLink && window.getSelection()?.isCollapsed === false) return;
  event.preventDefault();
  if (cell.isLink || !grid.mayEdit || !isEditableColumn(column, grid.attributes)) grid.open(row);
  else if (isAgain(grid.position, cell)) edit(grid, grid.rowAt(row), column);
  else grid.position.focusOn(row, column);
}

/** A second click edits. The table starts at the first name, so nobody has clicked there yet. */
function isAgain({ row, column }: GridPosition, clicked: { row: number; column: TableColumn }): boolean {
  return clicked.row === row && clicked.column === column && column !== 'name';
}

export function onGridDoubleClick(grid: Grid, event: MouseEvent<HTMLElement>): void {
  const cell = clickedCell(event);
  if (!cell || cell.isLink || grid.position.edited) return;
  if (edit(grid, grid.rowAt(cell.row), cell.column)) window.getSelection()?.removeAllRanges();
}

function clickedCell(event: MouseEvent<HTMLElement>) {
  const target = event.target as HTMLElement;
  if (!event.currentTarget.contains(target)) return undefined;
  const line = target.closest<HTMLElement>('tr[data-serial]');
  const column = target.closest<HTMLElement>('[data-column]')?.dataset.column as TableColumn | undefined;
  if (!line || !column) return undefined;
  return { row: Number(line.dataset.row), column, isLink: target.closest('a') !== null };
}

/** The field that is edited, with the user as shown when it began. */
interface Edited {
  readonly user: ListedUser;
  readonly field: EditableField;
}

interface GridPosition {
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
  /** The row that was opened before, if this is a return to the list. */
  readonly returnRow: number | undefined;
  readonly region: RefObject<HTMLElement | null>;
}

/** Which cell is the tab stop. The focus waits for rows that are loading, and returns to the cell after editing. */
export function useGridPosition({ users, columns, returnRow, region }: GridPositionOptions): GridPosition {
  const [row, setRow] = useState(returnRow ?? 0);
  const [wanted, setWanted] = useState<TableColumn>('name');
  const [edited, setEdited] = useState<Edited>();
  const [listKey, setListKey] = useState(users.key);
  const needsFocus = useRef(returnRow !== undefined);
  const isReturning = useRef(returnRow !== undefined);
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
    const isWanted = !isReturning.current || isFocusFree();
    isReturning.current = false;
    if (isWanted) cellToFocus(region.current, row, column)?.focus({ preventScroll: true });
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

/** Whether what had the focus is gone with the page before. */
function isFocusFree(): boolean {
  const { activeElement } = document;
  return activeElement === document.body || activeElement?.tagName === 'H1';
}

/** The checkbox, the link, or the cell itself. */
function cellToFocus(region: HTMLElement | null, row: number, column: TableColumn): HTMLElement | null {
  const cell =
    region?.querySelector<HTMLElement>(`tr[data-row="${row}"] > [data-column="${column}"]`) ?? null;
  return cell?.querySelector<HTMLElement>(':scope > input, a') ?? cell;
}

interface Rows {
  readonly last: number;
  readonly rowsOnScreen: number;
  /** No row has the focus yet: the first key moves to the current one. */
  readonly isOutside: boolean;
}

/** Undefined for keys that do not move between rows. */
export function rowForKey(
  key: string,
  row: number,
  { last, rowsOnScreen, isOutside }: Rows,
): number | undefined {
  const steps: Record<string, number> = {
    ArrowDown: isOutside ? 0 : 1,
    ArrowUp: isOutside ? 0 : -1,
    PageDown: rowsOnScreen,
    PageUp: -rowsOnScreen,
    Home: -row,
    End: last - row,
  };
  const step = steps[key];
  return step === undefined ? undefined : Math.max(0, Math.min(last, row + step));
}

/** Undefined for keys that do not move between columns. */
export function columnForKey(key: string, column: number, count: number): number | undefined {
  if (key !== 'ArrowLeft' && key !== 'ArrowRight') return undefined;
  return Math.max(0, Math.min(count - 1, column + (key === 'ArrowRight' ? 1 : -1)));
}

/** A column of the table, including the one with the checkboxes. */
export type TableColumn = Column | 'select';

function tableColumns(columns: readonly Column[]): TableColumn[] {
  return ['select', ...columns];
}
