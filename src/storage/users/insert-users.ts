import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { joinedLists, plainArray, textArray } from '../sql-arrays.js';

export interface NewUserRow extends StoredUser {
  readonly createdAt: Date;
}

export const newUserColumns = `serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
  organization_serial, tag_serials`;

export function insertUserValues(row: NewUserRow): unknown[] {
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
  await executor.query({
    name: 'insert-user',
    text: `INSERT INTO users (${newUserColumns}) VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    values: insertUserValues(row),
  });
}

/**
 * A user with a higher version is a restored one. Inserts users sorted by employee ID, so that two calls that insert
 * the same ones wait in the same order.
 */
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

export function byEmployeeId(a: { employeeID: string }, b: { employeeID: string }): number {
  return a.employeeID < b.employeeID ? -1 : 1;
}
