import type { KeyboardEvent, MouseEvent } from 'react';
import type { ListedUser } from '../data/user.js';
import { isEditableColumn } from '../edit/editable-columns.js';
import type { UserSelection } from '../selection/selection.js';
import { columnForKey, rowForKey } from './row-keys.js';
import type { TableColumn } from './table-column.js';
import type { GridPosition } from './use-grid-position.js';

interface Grid {
  readonly position: GridPosition;
  readonly selection: UserSelection;
  readonly mayEdit: boolean;
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
  if (event.altKey || event.ctrlKey || event.metaKey) return;
  const isOutside = target === event.currentTarget;
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

/** Changing the status has consequences, so it asks. */
function edit(
  { mayEdit, position, changeStatus }: Grid,
  user: ListedUser | undefined,
  column: TableColumn,
): boolean {
  if (!mayEdit || !user || !isEditableColumn(column)) return false;
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
  if (cell.isLink || !grid.mayEdit || !isEditableColumn(column)) grid.open(row);
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
