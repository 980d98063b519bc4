import type { FieldChanges } from '../../contract/changes.js';
import { changeableFields } from '../../contract/user-values.js';
import type { StoredUser } from '../../contract/users.js';
import { type ChangeOrigin, joinedFields, originColumns, originValues } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { type NewDelivery, newDeliveryColumns } from '../delivery/user-deliveries.js';
import { plainArray, textArray } from '../sql.js';
import { fieldArrays, fieldColumns, fieldValues } from './user-columns.js';

interface NewUserRow extends StoredUser {
  readonly createdAt: Date;
}

const newUserColumns: string = ['serial', 'created_at', 'updated_at', ...fieldColumns].join(', ');

/** The values of a user, as `$1` and so on: the serial, the time of creation, and the fields. */
function insertUserValues(row: NewUserRow): unknown[] {
  return [row.serial, row.createdAt, ...fieldValues(row)];
}

/** The parameters of the fields among these values. */
const fieldParameters: readonly string[] = fieldColumns.map((_, index) => `$${index + 3}`);

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

/** A single created user, with the password delivery and the change log row. */
export interface Creation {
  readonly user: NewUserRow;
  readonly delivery: NewDelivery;
  readonly changes: FieldChanges;
  readonly origin: ChangeOrigin;
}

/**
 * If a name is being assigned in a transaction that has not ended, the statement waits. This limits the wait, for its
 * own transaction only; then the statement fails as busy. Every statement has to read from this subquery.
 */
export const lockTimeout = (milliseconds: string) =>
  `patience AS MATERIALIZED (SELECT set_config('lock_timeout', coalesce(${milliseconds}, current_setting('lock_timeout')), true))`;

/** The parameters after those of the user, in the order of the values: the delivery, the changed fields, the origin. */
const deliveryParameters = parametersAfter(fieldParameters.length + 2, 7);
const [deliveryId, ...deliveryRest] = deliveryParameters;
const originParameters = parametersAfter(fieldParameters.length + 10, 4);
const [, actorKind, actorId] = originParameters;

function parametersAfter(last: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => `$${last + index + 1}`);
}

/**
 * One statement that commits by itself: as safe as a transaction, without two more round trips. Plain VALUES take half
 * the time of `unnest` over arrays of one.
 */
const insertCreationText = `WITH ${lockTimeout(`$${fieldParameters.length + 15}::text`)},
    new_user AS (
      INSERT INTO users (${newUserColumns})
      VALUES ($1, (SELECT $2::timestamptz FROM patience), $2, ${fieldParameters.join(', ')})),
    new_delivery AS (
      INSERT INTO deliveries (${newDeliveryColumns})
      VALUES (${deliveryId}, $1, ${deliveryRest.join(', ')}, ${actorKind}, ${actorId}))
  INSERT INTO changes (user_serial, version, employee_id, kind, fields, ${originColumns})
  VALUES ($1, 1, $3, 'created', $${fieldParameters.length + 10}, ${originParameters.join(', ')})`;

export async function insertCreation(
  executor: Executor,
  { user, delivery, changes, origin }: Creation,
  lockTimeoutMs?: number,
): Promise<void> {
  await executor.query({
    name: 'insert-creation',
    text: insertCreationText,
    values: [
      ...insertUserValues(user),
      delivery.id,
      delivery.kind,
      delivery.state,
      delivery.priority,
      delivery.requestId,
      delivery.secret?.bytes ?? null,
      delivery.secret?.keyId ?? null,
      JSON.stringify(changes),
      ...originValues(origin),
      lockTimeoutMs === undefined ? null : `${lockTimeoutMs}ms`,
    ],
  });
}

/**
 * Inserts independent users in one statement and returns the serials of those created. Users whose names are taken are
 * skipped. If the statement has to wait, all of them wait.
 */
export async function insertCreations(
  executor: Executor,
  creations: readonly Creation[],
  lockTimeoutMs: number,
): Promise<Set<string>> {
  const sorted = creations.toSorted((a, b) => byEmployeeId(a.user, b.user));
  const users = sorted.map(({ user }) => user);
  const deliveries = sorted.map(({ delivery }) => delivery);
  const origins = sorted.map(({ origin }) => origin);
  const fields = fieldArrays(users, changeableFields, 12);
  const { rows } = await executor.query<[serial: string]>({
    name: 'insert-creations',
    text: `WITH ${lockTimeout('$1::text')},
           new AS MATERIALIZED (
             SELECT new.* FROM patience,
               unnest($2::uuid[], $3::timestamptz[], string_to_array($4::text, E'\\x1f'), $5::uuid[], $6::text[],
                      $7::text[], $8::smallint[], $9::text[], $10::text[], $11::text[], ${fields.arrays.join(', ')})
               AS new (serial, created_at, fields, delivery_id, delivery_kind, delivery_state, priority, request_id,
                       actor_kind, actor_id, ${fieldColumns.join(', ')})),
           created AS (
             INSERT INTO users (${newUserColumns})
             SELECT serial, created_at, created_at, ${fields.stored.join(', ')}
             FROM new ON CONFLICT DO NOTHING RETURNING serial),
           messages AS (
             INSERT INTO deliveries (id, user_serial, kind, state, priority, request_id, actor_kind, actor_id)
             SELECT delivery_id, serial, delivery_kind, delivery_state, priority, request_id, actor_kind, actor_id
             FROM new JOIN created USING (serial)),
           logged AS (
             INSERT INTO changes (user_serial, version, employee_id, kind, fields, actor_kind, actor_id, request_id)
             SELECT serial, 1, employee_id, 'created', fields::json, actor_kind, actor_id, request_id
             FROM new JOIN created USING (serial))
           SELECT serial FROM created`,
    values: [
      `${lockTimeoutMs}ms`,
      plainArray(users.map((user) => user.serial)),
      plainArray(users.map((user) => user.createdAt.toISOString())),
      joinedFields(sorted.map(({ changes }) => changes)),
      plainArray(deliveries.map(({ id }) => id)),
      textArray(deliveries.map(({ kind }) => kind)),
      textArray(deliveries.map(({ state }) => state)),
      plainArray(deliveries.map(({ priority }) => priority)),
      textArray(origins.map(({ requestId }) => requestId)),
      textArray(origins.map(({ actor }) => actor?.kind ?? null)),
      textArray(origins.map(({ actor }) => actor?.id ?? null)),
      ...fields.values,
    ],
    rowMode: 'array',
  });
  return new Set(rows.map(([serial]) => serial));
}
