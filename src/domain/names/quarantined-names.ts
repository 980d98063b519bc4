import { type StoredUser, usernameKey } from '../../contract/users.js';
import type { Database, Executor } from '../../storage/database.js';
import { lastReleases } from '../../storage/names/quarantined-names.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { namesProblem } from './holders-then.js';
import {
  isOff,
  type LastHolder,
  type NameField,
  noQuarantine,
  type Quarantine,
  type QuarantineDays,
} from './quarantine.js';

export interface QuarantineSettings {
  readonly quarantineDays: QuarantineDays;
}

export interface QuarantineContext extends QuarantineSettings {
  readonly database: Database;
}

/** Usernames in the form used for comparison. */
export interface Names {
  readonly employeeIDs: readonly string[];
  readonly usernames: readonly string[];
}

/** Which of these names are kept for whoever had them last. Costs nothing if the quarantine is off. */
export async function quarantineOf(
  { quarantineDays: days }: QuarantineSettings,
  executor: Executor,
  { employeeIDs, usernames }: Names,
): Promise<Quarantine> {
  if (isOff(days)) return noQuarantine;
  // The indexer takes a moment to catch up with a large call, so the work is retried like any that lost a race.
  if (await namesProblem(executor)) throw new PlanOutdated();
  return {
    days,
    released: {
      employeeID: await lastHolders(executor, 'employeeID', employeeIDs, days.employeeID),
      username: await lastHolders(executor, 'username', usernames, days.username),
    },
    now: new Date(),
  };
}

async function lastHolders(
  executor: Executor,
  kind: NameField,
  names: readonly string[],
  days: number,
): Promise<Map<string, LastHolder>> {
  const releases = await lastReleases(executor, kind, names, days);
  return new Map(releases.map(({ name, userSerial, at }) => [name, { serial: userSerial, releasedAt: at }]));
}

/**
 * Those of the names that may be quarantined, because none of these users has them. A name that one of them has is
 * theirs, whoever had it before. None if the quarantine is off.
 */
export function freeNames(
  { quarantineDays }: QuarantineSettings,
  { employeeIDs, usernames }: Names,
  users: readonly StoredUser[],
): Names {
  if (isOff(quarantineDays)) return { employeeIDs: [], usernames: [] };
  const heldIds = new Set(users.map(({ employeeID }) => employeeID));
  const heldUsernames = new Set(users.map(({ username }) => username && usernameKey(username)));
  return {
    employeeIDs: employeeIDs.filter((name) => !heldIds.has(name)),
    usernames: usernames.filter((name) => !heldUsernames.has(name)),
  };
}

/** The serials of users who have taken names that nobody had before. */
export type TakenNames = Readonly<Record<NameField, ReadonlyMap<string, string>>>;

/**
 * Checks in a new snapshot that names are not quarantined, once they are written: from then on, the unique indexes keep
 * everyone else from taking and releasing them. Someone may have done so between the plan and the write.
 */
export async function checkQuarantine(
  settings: QuarantineSettings,
  tx: Executor,
  taken: TakenNames,
): Promise<void> {
  if (isOff(settings.quarantineDays)) return;
  const names = { employeeIDs: [...taken.employeeID.keys()], usernames: [...taken.username.keys()] };
  if (names.employeeIDs.length + names.usernames.length === 0) return;
  const { released } = await quarantineOf(settings, tx, names);
  for (const field of ['employeeID', 'username'] as const) {
    for (const [name, { serial }] of released[field])
      if (serial !== taken[field].get(name)) throw new PlanOutdated();
  }
}
