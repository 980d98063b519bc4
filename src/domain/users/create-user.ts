import type { Failure } from '../../contract/errors.js';
import { usernameKey } from '../../contract/users.js';
import { insertInitialPasswords } from '../../storage/credentials.js';
import { autocommit, type Executor, transaction } from '../../storage/database.js';
import { violatedConstraint } from '../../storage/errors.js';
import { insertUserAndDelivery, namesHeld } from '../../storage/users.js';
import type { Sender } from '../caller.js';
import type { Context } from '../context.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import { untilRaceIsWon } from '../races.js';
import { newSerial } from '../serial.js';
import { employeeIdTaken, usernameTaken } from './user-change.js';
import type { NewUser } from './user-rules.js';

export type Created =
  | { readonly ok: true; readonly serial: string }
  | { readonly ok: false; readonly failure: Failure };

export async function createUser(context: Context, user: NewUser, { requestId }: Sender): Promise<Created> {
  const { database, limits, passwords, vault, initialPasswords } = context;
  const { password, ...fields } = user;
  const row = { ...fields, ...newSerial() };
  const delivery = initialDelivery(vault, { ...row, password }, { requestId, inBulk: false, hold: false });
  const passwordHash = password === null ? undefined : await passwords.hash(password);
  return untilRaceIsWon(limits.raceAttemptsMax, async (): Promise<Created> => {
    try {
      if (passwordHash === undefined) {
        await autocommit(database, (executor) => insertUserAndDelivery(executor, row, delivery));
      } else {
        await transaction(database, async (tx) => {
          await insertUserAndDelivery(tx, row, delivery);
          const initial = { userSerial: row.serial, passwordHash };
          await insertInitialPasswords(tx, [initial], initialPasswords.lifetimeHours);
        });
      }
      return { ok: true, serial: row.serial };
    } catch (error) {
      const refusal =
        violatedConstraint(error) === undefined ? undefined : await nameRefusal(database.pool, row);
      if (refusal) return { ok: false, failure: refusal };
      // Without a refusal, whoever was in the way has left the name since, or was rolled back: try again.
      throw error;
    }
  });
}

/** Which name is in the way. The index reports one of the two; the contract's order puts the employee ID first. */
export async function nameRefusal(
  executor: Executor,
  user: { serial: string; employeeID: string; username: string | null },
): Promise<Failure | undefined> {
  const { serial, employeeID, username } = user;
  const key = username === null ? null : usernameKey(username);
  const held = await namesHeld(executor, { employeeID, usernameKey: key }, serial);
  if (held.employeeID) return employeeIdTaken(undefined, employeeID);
  return held.username && username !== null ? usernameTaken(undefined, username) : undefined;
}
