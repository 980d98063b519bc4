/**
 * Where the pages of an endless list begin. Only this grows with the list: what is in the pages is held for those in
 * sight, and read again by their cursors when somebody scrolls back.
 */
export interface PageChain {
  /** The cursor of each page known so far; the first has none. */
  readonly cursors: readonly (string | undefined)[];
  /** How many rows the last page has, once it is known to be the last. */
  readonly lastPageRows: number | undefined;
}

/** As many as the service gives at once. */
export const pageSize = 200;

export const firstPageOnly: PageChain = { cursors: [undefined], lastPageRows: undefined };

/**
 * A page has arrived, perhaps not for the first time: rows that came or went meanwhile move the beginning of the page
 * after it, or make it the last.
 */
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

/** Rows that have a place in the list; those of a last page that was not read yet are taken to be a full page. */
export function rowCount({ cursors, lastPageRows }: PageChain): number {
  return (cursors.length - 1) * pageSize + (lastPageRows ?? pageSize);
}

/** Rows that were seen. */
export function loadedRowCount({ cursors, lastPageRows }: PageChain): number {
  return (cursors.length - 1) * pageSize + (lastPageRows ?? 0);
}

/** The pages that the rows from `first` to `last` are on, and the one after, so that it is there when it is needed. */
export function pagesForRows({ cursors }: PageChain, first: number, last: number): number[] {
  const from = Math.max(0, Math.floor(first / pageSize));
  const to = Math.min(cursors.length - 1, Math.floor(last / pageSize) + 1);
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
}
