import { type Database, transaction } from '../../storage/database.js';
import { databaseOutage, OutcomeUnknown } from '../../storage/errors.js';
import { type SingleUpdate, updateEach } from '../../storage/users/update-users.js';
import { Batcher } from '../batcher.js';

/**
 * Writes a change that has no consequences. Returns when, or undefined if it was not written: the user no longer has the
 * version that was read, or is locked by somebody else for long.
 */
export type BatchedUpdate = (update: SingleUpdate) => Promise<Date | undefined>;

const concurrentStatementsMax = 2;
const updatesTogetherMax = 100;
/** A concurrent transaction that locks a user usually ends sooner than this. A slower one should not delay the batch. */
const lockTimeoutMs = 200;

/** Writes concurrent changes of single users in one statement with one commit. */
export function batchedUpdate(database: Database): BatchedUpdate {
  const batcher = new Batcher((batch: readonly SingleUpdate[]) => write(database, batch), {
    concurrency: concurrentStatementsMax,
    batchMax: updatesTogetherMax,
    failsAll: (error) => !(error instanceof OutcomeUnknown) && databaseOutage(error) === 'unavailable',
  });
  return (update) => batcher.add(update);
}

async function write(
  database: Database,
  batch: readonly SingleUpdate[],
): Promise<readonly (Date | undefined)[]> {
  // Of several changes of a user, the first one makes the others outdated.
  const first = new Map(batch.toReversed().map((update) => [update.user.serial, update]));
  try {
    const written = await transaction(database, (tx) => updateEach(tx, [...first.values()], lockTimeoutMs));
    return batch.map((update) =>
      first.get(update.user.serial) === update ? written.get(update.user.serial) : undefined,
    );
  } catch (error) {
    if (error instanceof OutcomeUnknown || databaseOutage(error) === 'unavailable') throw error;
    return batch.map(() => undefined);
  }
}
