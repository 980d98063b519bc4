import { changeableFields } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';
import { fieldArrays, fieldColumns, fieldValues } from './user-columns.js';

export interface NewUserRow extends StoredUser {
  readonly createdAt: Date;
}

export const newUserColumns: string = ['serial', 'created_at', 'updated_at', ...fieldColumns].join(', ');

/** The values of a user, as `$1` and so on: the serial, the time of creation, and the fields. */
export function insertUserValues(row: NewUserRow): unknown[] {
  return [row.serial, row.createdAt, ...fieldValues(row)];
}

/** The parameters of the fields among these values. */
export const fieldParameters: readonly string[] = fieldColumns.map((_, index) => `$${index + 3}`);

export async function insertUser(executor: Executor, row: NewUserRow): Promise<void> {
  await executor.query({
    name: 'insert-user',
    text: `INSERT INTO users (${newUserColumns}) VALUES ($1, $2, $2, ${fieldParameters.join(', ')})`,
    values: insertUserValues(row),
  });
}

/**
 * A user with a higher version is a restored one. Inserts users sorted by employee ID, so that two calls that insert
 * the same ones wait in the same order.
 */
export async function insertUsers(tx: Executor, rows: readonly NewUserRow[]): Promise<void> {
  const sorted = rows.toSorted(byEmployeeId);
  const { arrays, stored, values } = fieldArrays(sorted, changeableFields, 4);
  await tx.query({
    name: 'insert-users',
    text: `INSERT INTO users (${newUserColumns}, version)
           SELECT serial, created_at, CASE WHEN version = 1 THEN created_at ELSE greatest(now(), created_at) END,
                  ${stored.join(', ')}, version
           FROM unnest($1::uuid[], $2::timestamptz[], $3::integer[], ${arrays.join(', ')})
             AS new (serial, created_at, version, ${fieldColumns.join(', ')})`,
    values: [
      plainArray(sorted.map((row) => row.serial)),
      plainArray(sorted.map((row) => row.createdAt.toISOString())),
      plainArray(sorted.map((row) => row.version)),
      ...values,
    ],
  });
}

export function byEmployeeId(a: { employeeID: string }, b: { employeeID: string }): number {
  return a.employeeID < b.employeeID ? -1 : 1;
}
