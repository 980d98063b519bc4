import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import {
  ancestorsOf,
  getDirectoryEntry,
  lockParents,
  moveChildren,
  putDirectoryEntry,
} from '../../storage/directories/directories.js';
import type { Context } from '../context.js';
import type { MatchingUpdate } from '../users/update-matching.js';
import { getEntry } from './get-entry.js';
import { wasInterrupted } from './interrupted-rename.js';
import { foldedName, levelsMax } from './put-entry.js';
import type { SerialReplacement } from './serial-replacement.js';

/**
 * A rename needs a serial that is new, and a merge one that exists. A rename that was interrupted can be repeated, and
 * then changes the remaining users.
 */
export async function renameUpdate(
  context: Context,
  kind: DirectoryKind,
  replacement: SerialReplacement,
): Promise<MatchingUpdate | Failure> {
  const { from, to } = replacement;
  if (from === to) return sameSerial('newSerial');
  const entry = await getEntry(context, kind, from);
  if ('error' in entry) return entry;
  const callKind = kind === 'organizations' ? 'rename-organization' : 'rename-tag';
  const update = updateFor(kind, callKind, replacement);
  const taken = await getEntry(context, kind, to);
  if (!('error' in taken)) {
    return (await wasInterrupted(context, kind, callKind, replacement)) ? update : exists();
  }
  if (taken.error !== 'DIRECTORY_ENTRY_NOT_FOUND') return taken;
  return { ...update, alongside: (tx) => moveEntry(tx, kind, replacement) };
}

export async function mergeUpdate(
  context: Context,
  kind: DirectoryKind,
  replacement: SerialReplacement,
): Promise<MatchingUpdate | Failure> {
  const { from, to } = replacement;
  if (from === to) return sameSerial('into');
  for (const serial of [from, to]) {
    const entry = await getEntry(context, kind, serial);
    if ('error' in entry) return entry;
  }
  return updateFor(kind, kind === 'organizations' ? 'merge-organization' : 'merge-tag', replacement);
}

/**
 * The new serial takes over the name and the place of the old one. The old entry stays, without users, so that an undo
 * finds it.
 */
async function moveEntry(tx: Executor, kind: DirectoryKind, { from, to }: SerialReplacement): Promise<void> {
  if (kind === 'organizations') await lockParents(tx);
  const entry = await getDirectoryEntry(tx, kind, from, []);
  if (!entry) return;
  const { displayName } = entry;
  const parentSerial = (await isPartOf(tx, entry.parentSerial, to)) ? null : entry.parentSerial;
  await putDirectoryEntry(tx, kind, to, { displayName, foldedName: foldedName(displayName), parentSerial });
  if (kind === 'organizations') await moveChildren(tx, from, to);
}

/** Whether an organization is another one or a part of it. A parent need not be in the directory itself. */
async function isPartOf(tx: Executor, serial: string | null, whole: string): Promise<boolean> {
  return serial !== null && (await ancestorsOf(tx, serial, levelsMax)).includes(whole);
}

function updateFor(
  kind: DirectoryKind,
  callKind: MatchingUpdate['kind'],
  { from, to }: SerialReplacement,
): MatchingUpdate {
  return kind === 'organizations'
    ? { kind: callKind, filters: { organizationSerials: [from] }, patch: { organizationSerial: to } }
    : { kind: callKind, filters: { tagSerials: [from] }, patch: { replaceTag: { from, to } } };
}

function exists(): Failure {
  return failure(
    'DIRECTORY_ENTRY_EXISTS',
    `"newSerial" is already in the directory. To give all users of "serial" that serial, merge the two.`,
  );
}

function sameSerial(field: string): Failure {
  return failure('REQUEST_BODY_INVALID', `"${field}" and "serial" are the same. Nothing would change.`, {
    field,
  });
}
