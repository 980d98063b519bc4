import type { Database, Executor } from '../../storage/database.js';
import { transaction } from '../../storage/database.js';
import { indexChangedSerials, indexChanges, unindexedChanges } from '../../storage/indexing/index-changes.js';
import { indexListing, resetListing, usersAfter } from '../../storage/indexing/index-listing.js';
import {
  firstSerial,
  type IndexState,
  lockIndexState,
  readIndexState,
  writeIndexState,
} from '../../storage/indexing/index-state.js';
import {
  deleteSearchEntries,
  flushSearchIndex,
  type IndexedFields,
  indexedFields,
  lastSearchableSerial,
  readBuckets,
  readSearchedFields,
  resetSearchIndex,
  type SearchEntry,
  type SearchedFields,
  writeBuckets,
  writeSearchEntries,
} from '../../storage/indexing/search-index.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { bucketOf, bucketTerm, bucketUsersMax, withUsersAdded } from './buckets.js';
import { searchDocument, searchTerms } from './search-document.js';

/** How many users or changes one transaction covers. The embedded database does nothing else meanwhile. */
const batchSizes = { postgres: 2_500, embedded: 250 } as const;

export type Indexed = 'more' | 'done' | 'busy';

/**
 * Indexes the next batch of changes up to a settled number, and of users who were never indexed. Safe to run on several
 * nodes at once: only one indexes at a time, and the others are told that it is busy.
 */
export function indexNext(database: Database, settled: number): Promise<Indexed> {
  return transaction(database, async (tx) => {
    const state = await lockIndexState(tx);
    return state ? indexBatch(tx, state, { settled, batchSize: batchSizes[database.kind] }) : 'busy';
  });
}

/** Indexes all changes up to a settled number. The caller has paused indexing, and the index is built. */
export async function catchUp(tx: Executor, kind: Database['kind'], settled: number): Promise<void> {
  for (;;) {
    const state = await readIndexState(tx);
    if (state.position >= settled) return;
    await indexBatch(tx, state, { settled, batchSize: batchSizes[kind] });
  }
}

async function indexBatch(
  tx: Executor,
  state: IndexState,
  { settled, batchSize }: { settled: number; batchSize: number },
): Promise<'more' | 'done'> {
  if (state.builtTo === firstSerial) {
    await resetListing(tx);
    await resetSearchIndex(tx, bucketUsersMax);
  }
  const changes = await unindexedChanges(tx, { after: state.position, upTo: settled, limit: batchSize });
  const built = state.builtTo === undefined ? undefined : await usersAfter(tx, state.builtTo, batchSize);
  const isCaughtUp = changes.length < batchSize;
  const position = isCaughtUp ? Math.max(settled, state.position) : (changes.at(-1)?.seq ?? state.position);
  if (position === state.position && built === undefined) return 'done';
  const changed = changes.flatMap(({ userSerial }) => userSerial ?? []);
  await indexUsers(tx, [...new Set([...changed, ...(built ?? [])])]);
  const range = { after: state.position, upTo: position };
  await indexChanges(tx, range);
  await indexChangedSerials(tx, range);
  const next: IndexState = { position, builtTo: built?.at(-1) };
  await writeIndexState(tx, next);
  return isCaughtUp && next.builtTo === undefined ? 'done' : 'more';
}

async function indexUsers(tx: Executor, serials: readonly string[]): Promise<void> {
  if (serials.length === 0) return;
  await indexListing(tx, serials);
  await indexForSearch(tx, serials);
}

async function indexForSearch(tx: Executor, serials: readonly string[]): Promise<void> {
  const users = await readSearchedFields(tx, serials);
  const indexed = await indexedFields(tx, serials);
  const found = new Set(users.map(({ serial }) => serial));
  const removed = [...indexed.keys()].filter((serial) => !found.has(serial));
  if (removed.length > 0) await deleteSearchEntries(tx, removed);

  const current = await withWords(users);
  const changed = current.filter((user) => differs(user, indexed.get(user.serial)));
  if (changed.length === 0) return;
  const added = changed.map(({ serial }) => serial).filter((serial) => !indexed.has(serial));
  let buckets = await readBuckets(tx);
  if (added.length > 0) {
    buckets = withUsersAdded(buckets, added, await lastSearchableSerial(tx));
    await writeBuckets(tx, buckets);
  }
  const slice = new TimeSlice();
  const entries: SearchEntry[] = [];
  for (const user of changed) {
    const bucket = bucketOf(buckets, user.serial);
    const terms = searchTerms(user.words).map((term) => bucketTerm(bucket, term));
    entries.push({ ...user, terms });
    if (slice.isOver) await slice.yield();
  }
  await writeSearchEntries(tx, entries);
  await flushSearchIndex(tx);
}

async function withWords(users: readonly SearchedFields[]): Promise<(SearchedFields & IndexedFields)[]> {
  const slice = new TimeSlice();
  const documents: (SearchedFields & IndexedFields)[] = [];
  for (const user of users) {
    documents.push({ ...user, words: searchDocument(user) });
    if (slice.isOver) await slice.yield();
  }
  return documents;
}

function differs(user: IndexedFields, indexed: IndexedFields | undefined): boolean {
  return (
    user.words !== indexed?.words || user.name !== indexed.name || user.employeeID !== indexed.employeeID
  );
}
