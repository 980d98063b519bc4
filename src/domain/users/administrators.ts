import type { Administrator } from '../../contract/scopes.js';
import type { StoredUser } from '../../contract/users.js';
import { listAdministrators, lockAdministrators, rolesOf } from '../../storage/access/roles.js';
import type { Executor } from '../../storage/database.js';
import type { Caller } from '../caller.js';
import type { RoleFacts } from './plans/protected-users.js';
import type { UserChange } from './user-rules.js';

/** Whether the caller may do what only administrators may. */
export function mayAdminister({ actor }: Caller): boolean {
  return actor.scopes.has('access:admin');
}

/** The users have to be locked, or read in the same snapshot as the administrators. */
export async function roleFactsOf(
  executor: Executor,
  stored: readonly StoredUser[],
  administrators: readonly Administrator[],
  caller: Caller,
): Promise<RoleFacts> {
  const roles = await rolesOf(
    executor,
    stored.map(({ serial }) => serial),
  );
  return { administrators, roles, mayChangeProtected: mayAdminister(caller) };
}

/** Whether the change removes an administrator if its user is one. */
export function mayRemoveAdministrator(change: UserChange): boolean {
  return change.isActive === false || change.username === null || change.signInName === null;
}

/** The administrators, for a decision about users who are locked or were read in the same snapshot. */
export function administratorsFor(
  tx: Executor,
  stored: readonly { readonly serial: string }[],
  locks: boolean,
): Promise<Administrator[]> {
  return locks ? currentAdministrators(tx, stored) : listAdministrators(tx);
}

/**
 * Returns all administrators, for a decision about locked users. If one of them is among the locked users, no other
 * transaction can remove an administrator until this one ends.
 */
export async function currentAdministrators(
  tx: Executor,
  locked: readonly { readonly serial: string }[],
): Promise<Administrator[]> {
  const administrators = await listAdministrators(tx);
  const serials = new Set(administrators.map(({ serial }) => serial));
  if (!locked.some(({ serial }) => serials.has(serial))) return administrators;
  await lockAdministrators(tx);
  return listAdministrators(tx); // reads what the previous holder of the lock committed
}
