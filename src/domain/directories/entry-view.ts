import type { DirectoryKind } from '../../contract/directories.js';
import type { DirectoryEntry } from '../../storage/directories/entries.js';

/** An entry as callers see it. */
export interface EntryView {
  readonly serial: string;
  readonly displayName: string | null;
  readonly parentSerial?: string | null;
  readonly users: { readonly total: number; readonly active: number };
}

export function viewOf(
  kind: DirectoryKind,
  { serial, displayName, parentSerial, total, active }: DirectoryEntry,
): EntryView {
  const users = { total, active };
  return kind === 'organizations'
    ? { serial, displayName, parentSerial, users }
    : { serial, displayName, users };
}
