import type pg from 'pg';
import { v7 } from 'uuid';
import { newSerial } from '../src/domain/serial.js';
import { joinedLists, plainArray, textArray } from '../src/storage/sql.js';
import { timedMs } from './figures.js';
import { inParallel } from './in-parallel.js';
import { createdLogText, type NewUser } from './new-users.js';

/** Creates users as the service does: user, password message and change log row in one prepared statement per user. */
export async function createInBareSql(
  pool: pg.Pool,
  users: readonly NewUser[],
  concurrency: number,
): Promise<number> {
  const rows = users.map((user) => ({ ...user, logged: createdLogText(user) }));
  return timedMs(() =>
    inParallel(rows, concurrency, async (user) => {
      const { serial, createdAt } = newSerial();
      await pool.query({
        name: 'bare-insert',
        text: `WITH created AS (
                 INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                                    organization_serial, tag_serials)
                 VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10)),
               to_send AS (
                 INSERT INTO deliveries (id, user_serial, kind, state, priority, request_id)
                 VALUES ($12, $1, 'initial-password', 'waiting', 0, $13))
               INSERT INTO changes (user_serial, version, employee_id, kind, fields, actor_kind, actor_id, request_id)
               VALUES ($1, 1, $3, 'created', $11, 'client', 'bench', $13)`,
        values: [
          serial,
          createdAt,
          user.employeeID,
          user.name,
          user.username,
          user.email,
          user.phone,
          user.isActive,
          user.organizationSerial,
          textArray(user.tagSerials),
          user.logged,
          v7(),
          v7(),
        ],
      });
    }),
  );
}

/** The minimal cost of a bulk create: one transaction with three statements, for users, messages and the change log. */
export async function createBulkInBareSql(client: pg.Client, users: readonly NewUser[]): Promise<number> {
  const logged = users.map(createdLogText).join('\u001f');
  return timedMs(async () => {
    const births = users.map(newSerial);
    const serials = plainArray(births.map(({ serial }) => serial));
    const employeeIDs = textArray(users.map(({ employeeID }) => employeeID));
    const tags = joinedLists(users.map(({ tagSerials }) => tagSerials));
    const requestId = v7();
    await client.query('BEGIN');
    await client.query({
      name: 'bare-insert-users',
      text: `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                                organization_serial, tag_serials)
             SELECT serial, created_at, created_at, employee_id, name, username, email, phone, is_active,
                    organization_serial, string_to_array(tags, $11)
             FROM unnest($1::uuid[], $2::timestamptz[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[],
                         $8::boolean[], $9::text[], $10::text[])
               AS new (serial, created_at, employee_id, name, username, email, phone, is_active, organization_serial, tags)`,
      values: [
        serials,
        plainArray(births.map(({ createdAt }) => createdAt.toISOString())),
        employeeIDs,
        textArray(users.map(({ name }) => name)),
        textArray(users.map(({ username }) => username)),
        textArray(users.map(({ email }) => email)),
        textArray(users.map(({ phone }) => phone)),
        plainArray(users.map(({ isActive }) => isActive)),
        textArray(users.map(({ organizationSerial }) => organizationSerial)),
        tags.joined,
        tags.separator,
      ],
    });
    await client.query({
      name: 'bare-insert-deliveries',
      text: `INSERT INTO deliveries (id, user_serial, kind, state, priority, request_id)
             SELECT id, user_serial, 'initial-password', 'waiting', 1, $3
             FROM unnest($1::uuid[], $2::uuid[]) AS new (id, user_serial)`,
      values: [plainArray(users.map(() => v7())), serials, requestId],
    });
    await client.query({
      name: 'bare-insert-changes',
      text: `INSERT INTO changes (user_serial, version, employee_id, fields, kind, call_id, actor_kind, actor_id, request_id)
             SELECT user_serial, 1, employee_id, fields::json, 'created', $4::uuid, 'client', 'bench', $5
             FROM unnest($1::uuid[], $2::text[], string_to_array($3, E'\\x1f')) AS new (user_serial, employee_id, fields)`,
      values: [serials, employeeIDs, logged, v7(), requestId],
    });
    await client.query('COMMIT');
  });
}
