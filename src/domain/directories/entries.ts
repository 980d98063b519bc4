import type { DirectoryKind, DirectorySort } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { serialReferenceField } from '../../contract/fields.js';
import { type Database, type Executor, snapshot, transaction } from '../../storage/database.js';
import {
  countedUsers,
  type DirectoryEntry,
  type DirectoryPage,
  type DirectoryWord,
  deleteDirectoryEntry,
  getDirectoryEntry,
  lockDirectory,
  putDirectoryEntry,
  listDirectory as readPage,
} from '../../storage/directories/entries.js';
import { forgetNames, type NamedEntry } from '../../storage/directories/entry-names.js';
import {
  ancestorsOf,
  countsWithParts,
  hasChildren,
  levelsOf,
  parentsOf,
} from '../../storage/directories/parents.js';
import { pauseIndexing, readFreshness } from '../../storage/indexing/index-state.js';
import { queueGroup } from '../../storage/provisioning/target-queue.js';
import type { Caller } from '../caller.js';
import type { ChangeContext } from '../changes/follower.js';
import {
  fingerprintOf,
  invalidCursor,
  type Page,
  type PageRequest,
  readCursor,
  writeCursor,
} from '../cursor.js';
import { foldedSpellings } from '../indexing/fold.js';
import { isIndexedUpTo } from '../indexing/index-next.js';
import { indexUsers } from '../indexing/index-users.js';
import { containsPattern, searchWordsMax } from '../indexing/search-query.js';
import { quoted } from '../read-fields.js';
import { catchingUp } from '../users/matching-users.js';
import { logEdit } from './log-edit.js';

/** How long a caller waits for the indexer. */
const indexingMaxMs = 5_000;

/** How many changes since then are taken into account. If there are more, only the newest: the rest takes too long. */
const countedMax = { allMax: 10_000, newestMax: 1_000 };

/** An entry as callers see it. */
interface EntryView {
  readonly serial: string;
  readonly displayName: string | null;
  readonly parentSerial?: string | null;
  readonly hasParts?: boolean;
  readonly users: UserCounts;
  /** If they were requested: of an organization and everything that is a part of it. */
  readonly usersWithParts?: UserCounts;
  /** If they were requested: what an organization is part of, from the top. */
  readonly parents?: readonly NamedEntry[];
}

interface UserCounts {
  readonly total: number;
  readonly active: number;
  /** False if many users have changed since they were counted. */
  readonly isExact: boolean;
}

export async function getEntry(
  database: Database,
  kind: DirectoryKind,
  serial: string,
): Promise<EntryView | Failure> {
  if (!serialReferenceField.accepts(serial)) return noSuchEntry(kind, serial);
  return snapshot(database, async (tx) => {
    const counts = await freshCounts(tx);
    const entry = await getDirectoryEntry(tx, kind, serial, counts.fresh);
    return entry ? viewOf(kind, entry, counts) : noSuchEntry(kind, serial);
  });
}

export function noSuchEntry(kind: DirectoryKind, serial: string): Failure {
  const noun = kind === 'organizations' ? 'organization' : 'tag';
  return failure(
    'DIRECTORY_ENTRY_NOT_FOUND',
    `No ${noun} in the directory has the serial "${quoted(serial)}".`,
  );
}

export interface DirectoryQuery {
  readonly search?: string | undefined;
  /** Whether the users of all parts are counted, too. */
  readonly includeParts?: boolean | undefined;
  /** Whether each organization comes with those that it is part of. */
  readonly includeParents?: boolean | undefined;
  /** Only the parts of this organization. */
  readonly parentSerial?: string | undefined;
  /** Only organizations that are not part of another one. */
  readonly isTopLevel?: boolean | undefined;
  readonly sort: DirectorySort;
}

export interface DirectoryListContext {
  readonly database: Database;
  readonly nameCollation: string;
}

/** Entries in the order of their serials or names, with current counts. */
export async function listDirectory(
  { database, nameCollation }: DirectoryListContext,
  kind: DirectoryKind,
  query: DirectoryQuery,
  { limit, cursor }: PageRequest,
): Promise<Page<EntryView>> {
  const { search, sort, includeParts, includeParents, parentSerial, isTopLevel } = query;
  const collation = sort === 'name' ? nameCollation : undefined;
  const fingerprint = fingerprintOf(kind, search, collation, parentSerial, isTopLevel);
  const after = cursor === undefined ? undefined : readPosition(readCursor(cursor, fingerprint));
  if (after === null) return invalidCursor();
  const filters = { words: wordsOf(search), parentSerial, isTopLevel };
  const { items, isLast } = await snapshot(database, async (tx) => {
    const counts = await freshCounts(tx);
    const page = { ...filters, collation, fresh: counts.fresh, after, limit: limit + 1 };
    const rows = await readPage(tx, kind, page);
    const isLast = rows.length <= limit;
    let items = rows.slice(0, limit).map((entry) => viewOf(kind, entry, counts));
    if (includeParts) items = await withCountsOfParts(tx, items, counts);
    if (includeParents) items = await withParents(tx, items);
    return { items, isLast };
  });
  const last = items.at(-1);
  const nextCursor = isLast || !last ? null : writeCursor(fingerprint, positionOf(last, sort));
  return { ok: true, items, nextCursor };
}

