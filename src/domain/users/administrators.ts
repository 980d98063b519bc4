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

/** What a plan has to know about the roles of users who are locked, or were read at one moment. */
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

/** A change that can take an administrator away, if its user is one. */
export function mayRemoveAdministrator(change: UserChange): boolean {
  return change.isActive === false || change.username === null;
}

/**
 * The administrators there are, for a decision about users who are locked. If one of these is among them, nobody else
 * takes an administrator away until the transaction ends.
 */
export async function administratorsBeside(
  tx: Executor,
  locked: readonly { readonly serial: string }[],
): Promise<Administrator[]> {
  const administrators = await listAdministrators(tx);
  const serials = new Set(administrators.map(({ serial }) => serial));
  if (!locked.some(({ serial }) => serials.has(serial))) return administrators;
  await lockAdministrators(tx);
  return listAdministrators(tx); // as whoever held the lock before has left them
}
