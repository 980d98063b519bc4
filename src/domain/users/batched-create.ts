import type { Limits } from '../../contract/limits.js';
import { autocommit, type Database } from '../../storage/database.js';
import { databaseOutage, OutcomeUnknown, violatedConstraint } from '../../storage/errors.js';
import { type Creation, insertCreation, insertCreations } from '../../storage/users/creations.js';
import { Batcher } from '../batcher.js';

/** Creates the user unless a name is taken: false. */
export type BatchedCreate = (creation: Creation) => Promise<boolean>;

/** While two statements run, what comes next has time to gather; more of them would only make it smaller. */
const statementsAtOnce = 2;

/** A name that is just being given away is settled sooner than this, or by somebody who takes their time. */
const patienceMs = 200;

/** Creates that come at the same time are written together: one statement, one commit for all of them. */
export function batchedCreate(
  database: Database,
  { createsTogetherMax }: Pick<Limits, 'createsTogetherMax'>,
): BatchedCreate {
  const together = new Batcher((batch: readonly Creation[]) => create(database, batch), {
    concurrency: createsTogetherMax === 1 ? Number.POSITIVE_INFINITY : statementsAtOnce,
    batchMax: createsTogetherMax,
    // Without a connection for these there is none for those behind them, who would wait for one in vain and in turn.
    failsAll: (error) => !(error instanceof OutcomeUnknown) && databaseOutage(error) === 'away',
  });
  return async (creation) => {
    const outcome = await together.add(creation);
    // Whatever stopped them together is some one's matter: each is tried alone, and learns what it comes to.
    return outcome === 'alone' ? createAlone(database, creation) : outcome;
  };
}

type Outcome = boolean | 'alone';

async function create(database: Database, batch: readonly Creation[]): Promise<readonly Outcome[]> {
  const [first] = batch;
  try {
    if (first && batch.length === 1) return [await createAlone(database, first, patienceMs)];
    const created = await autocommit(database, (executor) => insertCreations(executor, batch, patienceMs));
    return batch.map(({ user }) => created.has(user.serial));
  } catch (error) {
    if (error instanceof OutcomeUnknown || databaseOutage(error) === 'away') throw error;
    return batch.map(() => 'alone');
  }
}

async function createAlone(database: Database, creation: Creation, patienceMs?: number): Promise<boolean> {
  try {
    await autocommit(database, (executor) => insertCreation(executor, creation, patienceMs));
    return true;
  } catch (error) {
    if (violatedConstraint(error) === undefined) throw error;
    return false;
  }
}
