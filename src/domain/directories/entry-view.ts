import type { DirectoryKind } from '../../contract/directories.js';
import type { DirectoryEntry } from '../../storage/directories/entries.js';
import type { FreshCounts } from './fresh-counts.js';

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
  /** False if many users have changed since they were counted. */
  readonly isExact: boolean;
}

export function viewOf(
  kind: DirectoryKind,
  { serial, displayName, parentSerial, hasParts, total, active }: DirectoryEntry,
  { isExact }: FreshCounts,
): EntryView {
  const users = { total, active, isExact };
  return kind === 'organizations'
    ? { serial, displayName, parentSerial, hasParts, users }
    : { serial, displayName, users };
}
