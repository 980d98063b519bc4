import { setTimeout as pause } from 'node:timers/promises';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { countChanges, resetChangeCounts } from '../../storage/indexing/change-counts.js';
import { indexInactiveManagers } from '../../storage/indexing/inactive-managers.js';
import { indexInactiveUsers } from '../../storage/indexing/inactive-users.js';
import { indexAttributes } from '../../storage/indexing/index-attributes.js';
import { indexChangedSerials, indexChanges, unindexedChanges } from '../../storage/indexing/index-changes.js';
import { resetListing, usersAfter } from '../../storage/indexing/index-listing.js';
import {
  firstSerial,
  type IndexState,
  lockIndexState,
  readIndexState,
  writeIndexState,
} from '../../storage/indexing/index-state.js';
import { indexFormerNames } from '../../storage/names/former-names.js';
import { indexUsers } from './index-users.js';

/**
 * How many numbers of the log, and how many users, one transaction covers. The embedded database does nothing else
 * meanwhile.
 */
const batchSizes = {
  postgres: { log: 10_000, users: 5_000 },
  embedded: { log: 1_000, users: 500 },
} as const;

interface BatchSizes {
  readonly log: number;
  readonly users: number;
}

type Indexed = 'more' | 'done' | 'busy';

/**
 * Indexes the next batch of changes up to a settled number, and of users who were never indexed. Safe to run on several
 * nodes at once: only one indexes at a time, and the others are told that it is busy.
 */
export function indexNext(
  database: Database,
  settled: number,
  batch: BatchSizes = batchSizes[database.kind],
): Promise<Indexed> {
  return transaction(database, async (tx) => {
    const state = await lockIndexState(tx);
    if (!state) return 'busy';
    const { next, isCaughtUp } = await indexBatch(tx, state, settled, batch);
    if (next !== state) await writeIndexState(tx, next);
    return isCaughtUp ? 'done' : 'more';
  });
}

const whileBusyMs = 20;

/** Indexes all users and changes up to a settled number. Returns false if that takes too long. */
export async function isIndexedUpTo(
  database: Database,
  settled: number,
  timeoutMs: number,
): Promise<boolean> {
  const start = performance.now();
  for (;;) {
    const { position, builtTo, attributesBuiltTo } = await readIndexState(database.pool);
    if (position >= settled && builtTo === undefined && attributesBuiltTo === undefined) return true;
    if (performance.now() - start > timeoutMs) return false;
    if ((await indexNext(database, settled)) === 'busy') await pause(whileBusyMs);
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
  sizes: BatchSizes,
): Promise<IndexedBatch> {
  const log = await indexLog(tx, state, settled, sizes.log);
  if (!log.isFindable) return { next: log.next, isCaughtUp: false };
  const users = await indexNextUsers(tx, log.next, settled, sizes.users, log.renamed);
  return { next: users.next, isCaughtUp: users.isCaughtUp && log.isComplete };
}

async function indexNextUsers(
  tx: Executor,
  state: IndexState,
  settled: number,
  batchSize: number,
  renamed: readonly string[],
): Promise<IndexedBatch> {
  if (state.builtTo === firstSerial) await resetListing(tx);
  const changes = await unindexedChanges(tx, { after: state.position, upTo: settled, limit: batchSize });
  const next = (after: string | undefined) =>
    after === undefined ? undefined : usersAfter(tx, after, batchSize);
  const built = await next(state.builtTo);
  const rebuilt = await next(state.attributesBuiltTo);
  const hasAllChanges = changes.length < batchSize;
  const position = hasAllChanges
    ? Math.max(settled, state.position)
    : (changes.at(-1)?.seq ?? state.position);
  const changed = changes.flatMap(({ userSerial }) => userSerial ?? []);
  const others = [...(built ?? []), ...(rebuilt ?? [])];
  const serials = [...new Set([...changed, ...renamed, ...others])];
  const ofAttributes = changes.flatMap((each) => (each.ofAttributes && each.userSerial) || []);
  const ofManagers = changes.flatMap((each) => (each.ofManagers && each.userSerial) || []);
  const isBuilt = built === undefined && rebuilt === undefined;
  const isUnchanged = position === state.position && isBuilt && serials.length === 0;
  if (isUnchanged) return { next: state, isCaughtUp: true };
  await indexUsers(tx, serials);
  await indexAttributes(tx, [...new Set([...ofAttributes, ...others])]);
  await indexInactiveManagers(tx, [...new Set([...ofManagers, ...(built ?? [])])]);
  if (serials.length > 0) await indexInactiveUsers(tx, serials, { after: state.position, upTo: position });
  // Users who are created meanwhile are in the change log. Waiting until there are none might never end.
  const builtTo = (batch: readonly string[] | undefined) =>
    batch?.length === batchSize ? batch.at(-1) : undefined;
  return {
    next: { ...state, position, builtTo: builtTo(built), attributesBuiltTo: builtTo(rebuilt) },
    isCaughtUp: hasAllChanges && isBuilt,
  };
}

interface IndexedLog {
  /** The same object if there was nothing to do. */
  readonly next: IndexState;
  /** Indexed users whose former names were found only now. */
  readonly renamed: readonly string[];
  /** Whether the changes of users and calls can be found up to the settled number. */
  readonly isFindable: boolean;
  /** Whether names and counts are complete, too. */
  readonly isComplete: boolean;
}

/**
 * Takes the next numbers of the change log: where the changes of each user and call are, which names have ended, and how
 * many changes there were. Reads have to look at every change beyond, so this comes before the users, which take longer.
 */
async function indexLog(
  tx: Executor,
  state: IndexState,
  settled: number,
  batchSize: number,
): Promise<IndexedLog> {
  if (state.countsPosition < 0) await resetChangeCounts(tx);
  const following = (after: number) => ({
    after,
    upTo: Math.max(Math.min(settled, after + batchSize), after),
  });
  const log = following(state.logPosition);
  const names = following(state.namesPosition);
  const counts = following(Math.max(state.countsPosition, 0));
  await indexChanges(tx, log);
  await indexChangedSerials(tx, log);
  await countChanges(tx, counts);
  const ended = await indexFormerNames(tx, names);
  const positions = { logPosition: log.upTo, namesPosition: names.upTo, countsPosition: counts.upTo };
  const isUnchanged = Object.entries(positions).every(
    ([name, position]) => state[name as keyof typeof positions] === position,
  );
  return {
    next: isUnchanged ? state : { ...state, ...positions },
    renamed: ended.flatMap(({ userSerial, seq }) => (seq <= state.position ? [userSerial] : [])),
    isFindable: log.upTo >= settled,
    isComplete: log.upTo >= settled && names.upTo >= settled && counts.upTo >= settled,
  };
}
