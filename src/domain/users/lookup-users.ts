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
  onPart: (part: LookupBatch) => Promise<void>,
): Promise<void> {
  const partItems = Math.min(limits.bulkChunkItems, batchItemsMax);
  const parts = cut([...new Set(employeeIDs)], partItems);
  const last = await snapshot(database, async (tx) => {
    const read = async (part: readonly string[] = []): Promise<LookupBatch> => {
      // No user has an invalid ID, and PostgreSQL rejects some of those strings.
      const possible = part.filter(employeeIdField.accepts);
      return inOrder(part, possible.length === 0 ? [] : await readViews(tx, possible));
    };
    let found = await read(parts[0]);
    for (const next of parts.slice(1)) {
      [found] = await Promise.all([read(next), onPart(found)]);
    }
    return found;
  });
  await onPart(last);
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
  return Array.from({ length: Math.ceil(list.length / length) }, (_, part) =>
    list.slice(part * length, (part + 1) * length),
  );
}
