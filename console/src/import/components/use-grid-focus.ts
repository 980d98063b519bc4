import {
  type FocusEvent,
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { cellAfterKey, clamped, type GridCell, type GridSize } from './grid-keys.js';

interface GridContent {
  readonly rows: readonly number[];
  readonly rowHeight: number;
  /** How many cells a row has; undefined stands for the headings. */
  columnsOf(row: number | undefined): number;
  /** A key that doesn't move, or a click, which counts as Enter. True if it meant something. */
  onKey(row: number | undefined, column: number, key: string): boolean;
  readonly onUndo: (() => void) | undefined;
}

interface ActiveCell extends GridCell {
  /** Which row it is in, because rows move when others come and go. */
  readonly row: number | undefined;
}

const widgets = 'button, a[href], input';

/**
 * Moves the focus from cell to cell. If the element with the focus goes away, such as an editor that is done or a row that
 * is filtered out, its cell or the nearest one takes the focus.
 */
export function useGridFocus(region: RefObject<HTMLElement | null>, content: GridContent) {
  const { rows, rowHeight, columnsOf, onKey, onUndo } = content;
  const [chosen, setChosen] = useState<ActiveCell>({ index: 0, column: 1, row: rows[0] });
  const hasFocus = useRef(false);
  const isMoving = useRef(false);
  const size: GridSize = {
    rows: rows.length,
    page: Math.max(1, Math.floor((region.current?.clientHeight ?? 0) / rowHeight) - 2),
    columnsOf: (index) => columnsOf(rows[index]),
  };
  const active = clamped({ ...chosen, index: indexOf(rows, chosen) }, size);

  // After every render, because any of them may have removed the element with the focus.
  useLayoutEffect(() => {
    const isLost = hasFocus.current && document.activeElement === document.body;
    if (!isMoving.current && !isLost) return;
    const cell = cellElement(region.current, active);
    if (!cell) return;
    isMoving.current = false;
    cell.focus({ preventScroll: true });
    bringIntoView(cell, region.current);
  });

  const moveTo = (to: GridCell) => {
    isMoving.current = true;
    setChosen({ ...to, row: rows[to.index] });
  };
  const handlers = {
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const target = event.target as HTMLElement;
      if (event.altKey || target instanceof HTMLInputElement) return;
      const cell = target.closest<HTMLElement>('[data-cell]');
      if (!cell) return;
      const isCommand = event.ctrlKey || event.metaKey;
      if (isCommand && event.key === 'z' && onUndo) onUndo();
      else if (!moveInside(event, cell, target)) {
        const to = cellAfterKey(event, active, size);
        if (to) moveTo(to);
        else if (isCommand || target !== cell || !actOn(event.key, cell)) return;
      }
      event.preventDefault();
    },
    onFocus: (event: FocusEvent<HTMLElement>) => {
      hasFocus.current = true;
      const [index, column] = positionOf(event.target) ?? [];
      if (index === undefined || column === undefined) return;
      if (index !== active.index || column !== active.column) setChosen({ index, column, row: rows[index] });
    },
    onBlur: (event: FocusEvent<HTMLElement>) => {
      const left = event.target;
      // An element that is removed loses the focus to nothing, and its cell takes it.
      queueMicrotask(() => {
        const isInside = region.current?.contains(document.activeElement) === true;
        if (!isInside && left.isConnected) hasFocus.current = false;
      });
    },
    onClick: (event: MouseEvent<HTMLElement>) => {
      const target = event.target as HTMLElement;
      const [index, column] = positionOf(target) ?? [];
      if (index === undefined || column === undefined || index < 0) return;
      if (!target.closest(widgets)) onKey(rows[index], column, 'Click');
    },
  };
  return { active, handlers };

  function actOn(key: string, cell: HTMLElement): boolean {
    if (onKey(rows[active.index], active.column, key)) return true;
    const widget = key === 'Enter' || key === 'F2' ? cell.querySelector<HTMLElement>(widgets) : null;
    widget?.focus();
    return widget !== null;
  }
}

/** Between the links and buttons of a cell, and back to the cell. */
function moveInside({ key }: KeyboardEvent, cell: HTMLElement, target: HTMLElement): boolean {
  if (target === cell) return false;
  const inside = [...cell.querySelectorAll<HTMLElement>(widgets)];
  const at = inside.indexOf(target);
  const next = key === 'ArrowRight' ? inside[at + 1] : key === 'ArrowLeft' ? inside[at - 1] : undefined;
  if (next) next.focus();
  else if (key === 'Escape') cell.focus();
  else return false;
  return true;
}

function indexOf(rows: readonly number[], { index, row }: ActiveCell): number {
  if (row === undefined || rows[index] === row) return index;
  const found = rows.indexOf(row);
  return found === -1 ? index : found;
}

function positionOf(element: Element): number[] | undefined {
  return element.closest<HTMLElement>('[data-cell]')?.dataset.cell?.split(' ').map(Number);
}

function cellElement(region: HTMLElement | null, { index, column }: GridCell): HTMLElement | null {
  return region?.querySelector<HTMLElement>(`[data-cell="${index} ${column}"]`) ?? null;
}

/** Columns that stay in view would cover the cell otherwise. */
function bringIntoView(cell: HTMLElement, region: HTMLElement | null): void {
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  if (!region || getComputedStyle(cell).position === 'sticky') return;
  const fixed = [...region.querySelectorAll<HTMLElement>('thead th')].filter(
    (heading) => getComputedStyle(heading).position === 'sticky',
  );
  const covered = Math.max(0, ...fixed.map((heading) => heading.getBoundingClientRect().right));
  const excess = covered - cell.getBoundingClientRect().left;
  if (excess > 0) region.scrollLeft -= excess;
}
