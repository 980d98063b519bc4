import type { Failure } from '../../contract/errors.js';
import { employeeIdField } from '../../contract/fields.js';
import type { UserView } from '../../contract/users.js';
import { type Executor, snapshot } from '../../storage/database.js';
import { formerHoldersAt } from '../../storage/names/former-names.js';
import { lookupUsers as readViews } from '../../storage/users/lookup-users.js';
import type { LimitedDatabase } from '../database.js';
import { holdersThen } from '../names/holders-then.js';

/** With as-of addressing, also the employee ID that was looked up, because the user may have another one by now. */
export interface FoundUser extends UserView {
  readonly employeeIDAsOf?: string;
}

/** Some of the requested users, in the order requested. */
export interface LookupBatch {
  readonly users: readonly FoundUser[];
  readonly notFound: readonly string[];
  /** Employee IDs that meant another user at the time in `changedSince`. */
  readonly reassigned: readonly string[];
}

export interface LookupTimes {
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf: string | undefined;
  /** Find out which of the employee IDs meant somebody else at this time. */
  readonly changedSince: string | undefined;
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
  { database, limits }: LimitedDatabase,
  employeeIDs: readonly string[],
  { asOf, changedSince }: LookupTimes,
  onBatch: (batch: LookupBatch) => Promise<void>,
): Promise<Failure | undefined> {
  const batchItems = Math.min(limits.bulkChunkItems, batchItemsMax);
  const batches = cut([...new Set(employeeIDs)], batchItems);
  const last = await snapshot(database, async (tx) => {
    const read = async (batch: readonly string[] = []): Promise<LookupBatch | Failure> => {
      // No user has an invalid ID, and PostgreSQL rejects some of those strings.
      const possible = batch.filter(employeeIdField.accepts);
      if (possible.length === 0) return inOrder(batch, new Map());
      if (asOf !== undefined) return readThen(tx, batch, possible, asOf);
      const users = await readViews(tx, 'employee_id', possible);
      const found = inOrder(batch, new Map(users.map((user) => [user.employeeID, user])));
      return changedSince === undefined
        ? found
        : { ...found, reassigned: await reassignedSince(tx, possible, users, changedSince) };
    };
    let found = await read(batches[0]);
    for (const next of batches.slice(1)) {
      if ('error' in found) return found;
      [found] = await Promise.all([read(next), onBatch(found)]);
    }
    return found;
  });
  if ('error' in last) return last;
  await onBatch(last);
  return undefined;
}

async function readThen(
  tx: Executor,
  asked: readonly string[],
  possible: readonly string[],
  asOf: string,
): Promise<LookupBatch | Failure> {
  const holders = await holdersThen(tx, possible, asOf);
  if ('error' in holders) return holders;
  const users = await readViews(tx, 'serial', [...new Set(holders.values())]);
  const bySerial = new Map(users.map((user) => [user.serial, user]));
  const byEmployeeId = new Map<string, FoundUser>();
  for (const [employeeIDAsOf, serial] of holders) {
    const user = bySerial.get(serial);
    if (user) byEmployeeId.set(employeeIDAsOf, { ...user, employeeIDAsOf });
  }
  return inOrder(asked, byEmployeeId);
}

/** The employee IDs that another user had at a time, and has given up since. */
async function reassignedSince(
  tx: Executor,
  employeeIDs: readonly string[],
  users: readonly UserView[],
  time: string,
): Promise<string[]> {
  const holders = new Map(users.map(({ employeeID, serial }) => [employeeID, serial]));
  const former = await formerHoldersAt(tx, 'employeeID', employeeIDs, time);
  const changed = former.flatMap(({ name, userSerial }) =>
    name !== null && holders.get(name) !== userSerial ? [name] : [],
  );
  return [...new Set(changed)];
}

function inOrder(asked: readonly string[], byEmployeeId: ReadonlyMap<string, FoundUser>): LookupBatch {
  const inPlace = asked.map((employeeID) => byEmployeeId.get(employeeID));
  return {
    users: inPlace.filter((user) => user !== undefined),
    notFound: asked.filter((_, place) => inPlace[place] === undefined),
    reassigned: [],
  };
}

function cut<T>(list: readonly T[], length: number): T[][] {
  return Array.from({ length: Math.ceil(list.length / length) }, (_, batch) =>
    list.slice(batch * length, (batch + 1) * length),
  );
}
