import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { transaction } from '../../storage/database.js';
import {
  deleteDirectoryEntry,
  getDirectoryEntry,
  hasChildren,
  lockParents,
} from '../../storage/directories/directories.js';
import type { Context } from '../context.js';
import { freshUsers } from '../users/matching-users.js';
import { noSuchEntry } from './get-entry.js';

/** Removes an entry that no user has. A user who gets the serial later brings it back, unless the directory is strict. */
export function deleteEntry(
  { database }: Context,
  kind: DirectoryKind,
  serial: string,
): Promise<Failure | undefined> {
  return transaction(database, async (tx) => {
    if (kind === 'organizations') await lockParents(tx);
    const fresh = await freshUsers(tx);
    if ('error' in fresh) return fresh;
    const entry = await getDirectoryEntry(tx, kind, serial, fresh);
    if (!entry) return noSuchEntry(kind);
    if (entry.total > 0)
      return inUse(`${entry.total.toLocaleString('en')} users have it. Merge it into another one first.`);
    if (kind === 'organizations' && (await hasChildren(tx, serial))) {
      return inUse('Other organizations are part of it. Give them another parent first.');
    }
    await deleteDirectoryEntry(tx, kind, serial);
    return undefined;
  });
}

function inUse(reason: string): Failure {
  return failure('DIRECTORY_ENTRY_IN_USE', reason);
}
