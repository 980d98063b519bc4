import { employeeIdField } from '../../contract/fields.js';
import type { UserView } from '../../contract/users.js';
import { snapshot } from '../../storage/database.js';
import { lookupUsers as readViews } from '../../storage/users/lookup-users.js';
import type { Context } from '../context.js';

/** Some of those who were asked for, in the order in which they were. */
export interface FoundPart {
  readonly users: readonly UserView[];
  readonly notFound: readonly string[];
}

/**
 * People may have 7 KB each. A lookup of 10,000 of those in parts of 1,000 holds up everybody else for 55 ms at a time, in
 * parts of 500 for 43; people of the common size come as quickly either way.
 */
const partItemsMax = 500;

/**
 * Finds everyone who has one of the employee IDs, each once, as they are at one moment. What is found is handed on a part
 * at a time, while the database is at work on the next.
 */
export async function lookupUsers(
  { database, limits }: Context,
  employeeIDs: readonly string[],
  onPart: (part: FoundPart) => Promise<void>,
): Promise<void> {
  const partItems = Math.min(limits.bulkChunkItems, partItemsMax);
  const parts = cut([...new Set(employeeIDs)], partItems);
  const last = await snapshot(database, async (tx) => {
    const read = async (part: readonly string[] = []): Promise<FoundPart> => {
      // No user has an ID that breaks the rule, and PostgreSQL would refuse some of those texts.
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

function inOrder(asked: readonly string[], users: readonly UserView[]): FoundPart {
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
