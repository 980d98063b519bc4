import type { Failure } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../../storage/database.js';
import { managerLine, reportingLines } from '../../storage/users/managers.js';
import type { Result } from '../result.js';
import { managerNotFound, managerProblem } from './plans/managers.js';
import type { NewUser, UserChange } from './user-rules.js';

/** A new user with the serial of the manager. New users manage nobody, so no circle can close. */
export async function managedUser(
  executor: Executor,
  { managerEmployeeID = null, ...user }: NewUser,
): Promise<Result<{ user: NewUser }>> {
  if (managerEmployeeID === null) return { ok: true, user };
  const manager = await managerLine(executor, managerEmployeeID);
  return manager
    ? { ok: true, user: { ...user, managerSerial: manager.serial } }
    : { ok: false, failure: managerNotFound(undefined, managerEmployeeID) };
}

/** The change of a user with the serial of the manager, if it names one. Runs within a transaction. */
export async function withManager(
  tx: Executor,
  { managerEmployeeID, ...change }: UserChange,
  user: StoredUser,
): Promise<Result<{ change: UserChange }>> {
  if (managerEmployeeID === undefined) return { ok: true, change };
  if (managerEmployeeID === null) return { ok: true, change: { ...change, managerSerial: null } };
  const manager = await managerLine(tx, managerEmployeeID);
  const problem = manager
    ? await cycleProblem(tx, user, manager.serial)
    : managerNotFound(undefined, managerEmployeeID);
  return problem || !manager
    ? { ok: false, failure: problem as Failure }
    : { ok: true, change: { ...change, managerSerial: manager.serial } };
}

/** Whether the user would be their own manager. Nobody else changes managers until the transaction ends. */
export async function cycleProblem(
  tx: Executor,
  { serial, managerSerial: current }: StoredUser,
  managerSerial: string,
): Promise<Failure | undefined> {
  if (managerSerial === current) return undefined;
  const lines = await reportingLines(tx, [{ serial }, { serial: managerSerial }], true);
  return managerProblem(undefined, serial, managerSerial, (each) => lines.get(each));
}
