import type { Limits } from '../../contract/limits.js';
import { autocommit, type Database } from '../../storage/database.js';
import { databaseOutage, OutcomeUnknown, violatedConstraint } from '../../storage/errors.js';
import { type Creation, insertCreation, insertCreations } from '../../storage/users/creations.js';
import { Batcher } from '../batcher.js';

/** Creates the user. Returns false if a name is taken. */
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
): BatchedCreate {
  const batcher = new Batcher((batch: readonly Creation[]) => create(database, batch), {
    concurrency: createsTogetherMax === 1 ? Number.POSITIVE_INFINITY : concurrentStatementsMax,
    batchMax: createsTogetherMax,
    // If this batch gets no connection, neither do the queued ones. Fail them now instead of letting each wait for its
    // own timeout.
    failsAll: (error) => !(error instanceof OutcomeUnknown) && databaseOutage(error) === 'unavailable',
  });
  return async (creation) => {
    const outcome = await batcher.add(creation);
    // A single create can fail the whole batch, so each is retried alone to get its own outcome.
    return outcome === 'alone' ? createAlone(database, creation) : outcome;
  };
}

type Outcome = boolean | 'alone';

async function create(database: Database, batch: readonly Creation[]): Promise<readonly Outcome[]> {
  const [first] = batch;
  try {
    if (first && batch.length === 1) return [await createAlone(database, first, lockTimeoutMs)];
    const created = await autocommit(database, (executor) => insertCreations(executor, batch, lockTimeoutMs));
    return batch.map(({ user }) => created.has(user.serial));
  } catch (error) {
    if (error instanceof OutcomeUnknown || databaseOutage(error) === 'unavailable') throw error;
    return batch.map(() => 'alone');
  }
}

async function createAlone(database: Database, creation: Creation, lockTimeoutMs?: number): Promise<boolean> {
  try {
    await autocommit(database, (executor) => insertCreation(executor, creation, lockTimeoutMs));
    return true;
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return false;
  }
}
