import type { StoredUser } from '../../contract/users.js';
import type { NameHistory } from '../bulk/name-history.js';
import type { Names, TakenNames } from '../names/quarantined-names.js';
import { keyOf } from './plans/name-holders.js';

type NamedUser = Pick<StoredUser, 'serial' | 'employeeID' | 'username'>;

interface Taker {
  /** Absent or null for a new user. */
  readonly before?: NamedUser | null;
  readonly after: NamedUser;
}

/** The names that users get and didn't have before. */
export function namesTakenBy(takers: Iterable<Taker>): TakenNames {
  const taken = { employeeID: new Map<string, string>(), username: new Map<string, string>() };
  for (const { before, after } of takers) {
    if (before?.employeeID !== after.employeeID) taken.employeeID.set(after.employeeID, after.serial);
    if (after.username !== null && (!before || keyOf(before) !== keyOf(after)))
      taken.username.set(keyOf(after), after.serial);
  }
  return taken;
}

const noNames: TakenNames = { employeeID: new Map(), username: new Map() };

interface NamePlan {
  readonly changed: readonly (Taker & { readonly before: NamedUser })[];
  readonly created: readonly { readonly user: NamedUser }[];
  readonly nameHistory: NameHistory;
}

/**
 * Those of the free names that the plan gives to users, including those that they only have in between. A name that a
 * user had at the beginning is not free: nobody else can get it, and its user can have it back.
 */
export function freeNamesTaken(
  { changed, created, nameHistory }: NamePlan,
  { employeeIDs, usernames }: Names,
): TakenNames {
  if (employeeIDs.length + usernames.length === 0) return noNames;
  const final = namesTakenBy([...changed, ...created.map(({ user }) => ({ after: user }))]);
  const { employeeIdTakes, usernameTakes } = nameHistory;
  return {
    employeeID: among(employeeIDs, (name) => final.employeeID.get(name) ?? employeeIdTakes.get(name)?.serial),
    username: among(usernames, (name) => final.username.get(name) ?? usernameTakes.get(name)?.serial),
  };
}

function among(names: readonly string[], takerOf: (name: string) => string | undefined): Map<string, string> {
  const taken = new Map<string, string>();
  for (const name of names) {
    const taker = takerOf(name);
    if (taker !== undefined) taken.set(name, taker);
  }
  return taken;
}
