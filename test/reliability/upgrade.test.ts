import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { migrate, schemaVersion } from '../../src/storage/migrate.js';
import { opened } from '../support/backups.js';
import { createSchema, insertUsers, serialOf } from '../support/old-database.js';
import { createEmptyDatabase } from '../support/service.js';

async function connected(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  client.on('error', () => {}); // some of them are terminated
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

/** A database of 0.2.0, and a connection that observes it. */
async function oldDatabase(): Promise<{ url: string; observer: pg.Client }> {
  const url = await createEmptyDatabase();
  const observer = await connected(url);
  await createSchema(observer, 7);
  await insertUsers(observer, 100);
  return { url, observer };
}

const rename = (client: pg.Client, name: string) =>
  client.query('UPDATE users SET name = $2 WHERE serial = $1', [serialOf(1), name]);

const unfinishedIndexes = (client: pg.Client) =>
  client.query<{ name: string; pid: number | null }>(
    `SELECT indexrelid::regclass AS name, pid FROM pg_index
     LEFT JOIN pg_stat_progress_create_index ON index_relid = indexrelid WHERE NOT indisvalid`,
  );

test('indexes are built while others write, by one node at a time, and again if that was interrupted', async () => {
  const { url, observer } = await oldDatabase();
  const reader = await connected(url);
  await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT'); // a build waits for its end
  const migrating = opened({ DATABASE_URL: url }).then(migrate);
  const interrupted = expect(migrating).rejects.toThrow();
  await expect
    .poll(async () => (await unfinishedIndexes(observer)).rows)
    .toMatchObject([{ pid: expect.any(Number) }]);
  const [build] = (await unfinishedIndexes(observer)).rows;

  for (const table of ['users', 'changes', 'calls', 'access_events', 'deliveries'])
    await observer.query(`BEGIN; LOCK TABLE ${table} IN ROW EXCLUSIVE MODE; COMMIT`);
  await observer.query('SELECT pg_terminate_backend($1)', [build?.pid]);
  await interrupted;
  expect((await unfinishedIndexes(observer)).rows).toEqual([{ name: build?.name, pid: null }]);

  const nodes = [1, 2].map(async () => migrate(await opened({ DATABASE_URL: url })));
  await expect
    .poll(async () => (await unfinishedIndexes(observer)).rows)
    .toMatchObject([{ pid: expect.any(Number) }]);
  await reader.query('COMMIT');
  const runs = await Promise.all(nodes);
  expect(
    runs.flat().filter(({ name }) => name.startsWith(String(schemaVersion).padStart(4, '0'))),
  ).toHaveLength(1);
  expect((await unfinishedIndexes(observer)).rows).toEqual([]);
});

test('a migration that waits for a lock lets others pass', async () => {
  const { url, observer } = await oldDatabase();
  const reader = await connected(url);
  await reader.query('BEGIN; LOCK TABLE users IN ACCESS SHARE MODE'); // as a backup does
  const migrating = opened({ DATABASE_URL: url }).then(migrate);
  await expect
    .poll(async () => {
      const waiting = `SELECT FROM pg_locks WHERE relation = 'users'::regclass AND NOT granted`;
      return (await observer.query(waiting)).rowCount;
    })
    .toBe(1);
  await rename(observer, 'While the migration waits');
  await reader.query('COMMIT');
  expect((await migrating).length).toBeGreaterThan(0);
});
