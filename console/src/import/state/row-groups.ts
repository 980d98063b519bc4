import type { RowFacts } from './row-facts.js';

/** Rows with the same text, such as an employee ID, told apart by something else. */
export interface RowGroups<Key> {
  /** Rows without the text have nothing in common. */
  add(text: string, key: Key, row: RowFacts): void;
  /** The first row with the text whose key is another one. */
  firstOther(text: string, key: Key): RowFacts | undefined;
}

interface Group<Key> {
  readonly key: Key;
  readonly first: RowFacts;
  /** The first whose key differs from that of the first. */
  other: RowFacts | undefined;
}

/**
 * Keeps two rows of each group. Any key differs from that of one of them, if there are two keys at all, so that finding
 * another row takes no longer if all rows of a file are in one group.
 */
export function createRowGroups<Key>(): RowGroups<Key> {
  const groups = new Map<string, Group<Key>>();
  return {
    add: (text, key, row) => {
      if (text === '') return;
      const group = groups.get(text);
      if (!group) groups.set(text, { key, first: row, other: undefined });
      else if (group.key !== key) group.other ??= row;
    },
    firstOther: (text, key) => {
      const group = groups.get(text);
      return group?.key === key ? group.other : group?.first;
    },
  };
}
