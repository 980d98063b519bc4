import type { Role } from '../../contract/scopes.js';
import { lastSignInsOf } from '../../storage/access/access-events.js';
import { rolesOf } from '../../storage/access/roles.js';
import type { Executor } from '../../storage/database.js';
import type { Actor } from '../caller.js';

interface Access {
  readonly role: Role | null;
  /** Absent for those who may not read access events. */
  readonly lastSignInAt?: string | null;
}

/** Adds the roles and last sign-ins of a page of users, with one query for each. */
export async function withAccess<User extends { readonly serial: string }>(
  executor: Executor,
  users: readonly User[],
  actor: Pick<Actor, 'scopes'> | undefined,
): Promise<(User & Access)[]> {
  const serials = users.map(({ serial }) => serial);
  const roles = await rolesOf(executor, serials);
  const mayAudit = actor?.scopes.has('audit:read') ?? false;
  const signIns = mayAudit ? await lastSignInsOf(executor, serials) : undefined;
  return users.map((user) => ({
    ...user,
    role: roles.get(user.serial) ?? null,
    ...(signIns && { lastSignInAt: signIns.get(user.serial) ?? null }),
  }));
}
