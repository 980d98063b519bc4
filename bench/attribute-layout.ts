/**
 * The measurements behind `users.attributes`: one `jsonb` column, or a side table with a row per value. Both next to an
 * update of the phone number, with as little else as possible: one transaction that updates 10,000 of the users.
 *
 * Run it from the root of the checkout with `npm run bench:attribute-layout`. It takes about two minutes.
 */
import pg from 'pg';
import { table } from '../src/cli/terminal/table.js';
import { figuresOf, shown, timedMs } from './figures.js';
import { withPostgres } from './processes.js';
import { fillUsers, userCount } from './users.js';

const rounds = 15;
const changed = 10_000;
/** What each user has. */
const valuesPerUser = [5, 20] as const;

type Write = (client: pg.Client, round: number) => Promise<void>;

const employeeIDs = (round: number) =>
  Array.from({ length: changed }, (_, index) => `E${1 + ((index * 7 + round * 13) % userCount)}`);

const writes: Readonly<Record<string, Write>> = {
  'phone number': async (client, round) => {
    await client.query({
      name: 'phone',
      text: `UPDATE users SET phone = $2, version = version + 1, updated_at = now() WHERE employee_id = ANY ($1::text[])`,
      values: [employeeIDs(round), `+49 ${round}`],
    });
  },
  'jsonb column': async (client, round) => {
    await client.query({
      name: 'jsonb',
      text: `UPDATE users SET attributes = attributes || jsonb_build_object('1', $2::text), version = version + 1,
               updated_at = now() WHERE employee_id = ANY ($1::text[])`,
      values: [employeeIDs(round), `value ${round}`],
    });
  },
  'side table': async (client, round) => {
    await client.query({
      name: 'side',
      text: `WITH changed AS (
               UPDATE users SET version = version + 1, updated_at = now() WHERE employee_id = ANY ($1::text[])
               RETURNING serial)
             INSERT INTO attribute_values (user_serial, attribute_id, value)
             SELECT serial, 1, to_jsonb($2::text) FROM changed
             ON CONFLICT (user_serial, attribute_id) DO UPDATE SET value = excluded.value`,
      values: [employeeIDs(round), `value ${round}`],
    });
  },
};

const reads: Readonly<Record<string, string>> = {
  'without attributes':
    'SELECT serial, employee_id, name, phone FROM users WHERE employee_id = ANY ($1::text[])',
  'jsonb column':
    'SELECT serial, employee_id, name, phone, attributes::text FROM users WHERE employee_id = ANY ($1::text[])',
  'side table': `SELECT serial, employee_id, name, phone,
      (SELECT jsonb_object_agg(attribute_id, value)::text FROM attribute_values WHERE user_serial = serial)
    FROM users WHERE employee_id = ANY ($1::text[])`,
};

await withPostgres(async ({ databaseUrl }) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
  await client.connect();
  const rows: string[][] = [];
  for (const count of valuesPerUser) rows.push(...(await measure(client, count)));
  console.log(
    table([['values per user', 'what', 'write, ms', '× phone number', 'read, ms', 'on disk, MB'], ...rows]),
  );
  await client.end();
});

async function measure(client: pg.Client, count: number): Promise<string[][]> {
  await client.query(`DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench; SET search_path TO bench;
    CREATE TABLE users (serial uuid PRIMARY KEY, created_at timestamptz NOT NULL, updated_at timestamptz NOT NULL,
      version integer NOT NULL DEFAULT 1, is_active boolean NOT NULL, employee_id text NOT NULL UNIQUE,
      name text NOT NULL, username text, email text, phone text, organization_serial text,
      tag_serials text[] NOT NULL, attributes jsonb) WITH (fillfactor = 90);
    CREATE TABLE attribute_values (user_serial uuid, attribute_id integer, value jsonb NOT NULL,
      PRIMARY KEY (user_serial, attribute_id)) WITH (fillfactor = 90)`);
  await fillUsers(client);
  const bare = await megabytes(client);
  await client.query(
    `UPDATE users SET attributes = (SELECT jsonb_object_agg(id, 'value ' || id) FROM generate_series(1, $1::integer) AS id)`,
    [count],
  );
  await client.query('VACUUM FULL users');
  const withColumn = await megabytes(client);
  await client.query(
    `INSERT INTO attribute_values SELECT serial, id, to_jsonb('value ' || id)
     FROM users, generate_series(1, $1::integer) AS id`,
    [count],
  );
  await client.query('VACUUM ANALYZE users, attribute_values');
  const sizes: Readonly<Record<string, number>> = {
    'jsonb column': withColumn - bare,
    'side table': (await megabytes(client)) - withColumn,
  };
  const written = new Map<string, number[]>();
  const read = new Map<string, number[]>();
  for (let round = 1; round <= rounds; round++) {
    for (const [name, write] of Object.entries(writes))
      note(written, name, await timedMs(() => write(client, round)));
    for (const [name, text] of Object.entries(reads)) {
      const ids = employeeIDs(round).slice(0, 2_500);
      note(read, name, await timedMs(async () => void (await client.query({ name, text, values: [ids] }))));
    }
  }
  const phone = medianOf(written.get('phone number') ?? []);
  return [...new Set([...written.keys(), ...read.keys()])].map((name) => {
    const ms = written.get(name);
    return [
      String(count),
      name,
      ms ? shown(medianOf(ms)) : '',
      ms ? shown(medianOf(ms) / phone) : '',
      read.has(name) ? shown(medianOf(read.get(name) ?? [])) : '',
      sizes[name] === undefined ? '' : shown(sizes[name]),
    ];
  });
}

function note(times: Map<string, number[]>, name: string, ms: number): void {
  times.set(name, [...(times.get(name) ?? []), ms]);
}

async function megabytes(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ mb: number }>(
    `SELECT (pg_total_relation_size('users') + pg_total_relation_size('attribute_values')) / 1048576.0::float8 AS mb`,
  );
  return rows[0]?.mb ?? 0;
}

function medianOf(values: readonly number[]): number {
  return figuresOf(values).median;
}
