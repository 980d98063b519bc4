import type { Failure } from '../../contract/errors.js';
import type { Role } from '../../contract/scopes.js';
import { transaction } from '../../storage/database.js';
import { getRole as readRole, setRole as storeRole } from '../../storage/roles.js';
import { getUser, lockUser } from '../../storage/users.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import { isSerial } from '../serial.js';
import { administratorsBeside } from '../users/administrators.js';
import { noSuchSerial } from '../users/update-user.js';
import { canAdminister, lastAdministrator } from '../users/user-change.js';
import { recordAccess } from './access-events.js';

export type RoleOf =
  | { readonly ok: true; readonly serial: string; readonly role: Role | null }
  | { readonly ok: false; readonly failure: Failure };

export async function getRole({ database }: Context, serial: string): Promise<RoleOf> {
  const found = isSerial(serial) ? await getUser(database.pool, serial) : undefined;
  if (!found) return { ok: false, failure: noSuchSerial() };
  return { ok: true, serial: found.user.serial, role: await readRole(database.pool, serial) };
}

export async function setRole(
  { database }: Context,
  serial: string,
  role: Role | null,
  caller: Caller,
): Promise<RoleOf> {
  if (!isSerial(serial)) return { ok: false, failure: noSuchSerial() };
  return transaction(database, async (tx): Promise<RoleOf> => {
    const user = await lockUser(tx, serial);
    if (!user) return { ok: false, failure: noSuchSerial() };
    const before = await readRole(tx, user.serial);
    if (before === role) return { ok: true, serial: user.serial, role };
    if (before === 'administrator' && canAdminister(user)) {
      const able = (await administratorsBeside(tx, [user])).filter(({ canSignIn }) => canSignIn);
      if (able.length === 1) return { ok: false, failure: lastAdministrator(undefined) };
    }
    await storeRole(tx, user.serial, role);
    await recordAccess(tx, 'role.changed', caller, {
      userSerial: user.serial,
      detail: { before, after: role },
    });
    return { ok: true, serial: user.serial, role };
  });
}
