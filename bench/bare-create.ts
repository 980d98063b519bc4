import type pg from 'pg';
import { v7 } from 'uuid';
import { newSerial } from '../src/domain/serial.js';
import { joinedLists, plainArray, textArray } from '../src/storage/sql.js';
import { timedMs } from './figures.js';
import { inParallel } from './in-parallel.js';
import { createdLogText, type NewPerson } from './new-people.js';

/** Creates users as the service does: user, password message and change log row in one prepared statement per user. */
export async function createInBareSql(
  pool: pg.Pool,
  people: readonly NewPerson[],
  concurrency: number,
): Promise<number> {
  const rows = people.map((person) => ({ ...person, logged: createdLogText(person) }));
  return timedMs(() =>
    inParallel(rows, concurrency, async (person) => {
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
          person.employeeID,
          person.name,
          person.username,
          person.email,
          person.phone,
          person.isActive,
          person.organizationSerial,
          textArray(person.tagSerials),
          person.logged,
          v7(),
          v7(),
        ],
      });
    }),
  );
}

/** The minimal cost of a bulk create: one transaction with three statements, for users, messages and the change log. */
export async function createBulkInBareSql(client: pg.Client, people: readonly NewPerson[]): Promise<number> {
  const logged = people.map(createdLogText).join('\u001f');
  return timedMs(async () => {
    const births = people.map(newSerial);
    const serials = plainArray(births.map(({ serial }) => serial));
    const employeeIDs = textArray(people.map(({ employeeID }) => employeeID));
    const tags = joinedLists(people.map(({ tagSerials }) => tagSerials));
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
        textArray(people.map(({ name }) => name)),
        textArray(people.map(({ username }) => username)),
        textArray(people.map(({ email }) => email)),
        textArray(people.map(({ phone }) => phone)),
        plainArray(people.map(({ isActive }) => isActive)),
        textArray(people.map(({ organizationSerial }) => organizationSerial)),
        tags.joined,
        tags.separator,
      ],
    });
    await client.query({
      name: 'bare-insert-deliveries',
      text: `INSERT INTO deliveries (id, user_serial, kind, state, priority, request_id)
             SELECT id, user_serial, 'initial-password', 'waiting', 1, $3
             FROM unnest($1::uuid[], $2::uuid[]) AS new (id, user_serial)`,
      values: [plainArray(people.map(() => v7())), serials, requestId],
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
