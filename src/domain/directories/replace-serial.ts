import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import type { Executor } from '../../storage/database.js';
import { CallRejected } from '../bulk/call-errors.js';
import type { Context } from '../context.js';
import { quoted } from '../read-fields.js';
import type { MatchingUpdate } from '../users/update-matching.js';
import { getEntry } from './get-entry.js';
import { wasInterrupted } from './interrupted-rename.js';
import { moveEntry } from './move-entry.js';
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
    return (await wasInterrupted(context, kind, callKind, replacement)) ? update : exists(to);
  }
  if (taken.error !== 'DIRECTORY_ENTRY_NOT_FOUND') return taken;
  const alongside = async (tx: Executor) => {
    // Another rename to the same serial may have been faster.
    if (!(await moveEntry(tx, kind, replacement))) throw new CallRejected(exists(to));
  };
  return { ...update, alongside };
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

function updateFor(
  kind: DirectoryKind,
  callKind: MatchingUpdate['kind'],
  { from, to }: SerialReplacement,
): MatchingUpdate {
  return kind === 'organizations'
    ? { kind: callKind, filters: { organizationSerials: [from] }, patch: { organizationSerial: to } }
    : { kind: callKind, filters: { tagSerials: [from] }, patch: { replaceTag: { from, to } } };
}

function exists(serial: string): Failure {
  return failure(
    'DIRECTORY_ENTRY_EXISTS',
    `The serial "${quoted(serial)}" is already in the directory. To move all users to it, merge the two.`,
  );
}

function sameSerial(field: string): Failure {
  return failure('REQUEST_BODY_INVALID', `"${field}" and "serial" are the same. Nothing would change.`, {
    field,
  });
}
