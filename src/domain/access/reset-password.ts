import { v7 } from 'uuid';
import type { Failure } from '../../contract/errors.js';
import type { StoredUser } from '../../contract/users.js';
import { deletePasswords } from '../../storage/access/credentials.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import { cancelPasswordsOf, insertDeliveries } from '../../storage/delivery/user-deliveries.js';
import { lockUser } from '../../storage/users/read-users.js';
import { recordAccess } from '../audit/access-event.js';
import type { Caller } from '../caller.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { signInNameOf } from './sign-in.js';
import { forgetFailuresOf } from './sign-in-guard.js';

export type PasswordReset =
  | { readonly ok: true; readonly deliveryId: string }
  | { readonly ok: false; readonly failure: Failure };

export async function resetPassword(
  database: Database,
  serial: string,
  caller: Caller,
): Promise<PasswordReset> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  return transaction(database, async (tx): Promise<PasswordReset> => {
    const user = await lockUser(tx, serial);
    if (!user) return { ok: false, failure: await missingUser(tx, serial) };
    return { ok: true, deliveryId: await replacePassword(tx, user, caller) };
  });
}

/** Ends the old password and all sessions immediately. The new password is generated when its message is sent. */
export async function replacePassword(tx: Executor, user: StoredUser, caller: Caller): Promise<string> {
  const deliveryId = v7();
  // Lock order: deliveries before passwords, as in the sender.
  await cancelPasswordsOf(tx, [user.serial]);
  await deletePasswords(tx, [user.serial]);
  await deleteSessionsOf(tx, [user.serial]);
  const signInName = await signInNameOf(tx, user);
  await forgetFailuresOf(tx, [{ serial: user.serial, names: signInName === null ? [] : [signInName] }]);
  await insertDeliveries(tx, [
    {
      id: deliveryId,
      userSerial: user.serial,
      kind: 'reset-password',
      state: user.isActive ? 'waiting' : 'dormant',
      priority: 0,
      requestId: caller.requestId,
      requestedBy: { kind: caller.actor.kind, id: caller.actor.id },
      secret: null,
    },
  ]);
  await recordAccess(tx, 'password.reset', caller, { userSerial: user.serial });
  return deliveryId;
}
