import { type ChangeableField, changeableFields, type StoredUser, type UserView } from '../contract/users.js';
import type { Executor } from './database.js';
import { joinedLists, parseTextArray, plainArray, textArray } from './sql-arrays.js';

const storedColumns = `serial, version, employee_id, name, username, email, phone, is_active, tag_serials::text,
  organization_serial`;

type StoredRow = [
  serial: string,
  version: number,
  employeeID: string,
  name: string,
  username: string | null,
  email: string | null,
  phone: string | null,
  isActive: boolean,
  tagSerials: string,
  organizationSerial: string | null,
];

function storedUser(row: StoredRow): StoredUser {
  return {
    serial: row[0],
    version: row[1],
    employeeID: row[2],
    name: row[3],
    username: row[4],
    email: row[5],
    phone: row[6],
    isActive: row[7],
    tagSerials: parseTextArray(row[8]),
    organizationSerial: row[9],
  };
}

/** Everyone who has one of these names or serials. */
export interface UserSelection {
  readonly employeeIDs: readonly string[];
  /** In the form in which they are compared. */
  readonly usernames: readonly string[];
  readonly serials?: readonly string[];
}

/**
 * Locks them in the order of the serials, which never change: two calls that lock the same people never wait for each
 * other in a circle.
 */
export function lockUsers(tx: Executor, selection: UserSelection): Promise<StoredUser[]> {
  return selectUsers(tx, selection, 'lock');
}

export function readUsers(executor: Executor, selection: UserSelection): Promise<StoredUser[]> {
  return selectUsers(executor, selection, 'read');
}

async function selectUsers(
  executor: Executor,
  { employeeIDs, usernames, serials = [] }: UserSelection,
  how: 'lock' | 'read',
): Promise<StoredUser[]> {
  // Each combination is a statement of its own, so that calls without usernames keep the plan of a single index.
  const conditions = ['employee_id = ANY ($1::text[])'];
  const values = [textArray(employeeIDs)];
  if (usernames.length > 0) {
    values.push(textArray(usernames));
    conditions.push(`lower(username) = ANY ($${values.length}::text[])`);
  }
  if (serials.length > 0) {
    values.push(plainArray(serials));
    conditions.push(`serial = ANY ($${values.length}::uuid[])`);
  }
  const { rows } = await executor.query<StoredRow>({
    name: `${how}-users-by-id${usernames.length > 0 ? '-username' : ''}${serials.length > 0 ? '-serial' : ''}`,
    text: `SELECT ${storedColumns} FROM users WHERE ${conditions.join(' OR ')}
           ${how === 'lock' ? 'ORDER BY serial FOR UPDATE' : ''}`,
    values,
    rowMode: 'array',
  });
  return rows.map(storedUser);
}

export async function countUsers(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ count: string }>('SELECT count(*) FROM users');
  return Number(rows[0]?.count);
}

/** With their passwords, sessions and roles. */
export async function deleteUsers(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM users WHERE serial = ANY ($1::uuid[])', [plainArray(serials)]);
}

/** Those of them who are more than their row by now: they chose a password, or were given a role. */
export async function usersWhoSettledIn(
  executor: Executor,
  serials: readonly string[],
): Promise<Set<string>> {
  const { rows } = await executor.query<{ serial: string }>(
    `SELECT user_serial AS serial FROM credentials WHERE user_serial = ANY ($1::uuid[]) AND NOT must_change
     UNION SELECT user_serial FROM roles WHERE user_serial = ANY ($1::uuid[])`,
    [plainArray(serials)],
  );
  return new Set(rows.map(({ serial }) => serial));
}

/** Nobody of them chooses a password until the transaction ends: in the order of locks, messages before passwords. */
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
  const { rows } = await tx.query<StoredRow>({
    name: 'lock-user',
    text: `SELECT ${storedColumns} FROM users WHERE serial = $1 FOR UPDATE`,
    values: [serial],
    rowMode: 'array',
  });
  return rows[0] && storedUser(rows[0]);
}

/** Whether the user is active; as long as the transaction lasts nobody changes that. */
export async function lockStatus(tx: Executor, serial: string): Promise<boolean> {
  const { rows } = await tx.query<{ isActive: boolean }>({
    name: 'lock-status',
    text: 'SELECT is_active AS "isActive" FROM users WHERE serial = $1 FOR SHARE',
    values: [serial],
  });
  return rows[0]?.isActive === true;
}

const columns: Record<ChangeableField, { name: string; type: string }> = {
  employeeID: { name: 'employee_id', type: 'text' },
  name: { name: 'name', type: 'text' },
  username: { name: 'username', type: 'text' },
  email: { name: 'email', type: 'text' },
  phone: { name: 'phone', type: 'text' },
  isActive: { name: 'is_active', type: 'boolean' },
  organizationSerial: { name: 'organization_serial', type: 'text' },
  tagSerials: { name: 'tag_serials', type: 'text' }, // joined, see below
};

/**
 * Writes the given fields of the users, however many there are, in one statement. A call mostly changes a field or two,
 * and what is not sent has not to be encoded, read and taken apart again: for 2,500 users the statement takes
 * 27 ms with phones alone and 37 ms with all fields.
 */
export async function updateUsers(
  tx: Executor,
  users: readonly StoredUser[],
  fields: ReadonlySet<ChangeableField>,
): Promise<void> {
  const written = changeableFields.filter((field) => fields.has(field));
  const tags = fields.has('tagSerials') ? joinedLists(users.map((user) => user.tagSerials)) : undefined;
  const separator = `$${written.length + 2}`;
  const arrays = written.map((field) => {
    if (field === 'tagSerials') return tags?.joined;
    if (field === 'isActive') return plainArray(users.map((user) => user.isActive));
    return textArray(users.map((user) => user[field]));
  });
  const assignments = written.map((field) => {
    const { name } = columns[field];
    return `${name} = ${field === 'tagSerials' ? `string_to_array(new.${name}, ${separator})` : `new.${name}`}`;
  });
  await tx.query({
    name: `update-users-${written.map((field) => changeableFields.indexOf(field)).join('')}`,
    // The clock that dates creations is the node's, this one is the database's: nobody is to be updated before being
    // created because the two differ by a moment.
    text: `UPDATE users SET ${assignments.join(', ')}, version = users.version + 1,
                            updated_at = greatest(now(), users.created_at)
           FROM unnest($1::uuid[], ${written.map((field, index) => `$${index + 2}::${columns[field].type}[]`).join(', ')})
             AS new (serial, ${written.map((field) => columns[field].name).join(', ')})
           WHERE users.serial = new.serial`,
    values: [plainArray(users.map((user) => user.serial)), ...arrays, ...(tags ? [tags.separator] : [])],
  });
}

export const viewColumns = `serial, employee_id AS "employeeID", name, username, email, phone, is_active AS "isActive",
  tag_serials AS "tagSerials", organization_serial AS "organizationSerial", created_at AS "createdAt",
  updated_at AS "updatedAt", version`;

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

export async function getUser(executor: Executor, serial: string): Promise<VersionedUser | undefined> {
  const { rows } = await executor.query<ViewRow>({
    name: 'get-user',
    text: `SELECT ${viewColumns} FROM users WHERE serial = $1`,
    values: [serial],
  });
  return rows[0] && versionedUser(rows[0]);
}
