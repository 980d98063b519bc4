import type { Administrator } from '../../contract/scopes.js';
import type { Executor } from '../../storage/database.js';
import { listAdministrators, lockAdministrators } from '../../storage/roles.js';
import type { UserChange } from './user-rules.js';

/** A change that can take an administrator away, if its user is one. */
export function mayUnseat(change: UserChange): boolean {
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
