import type { Failure } from '../../contract/errors.js';
import { isRole, type Role } from '../../contract/scopes.js';
import { lastEventOf } from '../../storage/access/access-events.js';
import { getRole as readRole } from '../../storage/access/roles.js';
import type { Executor } from '../../storage/database.js';
import { getUser } from '../../storage/users/read-users.js';
import type { Context } from '../context.js';
import { missingUser } from '../missing-user.js';
import { isSerial } from '../serial.js';

export type RoleOf =
  | {
      readonly ok: true;
      readonly serial: string;
      readonly role: Role | null;
      /** For a user without a role: the one that the last deactivation removed. */
      readonly formerRole: Role | null;
    }
  | { readonly ok: false; readonly failure: Failure };

export async function getRole({ database }: Context, serial: string): Promise<RoleOf> {
  const found = isSerial(serial) ? await getUser(database.pool, serial) : undefined;
  if (!found) return { ok: false, failure: await missingUser(database.pool, serial) };
  const role = await readRole(database.pool, serial);
  const formerRole = role === null ? await formerRoleOf(database.pool, serial) : null;
  return { ok: true, serial: found.user.serial, role, formerRole };
}

export async function formerRoleOf(executor: Executor, serial: string): Promise<Role | null> {
  const last = await lastEventOf(executor, serial, 'role.changed');
  return last?.cause === 'deactivated' && isRole(last.before) ? last.before : null;
}
