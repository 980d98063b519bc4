import type { Role } from '../../contract/scopes.js';
import { getRole as readRole, setRole as storeRole } from '../../storage/access/roles.js';
import { transaction } from '../../storage/database.js';
import { insertNotices } from '../../storage/delivery/insert-notices.js';
import { awaitsPasswordFromOtherActor } from '../../storage/delivery/user-deliveries.js';
import { lockUser } from '../../storage/users/read-users.js';
import { runUpdate, updateStatement } from '../../storage/users/update-users.js';
import { recordAccess } from '../audit/access-event.js';
import { type Caller, changeOrigin } from '../caller.js';
import type { Context } from '../context.js';
import { missingUser } from '../missing-user.js';
import { isSerial, noSuchSerial } from '../serial.js';
import { currentAdministrators } from '../users/administrators.js';
import { canAdminister, lastAdministrator } from '../users/plans/user-change.js';
import { noticeTo } from '../users/update-consequences.js';
import { formerRoleOf, type RoleOf } from './get-role.js';
import { replacePassword } from './reset-password.js';

/**
 * Whoever created the user may have chosen the initial password. If the user has not changed it yet and a different
 * actor grants a role, the user gets a new password, so that only the user knows it.
 */
export async function setRole(
  { database, changeNotices }: Context,
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
    if (before === null && (await awaitsPasswordFromOtherActor(tx, user.serial, caller.actor))) {
      await replacePassword(tx, user, caller);
    }
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
