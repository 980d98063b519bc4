import type { Database, Executor } from '../../storage/database.js';
import { transaction } from '../../storage/database.js';
import { countChanges, resetChangeCounts } from '../../storage/indexing/change-counts.js';
import { indexInactiveUsers } from '../../storage/indexing/inactive-users.js';
import { indexChangedSerials, indexChanges, unindexedChanges } from '../../storage/indexing/index-changes.js';
import { indexListing, resetListing, usersAfter } from '../../storage/indexing/index-listing.js';
import {
  type BlocksState,
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
import { indexFormerNames } from '../../storage/names/former-names.js';
import { TimeSlice } from '../yield-to-event-loop.js';
import { afterWrites, blockSizes, movesOf } from './blocks.js';
import { bucketOf, bucketTerm, bucketUsersMax, withUsersAdded } from './buckets.js';
import { addToBlocks, improveBlocks, type WrittenUser } from './index-blocks.js';
import { searchDocument, searchTerms } from './search-document.js';

/** How many users or changes one transaction covers. The embedded database does nothing else meanwhile. */
const batchSizes = { postgres: 2_500, embedded: 250 } as const;

/** How many numbers of the change log are searched for renames, or counted, at once. */
const logBatchSize = 5_000;

export type Indexed = 'more' | 'done' | 'busy';

/**
 * Indexes the next batch of changes up to a settled number, and of users who were never indexed. Once there is nothing
 * left to index, improves the blocks step by step. Safe to run on several nodes at once: only one indexes at a time, and
 * the others are told that it is busy.
 */
export function indexNext(database: Database, settled: number, sizes = blockSizes): Promise<Indexed> {
  return transaction(database, async (tx) => {
    const state = await lockIndexState(tx);
    if (!state) return 'busy';
    const { next, isCaughtUp } = await indexBatch(tx, state, settled, batchSizes[database.kind]);
    const improved = isCaughtUp ? await improveBlocks(tx, next, sizes) : undefined;
    const written = improved ?? next;
    if (written !== state) await writeIndexState(tx, written);
    return isCaughtUp && improved === undefined ? 'done' : 'more';
  });
}

/** Indexes all changes up to a settled number. The caller has paused indexing, and the index is built. */
export async function catchUp(tx: Executor, kind: Database['kind'], settled: number): Promise<void> {
  for (;;) {
    const state = await readIndexState(tx);
    if (state.position >= settled) return;
    const { next } = await indexBatch(tx, state, settled, batchSizes[kind]);
    await writeIndexState(tx, next);
  }
}

interface IndexedBatch {
  /** The same object if there was nothing to index. */
  readonly next: IndexState;
  /** Whether all users and changes are indexed. */
  readonly isCaughtUp: boolean;
}

async function indexBatch(
  tx: Executor,
  state: IndexState,
  settled: number,
  batchSize: number,
): Promise<IndexedBatch> {
  if (state.builtTo === firstSerial) {
    await resetListing(tx);
    await resetSearchIndex(tx, bucketUsersMax);
  }
  if (state.countsPosition < 0) await resetChangeCounts(tx);
  const changes = await unindexedChanges(tx, { after: state.position, upTo: settled, limit: batchSize });
  const built = state.builtTo === undefined ? undefined : await usersAfter(tx, state.builtTo, batchSize);
  const hasAllChanges = changes.length < batchSize;
  const position = hasAllChanges
    ? Math.max(settled, state.position)
    : (changes.at(-1)?.seq ?? state.position);
  const namesPosition = Math.min(position, state.namesPosition + logBatchSize);
  const countedTo = Math.max(state.countsPosition, 0);
  const countsPosition = Math.min(position, countedTo + logBatchSize);
  const isUnchanged =
    position === state.position &&
    namesPosition === state.namesPosition &&
    countsPosition === state.countsPosition;
  if (isUnchanged && built === undefined) return { next: state, isCaughtUp: true };
  const changed = changes.flatMap(({ userSerial }) => userSerial ?? []);
  // Users who are indexed for the first time are divided into blocks when all of them are.
  const blocks = built ? undefined : state.blocks;
  const renamed = await indexFormerNames(tx, { after: state.namesPosition, upTo: namesPosition });
  const serials = [...new Set([...changed, ...renamed, ...(built ?? [])])];
  const written = await indexUsers(tx, serials, blocks);
  const range = { after: state.position, upTo: position };
  if (serials.length > 0) await indexInactiveUsers(tx, serials, range);
  await indexChanges(tx, range);
  await indexChangedSerials(tx, range);
  await countChanges(tx, { after: countedTo, upTo: countsPosition });
  return {
    next: {
      ...state,
      ...{ position, namesPosition, countsPosition },
      // Users who are created meanwhile are in the change log. Waiting until there are none might never end.
      builtTo: built && built.length === batchSize ? built.at(-1) : undefined,
      blocks: blocks && afterWrites(blocks, written),
    },
    isCaughtUp:
      hasAllChanges && built === undefined && namesPosition === position && countsPosition === position,
  };
}

/** Returns how many users were written to the search index. */
async function indexUsers(
  tx: Executor,
  serials: readonly string[],
  blocks: BlocksState | undefined,
): Promise<number> {
  if (serials.length === 0) return 0;
  await indexListing(tx, serials);
  return indexForSearch(tx, serials, blocks);
}

async function indexForSearch(
  tx: Executor,
  serials: readonly string[],
  blocks: BlocksState | undefined,
): Promise<number> {
  const users = await readSearchedFields(tx, serials);
  const indexed = await indexedFields(tx, serials);
  const found = new Set(users.map(({ serial }) => serial));
  const removed = [...indexed.keys()].filter((serial) => !found.has(serial));
  if (removed.length > 0) await deleteSearchEntries(tx, removed);

  const current = await withWords(users);
  const changed = current.filter((user) => differs(user, indexed.get(user.serial)));
  if (changed.length === 0) return 0;
  const added = changed.map(({ serial }) => serial).filter((serial) => !indexed.has(serial));
  let buckets = await readBuckets(tx);
  if (added.length > 0) {
    buckets = withUsersAdded(buckets, added, await lastSearchableSerial(tx));
    await writeBuckets(tx, buckets);
  }
  const slice = new TimeSlice();
  const entries: SearchEntry[] = [];
  const written: WrittenUser[] = [];
  for (const user of changed) {
    const bucket = bucketOf(buckets, user.serial);
    const terms = searchTerms(user.words);
    entries.push({ ...user, terms: terms.map((term) => bucketTerm(bucket, term)) });
    if (blocks) written.push({ ...user, terms, ...movesOf(user, indexed.get(user.serial)) });
    if (slice.isOver) await slice.yield();
  }
  await writeSearchEntries(tx, entries);
  await flushSearchIndex(tx);
  if (blocks) await addToBlocks(tx, written, blocks);
  return changed.length;
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
