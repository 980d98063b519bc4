import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { serialReferenceField } from '../../contract/fields.js';
import { transaction } from '../../storage/database.js';
import {
  countedUsers,
  deleteDirectoryEntry,
  getDirectoryEntry,
  lockDirectory,
} from '../../storage/directories/entries.js';
import { forgetNames } from '../../storage/directories/entry-names.js';
import { hasChildren } from '../../storage/directories/parents.js';
import { pauseIndexing } from '../../storage/indexing/index-state.js';
import type { Context } from '../context.js';
import { isIndexedUpTo } from '../indexing/index-next.js';
import { indexUsers } from '../indexing/index-users.js';
import { catchingUp } from '../users/matching-users.js';
import { freshCounts } from './fresh-counts.js';
import { noSuchEntry } from './get-entry.js';

/** How long a caller waits for the indexer. */
const indexingMaxMs = 5_000;

/** Removes an entry that no user has. A user who gets the serial later brings it back, unless the directory is strict. */
export async function deleteEntry(
  { database, changes }: Context,
  kind: DirectoryKind,
  serial: string,
): Promise<Failure | undefined> {
  if (!serialReferenceField.accepts(serial)) return noSuchEntry(kind, serial);
  // Changes from before the deletion must not bring the entry back.
  if (!(await isIndexedUpTo(database, await changes.settleNow(), indexingMaxMs))) return catchingUp();
  return transaction(database, async (tx) => {
    // While the indexer counts, the entry could get users between the check and the deletion.
    await pauseIndexing(tx);
    if (kind === 'organizations') await lockDirectory(tx, kind);
    const { fresh, isExact } = await freshCounts(tx);
    if (!isExact) return catchingUp();
    const entry = await getDirectoryEntry(tx, kind, serial, fresh);
    if (!entry) return noSuchEntry(kind, serial);
    if (entry.total > 0) return hasUsers(entry.total);
    if (kind === 'organizations' && (await hasChildren(tx, serial))) {
      return inUse('Other organizations are part of it. Give them another parent first.');
    }
    // Those who no longer have it may still be counted. Subtracting them later would leave a negative count.
    await indexUsers(tx, await countedUsers(tx, kind, serial, fresh));
    if (!(await deleteDirectoryEntry(tx, kind, serial))) return hasUsers(1);
    await forgetNames(tx, kind, serial);
    return undefined;
  });
}

function hasUsers(count: number): Failure {
  const users = count === 1 ? '1 user has it.' : `${count.toLocaleString('en')} users have it.`;
  return inUse(`${users} Merge it into another one first.`);
}

function inUse(reason: string): Failure {
  return failure('DIRECTORY_ENTRY_IN_USE', reason);
}
