import { employeeIdField } from '../../contract/fields.js';
import type { UserView } from '../../contract/users.js';
import { snapshot } from '../../storage/database.js';
import { lookupUsers as readViews } from '../../storage/users/lookup-users.js';
import type { Context } from '../context.js';

/** Some of the requested users, in the order requested. */
export interface LookupBatch {
  readonly users: readonly UserView[];
  readonly notFound: readonly string[];
}

/**
 * A user can take up to 7 KB. A lookup of 10,000 such users blocks the event loop for 55 ms at a time in batches of
 * 1,000, and for 43 ms in batches of 500. For users of typical size, both are equally fast.
 */
const batchItemsMax = 500;

/**
 * Finds the users with these employee IDs, each once, in one snapshot. Each batch is handed on while the database reads
 * the next.
 */
export async function lookupUsers(
  { database, limits }: Context,
  employeeIDs: readonly string[],
  onBatch: (batch: LookupBatch) => Promise<void>,
): Promise<void> {
  const batchItems = Math.min(limits.bulkChunkItems, batchItemsMax);
  const batches = cut([...new Set(employeeIDs)], batchItems);
  const last = await snapshot(database, async (tx) => {
    const read = async (batch: readonly string[] = []): Promise<LookupBatch> => {
      // No user has an invalid ID, and PostgreSQL rejects some of those strings.
      const possible = batch.filter(employeeIdField.accepts);
      return inOrder(batch, possible.length === 0 ? [] : await readViews(tx, possible));
    };
    let found = await read(batches[0]);
    for (const next of batches.slice(1)) {
      [found] = await Promise.all([read(next), onBatch(found)]);
    }
    return found;
  });
  await onBatch(last);
}

function inOrder(asked: readonly string[], users: readonly UserView[]): LookupBatch {
  const byEmployeeId = new Map(users.map((user) => [user.employeeID, user]));
  const inPlace = asked.map((employeeID) => byEmployeeId.get(employeeID));
  return {
    users: inPlace.filter((user) => user !== undefined),
    notFound: asked.filter((_, place) => inPlace[place] === undefined),
  };
}

function cut<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, batch) =>
    list.slice(batch * length, (batch + 1) * length),
  );
}
