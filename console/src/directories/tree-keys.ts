/** A row of a tree as it is shown. */
interface TreeRow {
  readonly level: number;
  /** Undefined if nothing is below it. */
  readonly isOpen: boolean | undefined;
}

/** Where the focus goes, or what happens to the row that has it. */
type TreeMove = { readonly to: number } | 'open' | 'close';

/** What a key does in a tree. Undefined if it does nothing. */
export function treeMove(key: string, rows: readonly TreeRow[], at: number): TreeMove | undefined {
  const row = rows[at];
  if (row === undefined) return undefined;
  switch (key) {
    case 'ArrowDown':
      return at + 1 < rows.length ? { to: at + 1 } : undefined;
    case 'ArrowUp':
      return at > 0 ? { to: at - 1 } : undefined;
    case 'Home':
      return { to: 0 };
    case 'End':
      return { to: rows.length - 1 };
    case 'ArrowRight':
      if (row.isOpen === false) return 'open';
      return (rows[at + 1]?.level ?? 0) > row.level ? { to: at + 1 } : undefined;
    case 'ArrowLeft': {
      if (row.isOpen) return 'close';
      const parent = rows.slice(0, at).findLastIndex(({ level }) => level < row.level);
      return parent === -1 ? undefined : { to: parent };
    }
    default:
      return undefined;
  }
}
