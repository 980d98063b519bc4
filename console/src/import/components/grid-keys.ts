/** A cell of a grid. The headings are row -1. */
export interface GridCell {
  readonly index: number;
  readonly column: number;
}

export interface GridSize {
  readonly rows: number;
  /** How many rows are in view. */
  readonly page: number;
  /** Rows with a note have one cell more than the others. */
  columnsOf(index: number): number;
}

interface Keys {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
}

/** Where a key leads, as the ARIA Authoring Practices describe it for grids. Undefined for other keys. */
export function cellAfterKey(
  { key, ctrlKey, metaKey }: Keys,
  at: GridCell,
  size: GridSize,
): GridCell | undefined {
  const isFar = ctrlKey || metaKey;
  const to = (index: number, column: number) => clamped({ index, column }, size);
  switch (key) {
    case 'ArrowRight':
      return to(at.index, at.column + 1);
    case 'ArrowLeft':
      return to(at.index, at.column - 1);
    case 'ArrowDown':
      return to(isFar ? size.rows - 1 : at.index + 1, at.column);
    case 'ArrowUp':
      return to(isFar ? Math.min(at.index, 0) : at.index - 1, at.column);
    case 'PageDown':
      return to(at.index + size.page, at.column);
    case 'PageUp':
      return to(Math.max(at.index - size.page, Math.min(at.index, 0)), at.column);
    case 'Home':
      return to(isFar ? 0 : at.index, 0);
    case 'End':
      return to(isFar ? size.rows - 1 : at.index, Number.POSITIVE_INFINITY);
    default:
      return undefined;
  }
}

/** The cell itself, or the nearest one that exists. */
export function clamped({ index, column }: GridCell, { rows, columnsOf }: GridSize): GridCell {
  const within = Math.max(-1, Math.min(index, rows - 1));
  return { index: within, column: Math.max(0, Math.min(column, columnsOf(within) - 1)) };
}
