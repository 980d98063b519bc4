import { limits } from '@rollcall/client';

/**
 * The cursors of the loaded pages. Only this grows with the list: the pages themselves are dropped when out of view, and
 * loaded again by cursor.
 */
export interface PageChain {
  /** The cursor of each page known so far; the first has none. */
  readonly cursors: readonly (string | undefined)[];
  /** How many rows the last page has, once it is known to be the last. */
  readonly lastPageRows: number | undefined;
}

export const pageSize: number = limits.pageLimitMax;

export const firstPageOnly: PageChain = { cursors: [undefined], lastPageRows: undefined };

/** A page may arrive again after rows were added or removed, which moves the start of the next page. */
export function withPage(
  chain: PageChain,
  page: number,
  { rows, nextCursor }: { rows: number; nextCursor: string | null },
): PageChain {
  const { cursors, lastPageRows } = chain;
  if (nextCursor === null) {
    if (cursors.length === page + 1 && lastPageRows === rows) return chain;
    return { cursors: cursors.slice(0, page + 1), lastPageRows: rows };
  }
  if (cursors[page + 1] === nextCursor) return chain;
  const isNew = cursors.length === page + 1;
  return {
    cursors: cursors.toSpliced(page + 1, 1, nextCursor),
    lastPageRows: isNew ? undefined : lastPageRows,
  };
}

/** Assumes a full page where the last one is not loaded yet. */
export function rowCount({ cursors, lastPageRows }: PageChain): number {
  return (cursors.length - 1) * pageSize + (lastPageRows ?? pageSize);
}

export function loadedRowCount({ cursors, lastPageRows }: PageChain): number {
  return (cursors.length - 1) * pageSize + (lastPageRows ?? 0);
}

/** The pages of these rows, and the next one. */
export function pagesForRows({ cursors }: PageChain, first: number, last: number): number[] {
  const from = Math.max(0, Math.floor(first / pageSize));
  const to = Math.min(cursors.length - 1, Math.floor(last / pageSize) + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
