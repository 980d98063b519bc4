import type { Limits } from '../../contract/limits.js';
import { autocommit, type Database, type Executor, transaction } from '../../storage/database.js';
import { databaseOutage, OutcomeUnknown, violatedConstraint } from '../../storage/errors.js';
import { type Creation, insertCreation, insertCreations } from '../../storage/users/insert-users.js';
import { Batcher } from '../batcher.js';
import { isOff, noQuarantine, type QuarantineDays } from '../names/quarantine.js';
import { checkQuarantine } from '../names/quarantined-names.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { namesTakenBy } from './taken-names.js';

/** Creates the user. Returns false if a name is taken or quarantined. */
export type BatchedCreate = (creation: Creation) => Promise<boolean>;

/** While two statements run, the next creates queue up. More concurrency would only make the batches smaller. */
const concurrentStatementsMax = 2;

/**
 * A concurrent transaction that holds a name usually ends sooner than this. A slower one should not delay the batch.
 */
const lockTimeoutMs = 200;

/** Writes concurrent creates in one statement with one commit. */
export function batchedCreate(
  database: Database,
  { createsTogetherMax }: Pick<Limits, 'createsTogetherMax'>,
  quarantineDays: QuarantineDays = noQuarantine.days,
): BatchedCreate {
  const target = { database, quarantineDays };
  const batcher = new Batcher((batch: readonly Creation[]) => create(target, batch), {
    concurrency: createsTogetherMax === 1 ? Number.POSITIVE_INFINITY : concurrentStatementsMax,
    batchMax: createsTogetherMax,
    // If this batch gets no connection, neither do the queued ones. Fail them now instead of letting each wait for its
    // own timeout.
    failsAll: (error) => !(error instanceof OutcomeUnknown) && databaseOutage(error) === 'unavailable',
  });
  return async (creation) => {
    const outcome = await batcher.add(creation);
    // A single create can fail the whole batch, so each is retried alone to get its own outcome.
    return outcome === 'alone' ? createAlone(target, creation) : outcome;
  };
}

interface Target {
  readonly database: Database;
  readonly quarantineDays: QuarantineDays;
}

type Outcome = boolean | 'alone';

async function create(target: Target, batch: readonly Creation[]): Promise<readonly Outcome[]> {
  const [first] = batch;
  try {
    if (first && batch.length === 1) return [await createAlone(target, first, lockTimeoutMs)];
    const created = await inserted(target, batch, (executor) =>
      insertCreations(executor, batch, lockTimeoutMs),
    );
    return batch.map(({ user }) => created.has(user.serial));
  } catch (error) {
    if (error instanceof OutcomeUnknown || databaseOutage(error) === 'unavailable') throw error;
    return batch.map(() => 'alone');
  }
}

async function createAlone(target: Target, creation: Creation, lockTimeoutMs?: number): Promise<boolean> {
  try {
    await inserted(target, [creation], async (executor) => {
      await insertCreation(executor, creation, lockTimeoutMs);
      return new Set([creation.user.serial]);
    });
    return true;
  } catch (error) {
    if (!(error instanceof PlanOutdated) && violatedConstraint(error) === undefined) throw error;
    return false;
  }
}

/** One statement that commits by itself, unless the names have to be checked once they are written. */
function inserted(
  { database, quarantineDays }: Target,
  batch: readonly Creation[],
  insert: (executor: Executor) => Promise<Set<string>>,
): Promise<Set<string>> {
  if (isOff(quarantineDays)) return autocommit(database, insert);
  return transaction(database, async (tx) => {
    const serials = await insert(tx);
    const created = batch.flatMap(({ user }) => (serials.has(user.serial) ? [{ after: user }] : []));
    await checkQuarantine({ quarantineDays }, tx, namesTakenBy(created));
    return serials;
  });
}
