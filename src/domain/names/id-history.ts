import type { Failure } from '../../contract/errors.js';
import { employeeIdField } from '../../contract/fields.js';
import { type Database, type Executor, snapshot } from '../../storage/database.js';
import { formerHoldersOf, getUserByEmployeeId, namesEndedSince } from '../../storage/names/former-names.js';
import { lastReleases } from '../../storage/names/quarantined-names.js';
import { getUser } from '../../storage/users/read-users.js';
import { missingUser } from '../missing-user.js';
import { quoted } from '../read-fields.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { namesProblem } from './holders-then.js';
import { quarantineEnd } from './quarantine.js';
import type { QuarantineContext } from './quarantined-names.js';
import { neverHeld } from './release-name.js';

/** Who has an employee ID, and who had it before. */
interface EmployeeIdHistory {
  readonly employeeID: string;
  readonly holder: { readonly serial: string; readonly name: string; readonly since: string } | null;
  /** Newest first. */
  readonly formerHolders: readonly FormerHolder[];
  /** Until then, only the last holder can have it again. */
  readonly quarantinedUntil: string | null;
}

interface FormerHolder {
  readonly serial: string;
  readonly since: string;
  readonly until: string;
  /** The employee ID that replaced it; null if the user was removed. */
  readonly newEmployeeID: string | null;
}

const beginning = '0001-01-01T00:00:00Z';

export function employeeIdHistory(
  { database, quarantineDays }: QuarantineContext,
  employeeID: string,
): Promise<EmployeeIdHistory | Failure> {
  if (!employeeIdField.accepts(employeeID))
    return Promise.resolve(neverHeld('employeeID', quoted(employeeID)));
  return snapshot(database, async (tx) => {
    const problem = await namesProblem(tx);
    if (problem) return problem;
    const former = await formerHoldersOf(tx, 'employeeID', [employeeID]);
    const holder = await getUserByEmployeeId(tx, employeeID);
    const quarantineEndsAt = holder
      ? null
      : await quarantinedUntil(tx, employeeID, quarantineDays.employeeID);
    // An erased user's ID may be quarantined, although nothing tells whose it was.
    if (!holder && former.length === 0 && quarantineEndsAt === null)
      return neverHeld('employeeID', employeeID);
    const before = holder ? await namesEndedSince(tx, 'employeeID', [holder.serial], beginning) : [];
    const since = before.at(-1)?.until ?? holder?.createdAt;
    return {
      employeeID,
      holder:
        holder && since ? { serial: holder.serial, name: holder.name, since: since.toISOString() } : null,
      formerHolders: former.toReversed().map(({ userSerial, since, until, nextName }) => ({
        serial: userSerial,
        since: since.toISOString(),
        until: until.toISOString(),
        newEmployeeID: nextName,
      })),
      quarantinedUntil: quarantineEndsAt,
    };
  });
}

async function quarantinedUntil(tx: Executor, employeeID: string, days: number): Promise<string | null> {
  const [release] = await lastReleases(tx, 'employeeID', [employeeID], days);
  return release ? quarantineEnd(release.at, days).toISOString() : null;
}

interface HeldEmployeeId {
  readonly employeeID: string;
  readonly since: string;
  /** Null if the user has it now. */
  readonly until: string | null;
}

/** The employee IDs that a user has and had, newest first. */
export async function userEmployeeIds(
  database: Database,
  serial: string,
): Promise<readonly HeldEmployeeId[] | Failure> {
  if (!isSerial(serial)) return noSuchSerial();
  return snapshot(database, async (tx) => {
    const problem = await namesProblem(tx);
    if (problem) return problem;
    const found = await getUser(tx, serial);
    if (!found) return missingUser(tx, serial);
    const { employeeID, createdAt } = found.user;
    const former = await namesEndedSince(tx, 'employeeID', [serial], beginning);
    const present = { employeeID, since: former.at(-1)?.until.toISOString() ?? createdAt, until: null };
    const earlier = former.flatMap(({ name, since, until }) =>
      name === null ? [] : [{ employeeID: name, since: since.toISOString(), until: until.toISOString() }],
    );
    return [present, ...earlier.toReversed()];
  });
}
