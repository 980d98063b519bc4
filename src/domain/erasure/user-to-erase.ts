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
  /** What else identity providers have ever called them: sign-in names, external IDs and addresses. */
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
    const known = users.get(serial) ?? { ...neverLogged, serial, names: new Set() };
    for (const name of names) known.names.add(name);
    users.set(serial, { ...known, version: Math.max(known.version, version) });
  };
  for (const { serial, name } of await formerNamesOf(executor, serials)) add(serial, 0, [name]);
  for (const { serial, version, employeeID, username } of stored) {
    add(serial, version, username === null ? [employeeID] : [employeeID, username]);
  }
  const current = new Map(stored.map((user) => [user.serial, user]));
  return new Map(
    [...users].map(([serial, { addresses, provisioned, version, names, callIds }]) => {
      const { signInName = null, email = null, scim = null } = current.get(serial) ?? {};
      const texts = [signInName, email, ...addresses, ...[scim, ...provisioned].flatMap(namesGivenIn)];
      const identifiers = texts.filter((each): each is string => typeof each === 'string' && each !== '');
      return [
        serial,
        { serial, version, callIds, names: [...names], identifiers: [...new Set(identifiers)] },
      ];
    }),
  );
}

/** Whatever may stand for these users. */
export function textsMeaning(users: Iterable<UserToErase>): string[] {
  return [...users].flatMap(({ serial, names, identifiers }) => [serial, ...names, ...identifiers]);
}

const neverLogged = { version: 0, addresses: [], provisioned: [], callIds: [] };

/** What providers call a user in the data that they have sent. */
function namesGivenIn(stored: string | null): unknown[] {
  const { userName, externalIds = {}, core = {} } = parseStoredData(stored);
  const emails = Array.isArray(core.emails) ? core.emails : [];
  const addresses = emails.map((each) => (isObject(each) ? own(each, 'value') : undefined));
  return [userName, ...Object.values(externalIds), ...addresses];
}
