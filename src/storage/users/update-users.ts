import type { FieldChanges } from '../../contract/changes.js';
import { type ChangeableField, changeableFields, columnOf } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import { type ChangeOrigin, joinedFields, originColumns, originValues } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';
import { lockTimeout } from './insert-users.js';
import { fieldArrays } from './user-columns.js';

/** The new state of a user, with the version that was read and the changes. */
export interface UserUpdate {
  readonly user: StoredUser;
  readonly changes: FieldChanges;
}

/** A statement that is ready to be sent. */
export interface UpdateStatement {
  readonly name: string;
  readonly text: string;
  readonly values: unknown[];
  /** How many users it writes. */
  readonly count: number;
}

/** Whether a user still has the version that was read. */
const isUnchanged = 'users.serial = new.serial AND users.version = new.version';

/** Returns false if a user no longer has the version that was read. */
export async function runUpdate(tx: Executor, { count, ...query }: UpdateStatement): Promise<boolean> {
  const { rowCount } = await tx.query(query);
  return rowCount === count;
}

/**
 * Writes the given fields of any number of users, and their change log rows, in one statement. Most calls change a
 * field or two, and fields that are not sent need not be encoded and parsed: for 2,500 users the statement takes 27 ms
 * with phones alone and 37 ms with all fields. Only users who still have the version that was read are written, in
 * the order of their serials, in which users are always locked. The database sorts them: for 2,000 users, it took this
 * process 2 to 3 ms.
 */
export function updateStatement(
  updates: readonly UserUpdate[],
  fields: ReadonlySet<ChangeableField>,
  origin: ChangeOrigin,
  kind: 'updated' | 'rehired' = 'updated',
): UpdateStatement {
  const users = updates.map(({ user }) => user);
  const written = changeableFields.filter((field) => fields.has(field));
  const { arrays, stored, values } = fieldArrays(users, written, 8);
  const columns = written.map(columnOf);
  const assignments = columns.map((column, index) => `${column} = ${stored[index]}, `);
  return {
    name: `${kind}-users-${written.map((field) => changeableFields.indexOf(field)).join('.')}`,
    // Creations use the clock of the node, and this one is the database's. If the two differ by a moment, no user may
    // appear to be updated before being created.
    text: `WITH updated AS (
             UPDATE users SET ${assignments.join('')}version = users.version + 1,
                              updated_at = greatest(now(), users.created_at)
             FROM (SELECT * FROM unnest($1::uuid[], $2::integer[], string_to_array($3::text, E'\\x1f')${arrays.map((array) => `, ${array}`).join('')})
                     AS new (serial, version, changes${columns.map((column) => `, ${column}`).join('')})
                   ORDER BY serial) AS new
             WHERE ${isUnchanged}
             RETURNING users.serial, users.version, users.employee_id, new.changes)
           INSERT INTO changes (user_serial, version, employee_id, fields, kind, ${originColumns})
           SELECT serial, version, employee_id, changes::json, '${kind}', $4::uuid, $5, $6, $7 FROM updated`,
    values: [
      plainArray(users.map((user) => user.serial)),
      plainArray(users.map((user) => user.version)),
      joinedFields(updates.map(({ changes }) => changes)),
      ...originValues(origin),
      ...values,
    ],
    count: updates.length,
  };
}

/** A change of one user by a request of its own. */
export interface SingleUpdate extends UserUpdate {
  readonly fields: ReadonlySet<ChangeableField>;
  readonly origin: ChangeOrigin;
}

/**
 * Writes changes of different users by different requests in one statement. Returns when those were written whose users
 * still had the version that was read, by serial. If the statement has to wait, all of them wait.
 */
export async function updateEach(
  tx: Executor,
  updates: readonly SingleUpdate[],
  lockTimeoutMs: number,
): Promise<ReadonlyMap<string, Date>> {
  const users = updates.map(({ user }) => user);
  const origins = updates.map(({ origin }) => origin);
  const written = changeableFields.filter((field) => updates.some(({ fields }) => fields.has(field)));
  const { arrays, stored, values } = fieldArrays(users, written, 8);
  const columns = written.map(columnOf);
  const { rows } = await tx.query<{ serial: string; updatedAt: Date }>({
    name: `update-each-${written.map((field) => changeableFields.indexOf(field)).join('.')}`,
    text: `WITH ${lockTimeout('$1::text')},
           updated AS (
             UPDATE users SET ${columns.map((column, index) => `${column} = ${stored[index]}, `).join('')}version = users.version + 1,
                              updated_at = greatest(now(), users.created_at)
             FROM (SELECT new.* FROM patience,
                     unnest($2::uuid[], $3::integer[], string_to_array($4::text, E'\\x1f'), $5::text[], $6::text[], $7::text[]${arrays.map((array) => `, ${array}`).join('')})
                       AS new (serial, version, changes, actor_kind, actor_id, request_id${columns.map((column) => `, ${column}`).join('')})
                   ORDER BY serial) AS new
             WHERE ${isUnchanged}
             RETURNING users.serial, users.version, users.employee_id, users.updated_at, new.changes, new.actor_kind,
                       new.actor_id, new.request_id),
           logged AS (
             INSERT INTO changes (user_serial, version, employee_id, fields, kind, actor_kind, actor_id, request_id)
             SELECT serial, version, employee_id, changes::json, 'updated', actor_kind, actor_id, request_id FROM updated)
           SELECT serial, updated_at AS "updatedAt" FROM updated`,
    values: [
      `${lockTimeoutMs}ms`,
      plainArray(users.map((user) => user.serial)),
      plainArray(users.map((user) => user.version)),
      joinedFields(updates.map(({ changes }) => changes)),
      textArray(origins.map(({ actor }) => actor?.kind ?? null)),
      textArray(origins.map(({ actor }) => actor?.id ?? null)),
      textArray(origins.map(({ requestId }) => requestId)),
      ...values,
    ],
  });
  return new Map(rows.map(({ serial, updatedAt }) => [serial, updatedAt]));
}
