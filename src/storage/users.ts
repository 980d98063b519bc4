import type { FieldChanges } from '../contract/changes.js';
import { type ChangeableField, changeableFields, type StoredUser, type UserView } from '../contract/users.js';
import { type ChangeOrigin, originColumns, originValues } from './changes.js';
import type { Executor } from './database.js';
import { type NewDelivery, newDeliveryColumns } from './deliveries.js';
import { joinedLists, parseTextArray, plainArray, textArray } from './sql-arrays.js';

export interface NewUserRow extends StoredUser {
  readonly createdAt: Date;
}

const newUserColumns = `serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
  organization_serial, tag_serials`;

/** One user by plain VALUES: half the time of `unnest` over arrays of one. */
const insertUserText = `INSERT INTO users (${newUserColumns}) VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;

function insertUserValues(row: NewUserRow): unknown[] {
  return [
    row.serial,
    row.createdAt,
    row.employeeID,
    row.name,
    row.username,
    row.email,
    row.phone,
    row.isActive,
    row.organizationSerial,
    textArray(row.tagSerials),
  ];
}

export async function insertUser(executor: Executor, row: NewUserRow): Promise<void> {
  await executor.query({ name: 'insert-user', text: insertUserText, values: insertUserValues(row) });
}

/**
 * With the message that brings the password, and the row of the change log: in one statement, which commits by itself.
 * That is as safe as a transaction, without its two further round trips.
 */
export async function insertUserAndDelivery(
  executor: Executor,
  row: NewUserRow,
  delivery: NewDelivery,
  change: { readonly fields: FieldChanges; readonly origin: ChangeOrigin },
): Promise<void> {
  await executor.query({
    name: 'insert-user-and-delivery',
    text: `WITH new_user AS (${insertUserText}),
             new_delivery AS (
               INSERT INTO deliveries (${newDeliveryColumns}) VALUES ($11, $1, $12, $13, $14, $15, $16, $17))
           INSERT INTO changes (user_serial, version, employee_id, kind, fields, ${originColumns})
           VALUES ($1, 1, $3, 'created', $18, $19, $20, $21, $22)`,
    values: [
      ...insertUserValues(row),
      delivery.id,
      delivery.kind,
      delivery.state,
      delivery.priority,
      delivery.requestId,
      delivery.secret?.bytes ?? null,
      delivery.secret?.keyId ?? null,
      JSON.stringify(change.fields),
      ...originValues(change.origin),
    ],
  });
}

/** One that had a version before is put back. Inserts users in the order of their employee IDs: two calls that insert the same ones then wait in one order. */
export async function insertUsers(tx: Executor, rows: readonly NewUserRow[]): Promise<void> {
  const sorted = rows.toSorted(byEmployeeId);
  const tags = joinedLists(sorted.map((row) => row.tagSerials));
  await tx.query({
    name: 'insert-users',
    text: `INSERT INTO users (${newUserColumns}, version)
           SELECT serial, created_at, CASE WHEN version = 1 THEN created_at ELSE greatest(now(), created_at) END,
                  employee_id, name, username, email, phone, is_active, organization_serial, string_to_array(tags, $11), version
           FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                       $8::boolean[], $9::text[], $10::text[], $12::integer[])
             AS new (serial, created_at, employee_id, name, username, email, phone, is_active, organization_serial, tags,
                     version)`,
    values: [
      plainArray(sorted.map((row) => row.serial)),
      plainArray(sorted.map((row) => row.createdAt.toISOString())),
      textArray(sorted.map((row) => row.employeeID)),
      textArray(sorted.map((row) => row.name)),
      textArray(sorted.map((row) => row.username)),
      textArray(sorted.map((row) => row.email)),
      textArray(sorted.map((row) => row.phone)),
      plainArray(sorted.map((row) => row.isActive)),
      textArray(sorted.map((row) => row.organizationSerial)),
      tags.joined,
      tags.separator,
      plainArray(sorted.map((row) => row.version)),
    ],
  });
}

function byEmployeeId(a: { employeeID: string }, b: { employeeID: string }): number {
  return a.employeeID < b.employeeID ? -1 : 1;
}

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
export async function usersWhoSettledIn(tx: Executor, serials: readonly string[]): Promise<Set<string>> {
  const { rows } = await tx.query<{ serial: string }>(
    `SELECT user_serial AS serial FROM credentials WHERE user_serial = ANY ($1::uuid[]) AND NOT must_change
     UNION SELECT user_serial FROM roles WHERE user_serial = ANY ($1::uuid[])`,
    [plainArray(serials)],
  );
  return new Set(rows.map(({ serial }) => serial));
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

export async function anyNameHeld(
  tx: Executor,
  { employeeIDs, usernames }: { employeeIDs: readonly string[]; usernames: readonly string[] },
): Promise<boolean> {
  if (employeeIDs.length + usernames.length === 0) return false;
  const { rows } = await tx.query<{ found: boolean }>({
    name: 'any-name-held',
    text: `SELECT EXISTS (SELECT FROM users WHERE employee_id = ANY ($1::text[]))
               OR EXISTS (SELECT FROM users WHERE lower(username) = ANY ($2::text[])) AS found`,
    values: [textArray(employeeIDs), textArray(usernames)],
  });
  return rows[0]?.found === true;
}

/** Who has the two names, other than the user with the given serial. */
export async function nameHolders(
  executor: Executor,
  names: { employeeID: string | null; usernameKey: string | null },
  exceptSerial: string,
): Promise<{ employeeID: string | null; username: string | null }> {
  const { rows } = await executor.query<{ employeeID: string | null; username: string | null }>({
    name: 'name-holders',
    text: `SELECT (SELECT serial FROM users WHERE employee_id = $1::text AND serial <> $3) AS "employeeID",
                  (SELECT serial FROM users WHERE lower(username) = $2::text AND serial <> $3) AS username`,
    values: [names.employeeID, names.usernameKey, exceptSerial],
  });
  return rows[0] ?? { employeeID: null, username: null };
}

/**
 * Takes the names off users who give them up to others in the same call. Unique indexes are checked row by row, so
 * without this a rename onto a name that its giver has not left yet would fail. "~" is in no employee ID.
 */
export async function parkNames(
  tx: Executor,
  parked: { employeeIdsOf: readonly string[]; usernamesOf: readonly string[] },
): Promise<void> {
  if (parked.employeeIdsOf.length > 0) {
    await tx.query({
      name: 'park-employee-ids',
      text: `UPDATE users SET employee_id = '~' || serial::text WHERE serial = ANY ($1::uuid[])`,
      values: [plainArray(parked.employeeIdsOf)],
    });
  }
  if (parked.usernamesOf.length > 0) {
    await tx.query({
      name: 'park-usernames',
      text: 'UPDATE users SET username = NULL WHERE serial = ANY ($1::uuid[])',
      values: [plainArray(parked.usernamesOf)],
    });
  }
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
