import type { Failure } from '../../contract/errors.js';
import { isRole, type Role } from '../../contract/scopes.js';
import type { StoredUser } from '../../contract/users.js';
import { lastEventOf } from '../../storage/access/access-events.js';
import { getRenewal } from '../../storage/access/credentials.js';
import { deleteFactorsOf } from '../../storage/access/factors.js';
import { getRole as readRole, setRole as storeRole } from '../../storage/access/roles.js';
import { deleteSessionsOf } from '../../storage/access/sessions.js';
import { type Database, type Executor, transaction } from '../../storage/database.js';
import {
  awaitsPasswordFromOtherActor,
  holdReaddressedDelivery,
  insertNotices,
} from '../../storage/delivery/user-deliveries.js';
import { getUser, lockUser } from '../../storage/users/read-users.js';
import { runUpdate, updateStatement } from '../../storage/users/update-users.js';
import { recordAccess } from '../audit/access-event.js';
import { type Caller, changeOrigin } from '../caller.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { currentAdministrators } from '../users/administrators.js';
import { canAdminister, lastAdministrator } from '../users/plans/user-change.js';
import { noticeTo } from '../users/update-consequences.js';
import { replacePassword } from './reset-password.js';

export interface SetRoleContext {
  readonly database: Database;
  readonly changeNotices: boolean;
}

export type RoleOf =
  | {
      readonly ok: true;
      readonly serial: string;
      readonly role: Role | null;
      /** For a user without a role: the one that the last deactivation removed. */
      readonly formerRole: Role | null;
    }
  | { readonly ok: false; readonly failure: Failure };

export async function getRole(database: Database, serial: string): Promise<RoleOf> {
  const found = isSerial(serial) ? await getUser(database.pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(database.pool, serial) };
  const role = await readRole(database.pool, serial);
  const formerRole = role === null ? await formerRoleOf(database.pool, serial) : null;
  return { ok: true, serial: found.user.serial, role, formerRole };
}

/** A session that was started without the role, perhaps by someone else, does not get it: the user signs in again. */
export async function setRole(
  { database, changeNotices }: SetRoleContext,
  serial: string,
  role: Role | null,
  caller: Caller,
): Promise<RoleOf> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  return transaction(database, async (tx): Promise<RoleOf> => {
    const user = await lockUser(tx, serial);
    if (!user) return { ok: false, failure: await missingUser(tx, serial) };
    const before = await readRole(tx, user.serial);
    if (before === role) {
      const formerRole = role === null ? await formerRoleOf(tx, user.serial) : null;
      return { ok: true, serial: user.serial, role, formerRole };
    }
    if (before === 'administrator' && canAdminister(user)) {
      const able = (await currentAdministrators(tx, [user])).filter(({ canSignIn }) => canSignIn);
      if (able.length === 1) return { ok: false, failure: lastAdministrator(undefined) };
    }
    if (before === null) await replaceKnownPassword(tx, user, caller);
    const isOwn = caller.actor.id === user.serial; // and can only be reduced
    if (role !== null && !isOwn) await deleteSessionsOf(tx, [user.serial]);
    await storeRole(tx, user.serial, role);
    // Increments the version, so that a lock-free update of the user notices the protection.
    const changes = { role: { before, after: role } };
    await runUpdate(tx, updateStatement([{ user, changes }], new Set(), changeOrigin(caller)));
    if (changeNotices) await insertNotices(tx, [noticeTo(user, ['role'])], changeOrigin(caller));
    await recordAccess(tx, 'role.changed', caller, {
      userSerial: user.serial,
      detail: { before, after: role },
    });
    return { ok: true, serial: user.serial, role, formerRole: null };
  });
}

async function formerRoleOf(executor: Executor, serial: string): Promise<Role | null> {
  const last = await lastEventOf(executor, serial, 'role.changed');
  return last?.cause === 'deactivated' && isRole(last.before) ? last.before : null;
}

/**
 * Whoever created the user may have chosen the initial password. Whoever rehired the user, reset the password, or changed the
 * address that a link to a new one went to may even have replaced it since. If that was another actor, the user gets a new password with the role, so that only the user
 * knows it, once an address that came with a rehire has been checked.
 */
async function replaceKnownPassword(tx: Executor, user: StoredUser, caller: Caller): Promise<void> {
  const { byAnother, isReaddressed } = await getRenewal(tx, user.serial, caller.actor);
  if (!byAnother && !(await awaitsPasswordFromOtherActor(tx, user.serial, caller.actor))) return;
  const deliveryId = await replacePassword(tx, user, caller);
  await deleteFactorsOf(tx, [user.serial]); // whoever knew the password may have added one
  if (byAnother && isReaddressed) await holdReaddressedDelivery(tx, deliveryId);
}
