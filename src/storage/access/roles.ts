import type { Administrator, Role } from '../../contract/scopes.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

export async function getRole(executor: Executor, serial: string): Promise<Role | null> {
  const { rows } = await executor.query<{ role: Role }>({
    name: 'get-role',
    text: 'SELECT role FROM roles WHERE user_serial = $1',
    values: [serial],
  });
  return rows[0]?.role ?? null;
}

/** Maps serials to roles, for the users that have one. */
export async function rolesOf(executor: Executor, serials: readonly string[]): Promise<Map<string, Role>> {
  if (serials.length === 0) return new Map();
  const { rows } = await executor.query<{ serial: string; role: Role }>({
    name: 'roles-of',
    text: 'SELECT user_serial AS serial, role FROM roles WHERE user_serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
  return new Map(rows.map(({ serial, role }) => [serial, role]));
}

export async function deleteRoles(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'delete-roles',
    text: 'DELETE FROM roles WHERE user_serial = ANY ($1::uuid[])',
    values: [plainArray(serials)],
  });
}

/** Only for users whose row is locked. Increments the version of the user, so that lock-free readers notice. */
export async function setRole(tx: Executor, serial: string, role: Role | null): Promise<void> {
  if (role === null) await tx.query('DELETE FROM roles WHERE user_serial = $1', [serial]);
  else {
    await tx.query(
      `INSERT INTO roles (user_serial, role) VALUES ($1, $2)
       ON CONFLICT (user_serial) DO UPDATE SET role = excluded.role`,
      [serial, role],
    );
  }
}

export async function listAdministrators(executor: Executor): Promise<Administrator[]> {
  const { rows } = await executor.query<Administrator>({
    name: 'list-administrators',
    text: `SELECT serial, is_active AND coalesce(username, sign_in_name) IS NOT NULL AS "canSignIn"
           FROM roles JOIN users ON serial = user_serial WHERE role = 'administrator'`,
  });
  return rows;
}

/**
 * Only one transaction at a time may remove an administrator: two that remove each other's remaining one would leave
 * none. This is always the last lock of a transaction, after those of users, to avoid deadlocks.
 */
export async function lockAdministrators(tx: Executor): Promise<void> {
  await tx.query('SELECT FROM installation FOR UPDATE');
}