function positionOf({ serial, displayName }: EntryView, sort: DirectorySort): string[] {
  return sort === 'name' && displayName !== null ? [serial, displayName] : [serial];
}

/** Null for a cursor of another list. */
function readPosition(position: readonly string[] | undefined): DirectoryPage['after'] | null {
  const [serial, displayName = null] = position ?? [];
  return serial === undefined ? null : { serial, displayName };
}

interface EntryFields {
  readonly displayName: string | null;
  readonly parentSerial: string | null;
}

/** How deep organizations can be nested. */
export const levelsMax = 32;

/** Sets what the directory says about a serial, known or not. */
export async function putEntry(
  database: Database,
  kind: DirectoryKind,
  serial: string,
  fields: EntryFields,
  caller: Caller,
): Promise<EntryView | Failure> {
  return transaction(database, async (tx) => {
    if (fields.parentSerial !== null) {
      await lockDirectory(tx, kind);
      const problem = await parentProblem(tx, serial, fields.parentSerial);
      if (problem) return problem;
    }
    if (kind === 'tags') await queueGroup(tx, serial);
    const counts = await freshCounts(tx);
    const before = await getDirectoryEntry(tx, kind, serial, counts.fresh);
    await putDirectoryEntry(tx, kind, serial, { ...fields, foldedName: foldedName(fields.displayName) });
    await logEdit(tx, { directory: kind, serial, before, after: fields }, caller);
    const entry = await getDirectoryEntry(tx, kind, serial, counts.fresh);
    return entry ? viewOf(kind, entry, counts) : noSuchEntry(kind, serial);
  });
}

/** Removes an entry that no user has. A user who gets the serial later brings it back, unless the directory is strict. */
export async function deleteEntry(
  { database, changes }: ChangeContext,
  kind: DirectoryKind,
  serial: string,
  caller: Caller,
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
    await logEdit(tx, { directory: kind, serial, before: entry, after: undefined }, caller);
    return undefined;
  });
}

/** What has to be added to the counts of the indexer. */
interface FreshCounts {
  /** Users changed since they were counted. */
  readonly fresh: readonly string[];
  /** Whether these are all. */
  readonly isExact: boolean;
}

/** Must be read in the same snapshot as the counts. */
export async function freshCounts(tx: Executor): Promise<FreshCounts> {
  const { fresh, isComplete, isBuilding } = await readFreshness(tx, countedMax);
  return { fresh, isExact: isComplete && !isBuilding };
}

function viewOf(
  kind: DirectoryKind,
  { serial, displayName, parentSerial, hasParts, total, active }: DirectoryEntry,
  { isExact }: FreshCounts,
): EntryView {
  const users = { total, active, isExact };
  return kind === 'organizations'
    ? { serial, displayName, parentSerial, hasParts, users }
    : { serial, displayName, users };
}

async function withCountsOfParts(
  tx: Executor,
  items: readonly EntryView[],
  { fresh, isExact }: FreshCounts,
): Promise<EntryView[]> {
  const serials = items.filter(({ hasParts }) => hasParts).map(({ serial }) => serial);
  const counts = await countsWithParts(tx, serials, fresh);
  const bySerial = new Map(counts.map(({ serial, total, active }) => [serial, { total, active, isExact }]));
  return items.map((item) => ({ ...item, usersWithParts: bySerial.get(item.serial) ?? item.users }));
}

async function withParents(tx: Executor, items: readonly EntryView[]): Promise<EntryView[]> {
  const serials = items.filter(({ parentSerial }) => parentSerial !== null).map(({ serial }) => serial);
  const parents = new Map<string, NamedEntry[]>(items.map(({ serial }) => [serial, []]));
  for (const { part, ...parent } of await parentsOf(tx, serials, levelsMax)) parents.get(part)?.push(parent);
  return items.map((item) => ({ ...item, parents: parents.get(item.serial) ?? [] }));
}

/** Serials can consist of anything, so a word is searched as typed, and by its parts as in a search for users. */
function wordsOf(search: string | undefined): DirectoryWord[] {
  const typed = search?.trim().toLowerCase() ?? '';
  return typed === ''
    ? []
    : [...new Set(typed.split(/\s+/))].slice(0, searchWordsMax).map((word) => ({
        typed: containsPattern(word),
        folded: foldedSpellings(word).map((spellings) => spellings.map(containsPattern)),
      }));
}

/** With every spelling of each word, so that a search finds any of them. */
export function foldedName(displayName: string | null): string | null {
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

function hasUsers(count: number): Failure {
  const users = count === 1 ? '1 user has it.' : `${count.toLocaleString('en')} users have it.`;
  return inUse(`${users} Merge it into another one first.`);
}

function inUse(reason: string): Failure {
  return failure('DIRECTORY_ENTRY_IN_USE', reason);
}
