import type { Failure } from '../../contract/errors.js';
import { snapshot } from '../../storage/database.js';
import { namesEndedSince } from '../../storage/names/former-names.js';
import { getUser } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { namesProblem } from './holders-then.js';
import { beginning } from './id-history.js';

export interface HeldEmployeeId {
  readonly employeeID: string;
  readonly since: string;
  /** Null if the user has it now. */
  readonly until: string | null;
}

/** The employee IDs that a user has and had, newest first. */
export async function userEmployeeIds(
  { database }: Pick<Context, 'database'>,
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
