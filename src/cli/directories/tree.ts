import type { Entry } from './directory.js';

export interface Placed<E> {
  readonly entry: E;
  /** How many of the entries above it are shown. */
  readonly level: number;
}

/**
 * Puts each entry below its parent, and otherwise keeps the order. An entry whose parent is missing is at the top, and so
 * is one of a circle, in which none would be.
 */
export function treeOf<E extends Pick<Entry, 'serial' | 'parentSerial'>>(entries: readonly E[]): Placed<E>[] {
  const known = new Set(entries.map(({ serial }) => serial));
  const children = new Map<string, E[]>();
  const top: E[] = [];
  for (const entry of entries) {
    const { parentSerial: parent } = entry;
    if (parent == null || !known.has(parent)) top.push(entry);
    else children.set(parent, [...(children.get(parent) ?? []), entry]);
  }
  const placed: Placed<E>[] = [];
  const done = new Set<string>();
  const place = (entry: E, level: number): void => {
    if (done.has(entry.serial)) return;
    done.add(entry.serial);
    placed.push({ entry, level });
    for (const child of children.get(entry.serial) ?? []) place(child, level + 1);
  };
  for (const entry of [...top, ...entries]) place(entry, 0);
  return placed;
}
