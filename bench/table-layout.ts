/**
 * The measurements behind the layout of the users table in `migrations/0001_users.sql`:
 *
 * 1. The fillfactor. Free space on a page lets PostgreSQL store the new version of a row next to the old one without
 *    touching any index (a HOT update), as long as no indexed column changes. How much free space is worth it?
 * 2. The column order. Fixed-width columns at the front need no padding. How many bytes does that save compared with
 *    the order of fields in the contract?
 *
 * Run it from the root of the checkout with `npm run bench:table-layout`. It takes about a minute.
 */
import { readFileSync } from 'node:fs';
import pg from 'pg';
import { table } from '../src/cli/terminal/table.js';
import { shown } from './figures.js';
import { withPostgres } from './processes.js';
import { fillUsers, seededRandom, userCount } from './users.js';

const fillfactors = [100, 90, 80, 70] as const;
const rounds = 20;
/** A quiet night, and one after which much of the company has a new phone number. */
const sharesPerRound = [0.1, 0.5] as const;
/** Like the service, which splits long calls into transactions. */
const rowsPerTransaction = 2_500;
/** Autovacuum would run at 20% dead rows. It is off here, so that all runs are alike. */
const roundsPerVacuum = 2;

/** The order of fields in the contract. */
const contractOrder = `serial, employee_id, name, username, email, phone, is_active, tag_serials, organization_serial,
  created_at, updated_at, version`;

const migration = readFileSync('migrations/0001_users.sql', 'utf8');

await withPostgres(async ({ databaseUrl }) => {
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
  await client.connect();
  await client.query('ALTER SYSTEM SET autovacuum = off');
  await client.query('SELECT pg_reload_conf()');

  console.log(
    `\n${rounds} rounds of phone updates for random users, ${userCount.toLocaleString('en')} users`,
  );
  const rows = [];
  for (const share of sharesPerRound) {
    for (const fillfactor of fillfactors) rows.push(await measureFillfactor(client, fillfactor, share));
  }
  console.log(
    table([
      [
        'share per round',
        'fillfactor',
        'HOT updates, %',
        'table before, MB',
        'table after, MB',
        'indexes after, MB',
      ],
      ...rows,
    ]),
  );

  console.log(`\nThe same ${userCount.toLocaleString('en')} users in two column orders, fillfactor 100`);
  console.log(table([['order', 'bytes per row', 'table, MB'], ...(await measureColumnOrders(client))]));
  await client.end();
});

async function measureFillfactor(client: pg.Client, fillfactor: number, share: number): Promise<string[]> {
  await createUsers(client, fillfactor);
  const sizeAtFirst = await sizesMb(client);
  const random = seededRandom(fillfactor);
  for (let round = 1; round <= rounds; round++) {
    await updatePhones(client, random, round, share * userCount);
    if (round % roundsPerVacuum === 0) await client.query('VACUUM users');
  }
  await client.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await client.query<{ share: number }>(
    `SELECT 100.0::float8 * n_tup_hot_upd / n_tup_upd AS share FROM pg_stat_user_tables
     WHERE relid = 'users'::regclass`,
  );
  const sizeAfter = await sizesMb(client);
  return [
    `${share * 100}%`,
    String(fillfactor),
    shown(rows[0]?.share ?? 0),
    shown(sizeAtFirst.table),
    shown(sizeAfter.table),
    shown(sizeAfter.indexes),
  ];
}

/** The table and indexes of the migration, with another fillfactor, in a separate schema. */
async function createUsers(client: pg.Client, fillfactor: number): Promise<void> {
  await client.query('DROP SCHEMA IF EXISTS bench CASCADE; CREATE SCHEMA bench; SET search_path TO bench');
  const sql = migration.replace(/fillfactor = \d+/, `fillfactor = ${fillfactor}`);
  if (!sql.includes(`fillfactor = ${fillfactor}`)) throw new Error('the migration does not set a fillfactor');
  await client.query(sql);
  await fillUsers(client);
}

async function updatePhones(
  client: pg.Client,
  random: () => number,
  round: number,
  count: number,
): Promise<void> {
  const numbers = new Set<number>();
  while (numbers.size < count) numbers.add(1 + Math.floor(random() * userCount));
  const employeeIDs = Array.from(numbers, (number) => `E${number}`);
  for (let start = 0; start < employeeIDs.length; start += rowsPerTransaction) {
    await client.query({
      name: 'update-phones',
      text: `UPDATE users SET phone = '+49 40 ' || 1000000 + $2::int, version = version + 1, updated_at = now()
             WHERE employee_id = ANY ($1::text[])`,
      values: [employeeIDs.slice(start, start + rowsPerTransaction), round],
    });
  }
}

async function sizesMb(client: pg.Client): Promise<{ table: number; indexes: number }> {
  const { rows } = await client.query<{ table: number; indexes: number }>(
    `SELECT pg_relation_size('users') / 1048576.0::float8 AS "table",
            pg_indexes_size('users') / 1048576.0::float8 AS indexes`,
  );
  return rows[0] ?? { table: 0, indexes: 0 };
}

async function measureColumnOrders(client: pg.Client): Promise<string[][]> {
  await createUsers(client, 100);
  const measured: string[][] = [];
  for (const [order, columns] of [
    ['migration', '*'],
    ['contract', contractOrder],
  ] as const) {
    await client.query(`CREATE TABLE reordered AS SELECT ${columns} FROM users ORDER BY serial`);
    const { rows } = await client.query<{ width: number; size: number }>(
      `SELECT avg(pg_column_size(reordered))::float8 AS width,
              pg_relation_size('reordered') / 1048576.0::float8 AS size FROM reordered`,
    );
    measured.push([order, shown(rows[0]?.width ?? 0), (rows[0]?.size ?? 0).toFixed(1)]);
    await client.query('DROP TABLE reordered');
  }
  return measured;
}
