import type { DirectoryKind } from '../../contract/directories.js';
import type { DirectoryEntry } from '../../storage/directories/entries.js';

/** An entry as callers see it. */
export interface EntryView {
  readonly serial: string;
  readonly displayName: string | null;
  readonly parentSerial?: string | null;
  readonly hasParts?: boolean;
  readonly users: UserCounts;
  /** If they were requested: of an organization and everything that is a part of it. */
  readonly usersWithParts?: UserCounts;
}

export interface UserCounts {
  readonly total: number;
  readonly active: number;
}

export function viewOf(
  kind: DirectoryKind,
  { serial, displayName, parentSerial, hasParts, total, active }: DirectoryEntry,
): EntryView {
  const users = { total, active };
  return kind === 'organizations'
    ? { serial, displayName, parentSerial, hasParts, users }
    : { serial, displayName, users };
}
