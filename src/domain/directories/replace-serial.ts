import type { FieldChanges } from '../../contract/changes.js';
import type { DirectoryKind } from '../../contract/directories.js';
import type { CallKind } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { listCalls, type SerialReplacement } from '../../storage/changes/calls.js';
import { listChanges } from '../../storage/changes/changes.js';
import type { Database, Executor } from '../../storage/database.js';
import {
  getDirectoryRow,
  lockDirectory,
  markRenamed,
  putDirectoryEntry,
} from '../../storage/directories/entries.js';
import { moveNames } from '../../storage/directories/entry-names.js';
import { ancestorsOf, moveChildren } from '../../storage/directories/parents.js';
import { CallRejected } from '../bulk/call-errors.js';
import { quoted } from '../read-fields.js';
import type { MatchingUpdate } from '../users/update-matching.js';
import { getEntry, levelsMax } from './entries.js';

/**
 * A rename needs a serial that is new, and a merge one that exists. A rename that was interrupted can be repeated, and
 * then changes the remaining users.
 */
export async function renameUpdate(
  database: Database,
  kind: DirectoryKind,
  replacement: SerialReplacement,
): Promise<MatchingUpdate | Failure> {
  const { from, to } = replacement;
  if (from === to) return sameSerial('newSerial');
  const entry = await getEntry(database, kind, from);
  if ('error' in entry) return entry;
  const callKind = kind === 'organizations' ? 'rename-organization' : 'rename-tag';
  const update = updateFor(kind, callKind, replacement);
  const taken = await getEntry(database, kind, to);
  if (!('error' in taken)) {
    return (await wasInterrupted(database, kind, callKind, replacement)) ? update : exists(to);
  }
  if (taken.error !== 'DIRECTORY_ENTRY_NOT_FOUND') return taken;
  const alongside = async (tx: Executor) => {
    // Another rename to the same serial may have been faster.
    if (!(await moveEntry(tx, kind, replacement))) throw new CallRejected(exists(to));
  };
  return { ...update, alongside };
}

export async function mergeUpdate(
  database: Database,
  kind: DirectoryKind,
  replacement: SerialReplacement,
): Promise<MatchingUpdate | Failure> {
  const { from, to } = replacement;
  if (from === to) return sameSerial('into');
  for (const serial of [from, to]) {
    const entry = await getEntry(database, kind, serial);
    if ('error' in entry) return entry;
  }
  return updateFor(kind, kind === 'organizations' ? 'merge-organization' : 'merge-tag', replacement);
}

function updateFor(
  kind: DirectoryKind,
  callKind: MatchingUpdate['kind'],
  replaces: SerialReplacement,
): MatchingUpdate {
  const { from, to } = replaces;
  const change =
    kind === 'organizations'
      ? { filters: { organizationSerials: [from] }, patch: { organizationSerial: to } }
      : { filters: { tagSerials: [from] }, patch: { replaceTag: replaces } };
  return { kind: callKind, replaces, ...change };
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

/** An older call than these is not looked for. */
const interruptedCallsMax = 100;

/** Whether the same rename was started and interrupted. It has moved the entry and some of the users. */
async function wasInterrupted(
  database: Database,
  kind: DirectoryKind,
  callKind: CallKind,
  replacement: SerialReplacement,
): Promise<boolean> {
  const filters = { kind: callKind, state: 'interrupted' };
  const calls = await listCalls(database.pool, { filters, before: undefined, limit: interruptedCallsMax });
  for (const { id } of calls.filter(({ undoneBy }) => undoneBy === null)) {
    const request = { filters: { callId: id }, before: undefined, limit: 1 };
    const [change] = await listChanges(database.pool, request);
    const found = change && replacementIn(kind, change.fields);
    if (found?.from === replacement.from && found.to === replacement.to) return true;
  }
  return false;
}

/** Every change of a rename is the same replacement, so one tells what the call was about. */
export function replacementIn(kind: DirectoryKind, fields: FieldChanges): SerialReplacement | undefined {
  const { before, after } = changeIn(kind, fields);
  const [from, ...othersRemoved] = without(before, after);
  const [to, ...othersAdded] = without(after, before);
  const isOne = othersRemoved.length === 0 && othersAdded.length === 0;
  return isOne && from !== undefined && to !== undefined ? { from, to } : undefined;
}

/** The serials that a change gave to its user. */
export function serialsAdded(kind: DirectoryKind, fields: FieldChanges): string[] {
  const { before, after } = changeIn(kind, fields);
  return without(after, before);
}

function changeIn(kind: DirectoryKind, { organizationSerial, tagSerials }: FieldChanges) {
  return (kind === 'organizations' ? organizationSerial : tagSerials) ?? { before: null, after: null };
}

/** The serials of a field that its other value does not have. */
function without(value: unknown, other: unknown): string[] {
  const others = serialsIn(other);
  return serialsIn(value).filter((serial) => !others.includes(serial));
}

function serialsIn(value: unknown): string[] {
  return [value].flat().filter((serial) => typeof serial === 'string');
}

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
