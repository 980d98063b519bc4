import type { Failure } from '../../contract/errors.js';
import { type Executor, snapshot } from '../../storage/database.js';
import type { Context } from '../context.js';
import { freshUsers } from '../users/matching-users.js';

/** Reads in one snapshot, with the users that the indexer has not counted yet. */
export function withFreshUsers<T>(
  { database }: Context,
  read: (tx: Executor, fresh: readonly string[]) => Promise<T>,
): Promise<T | Failure> {
  return snapshot(database, async (tx) => {
    const fresh = await freshUsers(tx);
    return 'error' in fresh ? fresh : read(tx, fresh);
  });
}
