import type { StoredUser } from '../../contract/users.js';
import { isObject, own } from '../../scim/language/json.js';
import { parseStoredData } from '../../scim/stored-data.js';
import type { Executor } from '../../storage/database.js';
import { formerNamesOf } from '../../storage/erasure/erased-users.js';
import { loggedUsers } from '../../storage/erasure/logged-values.js';

/** A user who is to be erased, with what finds their data. */
export interface UserToErase {
  readonly serial: string;
  readonly version: number;
  /** Every employee ID and username they ever had. */
  readonly names: readonly string[];
  /** How identity providers may call them: sign-in names, external IDs and addresses. */
  readonly identifiers: readonly string[];
  /** The bulk calls that changed them. */
  readonly callIds: readonly string[];
}

/** Those who exist, and those who were removed but are still on record. */
export async function usersOnRecord(
  executor: Executor,
  serials: readonly string[],
  stored: readonly StoredUser[],
): Promise<ReadonlyMap<string, UserToErase>> {
  const logged = await loggedUsers(executor, serials);
  const users = new Map(logged.map((user) => [user.serial, { ...user, names: new Set(user.names) }]));
  const add = (serial: string, version: number, names: readonly string[]) => {
    const known = users.get(serial) ?? { serial, version: 0, names: new Set(), callIds: [] };
    for (const name of names) known.names.add(name);
    users.set(serial, { ...known, version: Math.max(known.version, version) });
  };
  const identifiers = new Map(stored.map((user) => [user.serial, identifiersOf(user)]));
  for (const { serial, name } of await formerNamesOf(executor, serials)) add(serial, 0, [name]);
  for (const { serial, version, employeeID, username } of stored) {
    add(serial, version, username === null ? [employeeID] : [employeeID, username]);
  }
  return new Map(
    [...users].map(([serial, user]) => [
      serial,
      { ...user, names: [...user.names], identifiers: identifiers.get(serial) ?? [] },
    ]),
  );
}

function identifiersOf({ signInName, email, scim }: StoredUser): string[] {
  const { userName, externalIds = {}, core = {} } = parseStoredData(scim);
  const emails = Array.isArray(core.emails) ? core.emails : [];
  const addresses = emails.map((each) => (isObject(each) ? own(each, 'value') : undefined));
  const all: unknown[] = [signInName, email, userName, ...Object.values(externalIds), ...addresses];
  return all.filter((each): each is string => typeof each === 'string' && each !== '');
}
