import type { FieldChanges } from '../../contract/changes.js';
import { type ChangeOrigin, joinedFields, originColumns, originValues } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { type NewDelivery, newDeliveryColumns } from '../delivery/insert-deliveries.js';
import { joinedLists, plainArray, textArray } from '../sql-arrays.js';
import { byEmployeeId, insertUserValues, type NewUserRow, newUserColumns } from './insert-users.js';

/** A single created user, with the password delivery and the change log row. */
export interface Creation {
  readonly user: NewUserRow;
  readonly delivery: NewDelivery;
  readonly changes: FieldChanges;
  readonly origin: ChangeOrigin;
}

/**
 * If a name is being assigned in a transaction that has not ended, the statement waits. This limits the wait, for its
 * own transaction only; then the statement fails as busy. Every insert has to read from this subquery.
 */
const lockTimeout = (milliseconds: string) =>
  `patience AS MATERIALIZED (SELECT set_config('lock_timeout', coalesce(${milliseconds}, current_setting('lock_timeout')), true))`;

/**
 * One statement that commits by itself: as safe as a transaction, without two more round trips. Plain VALUES take half
 * the time of `unnest` over arrays of one.
 */
export async function insertCreation(
  executor: Executor,
  { user, delivery, changes, origin }: Creation,
  lockTimeoutMs?: number,
): Promise<void> {
  await executor.query({
    name: 'insert-creation',
    text: `WITH ${lockTimeout('$23::text')},
             new_user AS (
               INSERT INTO users (${newUserColumns})
               VALUES ($1, (SELECT $2::timestamptz FROM patience), $2, $3, $4, $5, $6, $7, $8, $9, $10)),
             new_delivery AS (
               INSERT INTO deliveries (${newDeliveryColumns}) VALUES ($11, $1, $12, $13, $14, $15, $16, $17, $20, $21))
           INSERT INTO changes (user_serial, version, employee_id, kind, fields, ${originColumns})
           VALUES ($1, 1, $3, 'created', $18, $19, $20, $21, $22)`,
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
  const tags = joinedLists(users.map((user) => user.tagSerials));
  const { rows } = await executor.query<[serial: string]>({
    name: 'insert-creations',
    text: `WITH ${lockTimeout('$1::text')},
           new AS MATERIALIZED (
             SELECT new.* FROM patience,
               unnest($2::uuid[], $3::timestamptz[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
                      $9::boolean[], $10::text[], $11::text[], string_to_array($13::text, E'\\x1f'),
                      $14::uuid[], $15::text[], $16::text[], $17::smallint[], $18::text[], $19::text[], $20::text[])
               AS new (serial, created_at, employee_id, name, username, email, phone, is_active, organization_serial,
                       tags, fields, delivery_id, delivery_kind, delivery_state, priority, request_id, actor_kind,
                       actor_id)),
           created AS (
             INSERT INTO users (${newUserColumns})
             SELECT serial, created_at, created_at, employee_id, name, username, email, phone, is_active,
                    organization_serial, string_to_array(tags, $12)
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
      textArray(users.map((user) => user.employeeID)),
      textArray(users.map((user) => user.name)),
      textArray(users.map((user) => user.username)),
      textArray(users.map((user) => user.email)),
      textArray(users.map((user) => user.phone)),
      plainArray(users.map((user) => user.isActive)),
      textArray(users.map((user) => user.organizationSerial)),
      tags.joined,
      tags.separator,
      joinedFields(sorted.map(({ changes }) => changes)),
      plainArray(deliveries.map(({ id }) => id)),
      textArray(deliveries.map(({ kind }) => kind)),
      textArray(deliveries.map(({ state }) => state)),
      plainArray(deliveries.map(({ priority }) => priority)),
      textArray(origins.map(({ requestId }) => requestId)),
      textArray(origins.map(({ actor }) => actor?.kind ?? null)),
      textArray(origins.map(({ actor }) => actor?.id ?? null)),
    ],
    rowMode: 'array',
  });
  return new Set(rows.map(([serial]) => serial));
}
