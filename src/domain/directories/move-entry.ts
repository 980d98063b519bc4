import type { DirectoryKind } from '../../contract/directories.js';
import type { Executor } from '../../storage/database.js';
import {
  getDirectoryRow,
  lockDirectory,
  markRenamed,
  putDirectoryEntry,
} from '../../storage/directories/entries.js';
import { moveNames } from '../../storage/directories/entry-names.js';
import { ancestorsOf, moveChildren } from '../../storage/directories/parents.js';
import { levelsMax } from './put-entry.js';
import type { SerialReplacement } from './serial-replacement.js';

/**
 * The new serial takes over the name, the parent and the parts of the old one, which is no longer in the directory once
 * no user has it. Returns false if they have moved elsewhere, or if the new serial is already in the directory.
 */
export async function moveEntry(
  tx: Executor,
  kind: DirectoryKind,
  { from, to }: SerialReplacement,
): Promise<boolean> {
  await lockDirectory(tx, kind);
  const entry = await getDirectoryRow(tx, kind, from);
  const taken = await getDirectoryRow(tx, kind, to);
  const isTaken = taken !== undefined && !taken.isRenamed && !taken.isUndone;
  if (entry?.isRenamed || isTaken) return false;
  const { displayName = null, foldedName = null, parentSerial = null } = entry ?? {};
  const parent = (await isPartOf(tx, parentSerial, to)) ? null : parentSerial;
  await putDirectoryEntry(tx, kind, to, { displayName, foldedName, parentSerial: parent });
  if (kind === 'organizations') await moveChildren(tx, from, to);
  await markRenamed(tx, kind, from);
  await moveNames(tx, kind, from, to);
  return true;
}

/** Whether an organization is another one or a part of it. A parent need not be in the directory itself. */
async function isPartOf(tx: Executor, serial: string | null, whole: string): Promise<boolean> {
  return serial !== null && (await ancestorsOf(tx, serial, levelsMax)).includes(whole);
}
