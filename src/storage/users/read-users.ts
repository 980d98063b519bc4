import type { StoredUser, UserView } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { namedFields, type PackedRow, packed, packingOf, unpacked } from './user-columns.js';

const storedColumns = `serial, version, ${namedFields}`;

/** Users with one of these names or serials. */
export interface UserSelection {
  readonly employeeIDs: readonly string[];
  /** In the form used for comparison. */
  readonly usernames: readonly string[];
  readonly signInNames?: readonly string[];
  readonly serials?: readonly string[];
}

/**
 * Locks users in the order of their serials, which never change: two calls that lock the same users cannot deadlock.
 */
export function lockUsers(tx: Executor, selection: UserSelection): Promise<StoredUser[]> {
  return selectUsers(tx, selection, 'lock');
}

export function readUsers(executor: Executor, selection: UserSelection): Promise<StoredUser[]> {
  return selectUsers(executor, selection, 'read');
}

async function selectUsers(
  executor: Executor,
  { employeeIDs, usernames, signInNames = [], serials = [] }: UserSelection,
  how: 'lock' | 'read',
): Promise<StoredUser[]> {
  // Each combination is a separate statement, so that calls without usernames keep the plan of a single index.
  const lists = [
    { key: 'id', condition: 'employee_id', type: 'text', list: employeeIDs },
    { key: 'username', condition: 'lower(username)', type: 'text', list: usernames },
    { key: 'sign-in-name', condition: 'sign_in_name', type: 'text', list: signInNames },
    { key: 'serial', condition: 'serial', type: 'uuid', list: serials },
  ].filter(({ list }) => list.length > 0);
  if (lists.length === 0) return [];
  const name = `${how}-users-by-${lists.map(({ key }) => key).join('-')}`;
  const conditions = lists.map(
    ({ condition, type }, index) => `${condition} = ANY ($${index + 1}::${type}[])`,
  );
  const values = lists.map(({ type, list }) => (type === 'uuid' ? plainArray(list) : textArray(list)));
  const selected = `SELECT * FROM users WHERE ${conditions.join(' OR ')}
    ${how === 'lock' ? 'ORDER BY serial FOR UPDATE' : ''}`;
  const { rows } = await executor.query<PackedRow>({
    name,
    text: `SELECT ${packed(stored)} FROM (${selected}) AS users`,
    values,
    rowMode: 'array',
  });
  return unpacked(stored, rows[0]) ?? (await selectRows(executor, { name, selected, values }));
}

async function selectRows(
  executor: Executor,
  { name, selected, values }: { name: string; selected: string; values: string[] },
): Promise<StoredUser[]> {
  const { rows } = await executor.query<StoredUser>({
    name: `${name}-in-rows`,
    text: `SELECT ${storedColumns} FROM (${selected}) AS users`,
    values,
  });
  return rows;
}

const stored = packingOf<StoredUser>({
  serial: { column: 'serial', read: (text) => text },
  version: { column: 'version', read: (text) => `Number(${text})` },
});

export async function countUsers(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ count: string }>('SELECT count(*) FROM users');
  return Number(rows[0]?.count);
}

/** Whether there are at least so many users. Reads no more of them. */
export async function hasUsers(executor: Executor, atLeast: number): Promise<boolean> {
  const { rows } = await executor.query<{ count: string }>(
    'SELECT count(*) FROM (SELECT FROM users LIMIT $1) AS counted',
    [atLeast],
  );
  return Number(rows[0]?.count) === atLeast;
}

/** Also deletes their passwords, sessions and roles. */
export async function deleteUsers(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM users WHERE serial = ANY ($1::uuid[])', [plainArray(serials)]);
}

/** The users among these who chose a password, have a role, or lost it by a deactivation. */
export async function listAccountsInUse(
  executor: Executor,
  serials: readonly string[],
): Promise<Set<string>> {
  const { rows } = await executor.query<{ serial: string }>(
    `SELECT user_serial AS serial FROM credentials WHERE user_serial = ANY ($1::uuid[]) AND NOT must_change
     UNION SELECT user_serial FROM roles WHERE user_serial = ANY ($1::uuid[])
     UNION SELECT user_serial FROM access_events WHERE user_serial = ANY ($1::uuid[]) AND kind = 'role.changed'
             AND detail ->> 'cause' = 'deactivated'`,
    [plainArray(serials)],
  );
  return new Set(rows.map(({ serial }) => serial));
}

/**
 * Prevents these users from choosing a password until the transaction ends. Lock order: deliveries before passwords.
 */
export async function lockPasswords(tx: Executor, serials: readonly string[]): Promise<void> {
  const values = [plainArray(serials)];
  await tx.query(
    'SELECT FROM deliveries WHERE user_serial = ANY ($1::uuid[]) ORDER BY id FOR UPDATE',
    values,
  );
  await tx.query(
    'SELECT FROM credentials WHERE user_serial = ANY ($1::uuid[]) ORDER BY user_serial FOR UPDATE',
    values,
  );
}

export async function lockUser(tx: Executor, serial: string): Promise<StoredUser | undefined> {
  const { rows } = await tx.query<StoredUser>({
    name: 'lock-user',
    text: `SELECT ${storedColumns} FROM users WHERE serial = $1 FOR UPDATE`,
    values: [serial],
  });
  return rows[0];
}

/** Whether the user is active. Locks the status until the transaction ends. */
export async function lockStatus(tx: Executor, serial: string): Promise<boolean> {
  const { rows } = await tx.query<{ isActive: boolean }>({
    name: 'lock-status',
    text: 'SELECT is_active AS "isActive" FROM users WHERE serial = $1 FOR SHARE',
    values: [serial],
  });
  return rows[0]?.isActive === true;
}

export const viewColumns = `serial, ${namedFields}, created_at AS "createdAt", updated_at AS "updatedAt", version`;

export interface ViewRow extends Omit<UserView, 'createdAt' | 'updatedAt'> {
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

export interface VersionedUser {
  readonly user: UserView;
  readonly version: number;
}

export function versionedUser({ version, createdAt, updatedAt, ...rest }: ViewRow): VersionedUser {
  return {
    user: { ...rest, createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() },
    version,
  };
}

export async function getUsers(executor: Executor, serials: readonly string[]): Promise<VersionedUser[]> {
  const { rows } = await executor.query<ViewRow>({
    name: 'get-users',
    text: `SELECT ${viewColumns} FROM users WHERE serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
  return rows.map(versionedUser);
}

export async function getUser(executor: Executor, serial: string): Promise<VersionedUser | undefined> {
  const { rows } = await executor.query<ViewRow>({
    name: 'get-user',
    text: `SELECT ${viewColumns} FROM users WHERE serial = $1`,
    values: [serial],
  });
  return rows[0] && versionedUser(rows[0]);
}
