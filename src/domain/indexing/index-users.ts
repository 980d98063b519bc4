import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import {
  addToDirectory,
  addToTotals,
  deleteFromListing,
  type ListedFields,
  type ListedUser,
  listedFields,
  writeListing,
} from '../../storage/indexing/index-listing.js';
import type { BlocksState } from '../../storage/indexing/index-state.js';
import {
  deleteSearchEntries,
  flushSearchIndex,
  type IndexedFields,
  indexedFields,
  lastSearchableSerial,
  readBuckets,
  type SearchBucket,
  type SearchEntry,
  writeBuckets,
  writeSearchEntries,
} from '../../storage/indexing/search-index.js';
import { indexedFormerIds } from '../../storage/names/former-names.js';
import { readUsers } from '../../storage/users/read-users.js';
import { allDone } from '../all-done.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { movesOf } from './blocks.js';
import { bucketOf, bucketTerm, withUsersAdded } from './buckets.js';
import { addToBlocks, type WrittenUser } from './index-blocks.js';
import { CountChanges, isListedAs } from './listing-changes.js';
import { searchDocument, searchTerms } from './search-document.js';

/** While the database writes the users of one part, the words of the next are computed. */
const partUsers = 500;

/**
 * Copies what lists and searches need from the users table. The caller has locked the state of the index. Returns how
 * many users were written to the search index.
 */
export async function indexUsers(
  tx: Executor,
  serials: readonly string[],
  blocks: BlocksState | undefined,
): Promise<number> {
  if (serials.length === 0) return 0;
  const counts = new CountChanges();
  const bucketing = new Bucketing(await readBuckets(tx), await lastSearchableSerial(tx));
  const marked: WrittenUser[] = [];
  let searchable = 0;
  let reading = readPart(tx, serials.slice(0, partUsers));
  let writing: Promise<void> = Promise.resolve();
  try {
    for (let end = partUsers; end < serials.length + partUsers; end += partUsers) {
      const part = await reading;
      reading = readPart(tx, serials.slice(end, end + partUsers));
      const listing = listingChanges(part, counts);
      const search = await searchChanges(part, bucketing);
      await writing;
      writing = writePart(tx, listing, search);
      searchable += search.written.length;
      if (blocks) marked.push(...search.written);
    }
  } finally {
    await allDone([reading, writing]);
  }
  if (bucketing.hasAdded) await writeBuckets(tx, bucketing.buckets);
  await writeCounts(tx, counts);
  await flushSearchIndex(tx);
  if (blocks) await addToBlocks(tx, marked, blocks);
  return searchable;
}

/** The same for the listing alone. */
export async function indexListing(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  const counts = new CountChanges();
  const { written, removed } = listingChanges(await readPart(tx, serials), counts);
  await writeListing(tx, written);
  await deleteFromListing(tx, removed);
  await writeCounts(tx, counts);
}

/** Users as they are, and as they are indexed. */
interface Part {
  readonly serials: readonly string[];
  readonly users: ReadonlyMap<string, StoredUser>;
  readonly listed: ReadonlyMap<string, ListedFields>;
  readonly indexed: ReadonlyMap<string, IndexedFields>;
  readonly formerIds: ReadonlyMap<string, readonly string[]>;
}

async function readPart(tx: Executor, serials: readonly string[]): Promise<Part> {
  if (serials.length === 0)
    return { serials, users: new Map(), listed: new Map(), indexed: new Map(), formerIds: new Map() };
  const users = await readUsers(tx, { employeeIDs: [], usernames: [], serials });
  const listed = await listedFields(tx, serials);
  const indexed = await indexedFields(tx, serials);
  // Names are indexed before users. Whoever is renamed meanwhile has another change, and is indexed again.
  const formerIds = await indexedFormerIds(tx, serials);
  return { serials, users: new Map(users.map((user) => [user.serial, user])), listed, indexed, formerIds };
}

interface IndexChanges<T> {
  readonly written: readonly T[];
  readonly removed: readonly string[];
}

function listingChanges({ serials, users, listed }: Part, counts: CountChanges): IndexChanges<ListedUser> {
  const written: ListedUser[] = [];
  const removed: string[] = [];
  for (const serial of serials) {
    const [before, after] = [listed.get(serial), users.get(serial)];
    if (after && isListedAs(before, after)) continue;
    counts.add(before, after);
    if (after) written.push(after);
    else if (before) removed.push(serial);
  }
  return { written, removed };
}

type SearchableUser = SearchEntry & WrittenUser;

async function searchChanges(part: Part, bucketing: Bucketing): Promise<IndexChanges<SearchableUser>> {
  const { serials, users, indexed, formerIds } = part;
  const changed: (StoredUser & IndexedFields)[] = [];
  const slice = new TimeSlice();
  for (const user of users.values()) {
    const words = searchDocument({ ...user, formerEmployeeIDs: formerIds.get(user.serial) ?? [] });
    if (differs({ ...user, words }, indexed.get(user.serial))) changed.push({ ...user, words });
    if (slice.isOver) await slice.yield();
  }
  bucketing.add(changed.map(({ serial }) => serial).filter((serial) => !indexed.has(serial)));
  const written: SearchableUser[] = [];
  for (const user of changed) {
    const { serial, employeeID, name, words } = user;
    const bucket = bucketing.bucketOf(serial);
    const terms = searchTerms(words);
    const bucketTerms = terms.map((term) => bucketTerm(bucket, term));
    written.push({
      serial,
      employeeID,
      name,
      words,
      terms,
      bucketTerms,
      ...movesOf(user, indexed.get(serial)),
    });
    if (slice.isOver) await slice.yield();
  }
  return { written, removed: serials.filter((serial) => indexed.has(serial) && !users.has(serial)) };
}

function differs(user: IndexedFields, indexed: IndexedFields | undefined): boolean {
  return (
    user.words !== indexed?.words || user.name !== indexed.name || user.employeeID !== indexed.employeeID
  );
}

/** Adds users to the buckets of the search index, batch by batch. */
class Bucketing {
  buckets: readonly SearchBucket[];
  hasAdded = false;
  #last: string | undefined;

  constructor(buckets: readonly SearchBucket[], lastIndexed: string | undefined) {
    this.buckets = buckets;
    this.#last = lastIndexed;
  }

  add(serials: readonly string[]): void {
    if (serials.length === 0) return;
    this.hasAdded = true;
    this.buckets = withUsersAdded(this.buckets, serials, this.#last);
    for (const serial of serials) if (serial > (this.#last ?? '')) this.#last = serial;
  }

  bucketOf(serial: string): number {
    return bucketOf(this.buckets, serial);
  }
}

/** The parts have no users in common, so what is read of the next one meanwhile is not affected. */
async function writePart(
  tx: Executor,
  listing: IndexChanges<ListedUser>,
  search: IndexChanges<SearchableUser>,
): Promise<void> {
  await writeListing(tx, listing.written);
  await deleteFromListing(tx, listing.removed);
  await writeSearchEntries(tx, search.written);
  await deleteSearchEntries(tx, search.removed);
}

async function writeCounts(tx: Executor, { organizations, tags, all }: CountChanges): Promise<void> {
  await addToDirectory(tx, 'organizations', organizations);
  await addToDirectory(tx, 'tags', tags);
  await addToTotals(tx, all);
}
