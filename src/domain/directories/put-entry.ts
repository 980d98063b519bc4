import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type Executor, transaction } from '../../storage/database.js';
import { getDirectoryEntry, lockDirectory, putDirectoryEntry } from '../../storage/directories/entries.js';
import { ancestorsOf, levelsOf } from '../../storage/directories/parents.js';
import type { Context } from '../context.js';
import { foldedSpellings } from '../indexing/fold.js';
import { type EntryView, viewOf } from './entry-view.js';
import { freshCounts } from './fresh-counts.js';
import { noSuchEntry } from './get-entry.js';

export interface EntryFields {
  readonly displayName: string | null;
  readonly parentSerial: string | null;
}

/** How deep organizations can be nested. */
export const levelsMax = 32;

/** Sets what the directory says about a serial, known or not. */
export async function putEntry(
  context: Context,
  kind: DirectoryKind,
  serial: string,
  fields: EntryFields,
): Promise<EntryView | Failure> {
  return transaction(context.database, async (tx) => {
    if (fields.parentSerial !== null) {
      await lockDirectory(tx, kind);
      const problem = await parentProblem(tx, serial, fields.parentSerial);
      if (problem) return problem;
    }
    await putDirectoryEntry(tx, kind, serial, { ...fields, foldedName: foldedName(fields.displayName) });
    const counts = await freshCounts(tx);
    const entry = await getDirectoryEntry(tx, kind, serial, counts.fresh);
    return entry ? viewOf(kind, entry, counts) : noSuchEntry(kind, serial);
  });
}

/** With every spelling of each word, so that a search finds any of them. */
function foldedName(displayName: string | null): string | null {
  return displayName === null ? null : foldedSpellings(displayName).flat().join(' ');
}

async function parentProblem(tx: Executor, serial: string, parent: string): Promise<Failure | undefined> {
  const ancestors = await ancestorsOf(tx, parent, levelsMax);
  if (ancestors.includes(serial)) {
    return invalidParent('is this organization, or a part of it. Choose another one.');
  }
  return ancestors.length + (await levelsOf(tx, serial, levelsMax)) > levelsMax
    ? invalidParent(`would nest organizations in more than ${levelsMax} levels, which is the limit.`)
    : undefined;
}

function invalidParent(problem: string): Failure {
  return failure('REQUEST_BODY_INVALID', `"parentSerial" ${problem}`, { field: 'parentSerial' });
}
