import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { formerNamesOf } from '../../storage/erasure/erased-users.js';
import { loggedUsers } from '../../storage/erasure/logged-values.js';

/** A user who is to be erased, with what finds their data. */
export interface Person {
  readonly serial: string;
  readonly version: number;
  /** Every employee ID and username they ever had. */
  readonly names: readonly string[];
  /** The bulk calls that changed them. */
  readonly callIds: readonly string[];
}

/** Those who exist, and those who were removed but are still on record. */
export async function peopleKnown(
  executor: Executor,
  serials: readonly string[],
  stored: readonly StoredUser[],
): Promise<ReadonlyMap<string, Person>> {
  const logged = await loggedUsers(executor, serials);
  const people = new Map(
    logged.map((person) => [person.serial, { ...person, names: new Set(person.names) }]),
  );
  const add = (serial: string, version: number, names: readonly string[]) => {
    const known = people.get(serial) ?? { serial, version: 0, names: new Set(), callIds: [] };
    for (const name of names) known.names.add(name);
    people.set(serial, { ...known, version: Math.max(known.version, version) });
  };
  for (const { serial, name } of await formerNamesOf(executor, serials)) add(serial, 0, [name]);
  for (const { serial, version, employeeID, username } of stored) {
    add(serial, version, username === null ? [employeeID] : [employeeID, username]);
  }
  return new Map([...people].map(([serial, person]) => [serial, { ...person, names: [...person.names] }]));
}
