import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { runHousekeeping } from '../../src/domain/maintenance/housekeeping.js';
import type { Database } from '../../src/storage/database.js';
import { firstSerial, readIndexState, rebuildIndex } from '../../src/storage/indexing/index-state.js';
import { migrate } from '../../src/storage/migrate.js';
import { openDatabase } from '../../src/storage/open-database.js';
import { givenUpdates, statesOf, undo, verdictsOf } from '../support/calls.js';
import { readEntry } from '../support/directories.js';
import { expectCompleteIndex, untilIndexed } from '../support/index-checks.js';
import { firstClient, useNodes } from '../support/nodes.js';
import { createSchema, insertUsers, serialOf } from '../support/old-database.js';
import { createDatabase, createEmptyDatabase, TestService } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

const startNodes = useNodes();

async function opened(databaseUrl: string): Promise<Database> {
  const database = await openDatabase(
    readConfig({ DATABASE_URL: databaseUrl, ROLLCALL_DATA_DIR: temporaryDirectory() }),
    () => {},
  );
  onTestFinished(() => database.close());
  return database;
}

/** Nobody indexes until the returned function is called. */
async function indexingPaused(databaseUrl: string): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query('BEGIN; SELECT FROM index_state FOR UPDATE');
  const resume = async () => client.end();
  onTestFinished(() => client.end().catch(() => {}));
  return resume;
}

const bootstrapped = (databaseUrl: string) => ({
  DATABASE_URL: databaseUrl,
  ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
});

const users = 4_000;
const renamed = 600;
const oldCreate = '01980000-0000-7000-8000-00000000c0de';
const oldUpdate = '01980000-0000-7000-8000-00000000cafe';

/** What the version before the indexer left: users, a bulk create of the last 100, and an update of the first 600. */
async function writeOldCalls(database: Database): Promise<void> {
  const { pool } = database;
  await pool.query(
    `INSERT INTO calls (id, kind, items, succeeded, changes, state, actor_kind, actor_id, request_id, finished_at)
     SELECT call.id, call.kind, items, items, items, 'completed', 'client', 'old', 'old', now()
     FROM (VALUES ($1::uuid, 'create-bulk', 100), ($2::uuid, 'update-bulk', $3::integer)) AS call (id, kind, items)`,
    [oldCreate, oldUpdate, renamed],
  );
  await pool.query(
    `INSERT INTO changes (user_serial, version, employee_id, call_id, kind, actor_kind, actor_id, request_id, fields)
     SELECT serial, 1, employee_id, $1, 'created', 'client', 'old', 'old',
       (SELECT json_object_agg(field, json_build_object('before', NULL, 'after', value))
        FROM json_each(json_build_object('employeeID', employee_id, 'name', name, 'email', email, 'isActive', is_active,
          'organizationSerial', organization_serial, 'tagSerials', tag_serials)) AS created (field, value)
        WHERE value::text <> 'null')
     FROM users ORDER BY serial DESC LIMIT 100`,
    [oldCreate],
  );
  await pool.query(
    `WITH updated AS (
       UPDATE users SET name = 'New ' || employee_id, version = 2 WHERE serial <= $3::uuid RETURNING serial, employee_id, name)
     INSERT INTO changes (user_serial, version, employee_id, call_id, kind, actor_kind, actor_id, request_id, fields)
     SELECT serial, 2, employee_id, $1, $2, 'client', 'old', 'old', json_build_object('name',
       json_build_object('before', 'Old Name' || substr(employee_id, 2), 'after', name)) FROM updated`,
    [oldUpdate, 'updated', serialOf(renamed)],
  );
}

test('a database of the version before is usable while its users are indexed, and complete afterwards', async () => {
  const url = await createEmptyDatabase();
  const database = await opened(url);
  await createSchema(database.pool, 7);
  await insertUsers(database.pool, users);
  await writeOldCalls(database);
  await migrate(database);
  const batch = { log: 10_000, users: 2_500 };
  expect(await indexNext(database, renamed + 100, batch)).toBe('more');
  const resume = await indexingPaused(url);
  const service = await TestService.start(bootstrapped(url));
  onTestFinished(() => service.stop());

  // Half of the users are indexed.
  const total = async (query: string) =>
    (await service.get(`/service/users?limit=1&total=exact&${query}`)).json.data.total.count;
  expect(await total('tagSerial=T1')).toBe(users / 5);
  expect(await total('notOrganizationSerial=O0&isActive=false&sort=name')).toBe(
    Array.from({ length: users }, (_, n) => n + 1).filter((n) => n % 7 === 0 && n % 4 !== 1).length,
  );
  const partly = (await service.get('/service/users?search=old&limit=1&total=exact')).json.data;
  expect(partly).toMatchObject({
    isComplete: false,
    total: { count: batch.users - renamed, isExact: false },
  });
  expect((await readEntry(service, 'tags', 'T1')).users).toMatchObject({ isExact: false });

  const [early, late] = [serialOf(1_000), serialOf(3_500)];
  await givenUpdates(service, [
    { employeeID: 'E1000', name: 'Changed Early', isActive: true, tagSerials: ['T9'] },
    { employeeID: 'E3500', name: 'Changed Late', isActive: true, tagSerials: ['T9'] },
  ]);
  const added = await service.givenUser({ name: 'Added Meanwhile', tagSerials: ['T9'] });
  const undone = Object.values(verdictsOf(await undo(service, oldCreate)));
  expect(undone).toEqual(Array(100).fill('deleted'));
  expect(await total('tagSerial=T9')).toBe(3);
  const history = async (serial: string) =>
    (await service.get(`/service/users/${serial}/history`)).json.data.items.map(
      ({ kind, callId }: { kind: string; callId: string }) => [kind, callId === oldUpdate],
    );
  expect(await history(serialOf(5))).toEqual([['updated', true]]);
  expect(await history(late)).toEqual([['updated', false]]);

  await resume();
  await untilIndexed(database.pool);
  await expectCompleteIndex(database.pool);
  const found = async (search: string) =>
    (await service.get(`/service/users?search=${search}&sort=createdAt`)).json.data.items.map(
      ({ serial }: { serial: string }) => serial,
    );
  expect(await found('changed')).toEqual([early, late]);
  expect(await found('meanwhile')).toEqual([added.serial]);
  expect(await found(`E${users}`)).toEqual([]);
  expect((await readEntry(service, 'tags', 'T9')).users).toEqual({ total: 3, active: 3, isExact: true });

  // The log of before is still read and undone.
  const changes = await service.get(`/service/changes?callId=${oldUpdate}&limit=200`);
  expect(changes.json.data.items).toHaveLength(200);
  await givenUpdates(service, [{ employeeID: 'E7', name: 'Changed Since', isActive: true }]);
  const verdicts = verdictsOf(await undo(service, oldUpdate));
  expect(verdicts).toMatchObject({ E1: 'updated', E600: 'updated', E7: 10110 });
  expect(Object.values(verdicts).filter((kind) => kind === 'updated')).toHaveLength(renamed - 1);
  expect(await statesOf(service, [serialOf(600)])).toMatchObject([{ name: 'Old Name600' }]);
  expect(await history(serialOf(600))).toEqual([
    ['updated', false],
    ['updated', true],
  ]);

  // Pruning removes what was found through the index, too.
  await untilIndexed(database.pool);
  await expectCompleteIndex(database.pool);
  await database.pool.query(`UPDATE changes SET at = now() - interval '40 days'`);
  await givenUpdates(service, [{ employeeID: 'E7', name: 'Kept', isActive: true }]);
  await runHousekeeping(service.context, { accessEventsDays: 30, changesDays: 30 });
  await untilIndexed(database.pool);
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::integer FROM archived_changes) AS archived,
            (SELECT array_agg(user_serial) FROM user_changes) AS indexed`,
  );
  expect(rows).toEqual([{ archived: 0, indexed: [serialOf(7)] }]);
  expect(await history(serialOf(7))).toEqual([['updated', false]]);
});

test('a build ends with the users of before: it does not wait until nobody creates users any more', async () => {
  const database = await opened(await createDatabase());
  await insertUsers(database.pool, 100);
  await rebuildIndex(database.pool);
  expect(await indexNext(database, 0)).toBe('more');
  expect((await readIndexState(database.pool)).builtTo).toBeUndefined();
});

test('a change costs the same effort, however many wait behind it or came before', async () => {
  const database = await opened(await createDatabase());
  const { pool } = database;
  // A plan that is made now, for tables that are known to be empty, is kept when they are not.
  await pool.query('VACUUM (ANALYZE)');
  const readPerChange = async (changes: number) => {
    const before = await rowsRead(pool);
    await pool.query(
      `INSERT INTO changes (user_serial, version, employee_id, kind, fields)
       SELECT gen_random_uuid(), 2, 'E', 'updated', '{"employeeID":{"before":"D","after":"E"}}' FROM generate_series(1, $1)`,
      [changes],
    );
    const settled = Number((await pool.query('SELECT max(seq) AS last FROM changes')).rows[0].last);
    while ((await indexNext(database, settled, { log: 20, users: 10 })) !== 'done');
    return ((await rowsRead(pool)) - before) / changes;
  };
  const ofFew = await readPerChange(100);
  expect(await readPerChange(400)).toBeLessThan(1.1 * ofFew);
});

/** How many rows of the change log, and of the former names that come from it, were read so far. */
async function rowsRead(pool: pg.Pool): Promise<number> {
  await pool.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await pool.query<{ read: string }>(
    `SELECT sum(seq_tup_read + idx_tup_fetch) AS read FROM pg_stat_user_tables
     WHERE relname IN ('changes', 'former_names')`,
  );
  return Number(rows[0]?.read);
}

test('two nodes index the same changes once, after another one was killed while it built the index', {
  tags: 'release',
}, async () => {
  const url = await createDatabase();
  const database = await opened(url);
  await insertUsers(database.pool, 6_000);
  await rebuildIndex(database.pool);
  const killed = await spawned({ ...bootstrapped(url), ROLLCALL_DATA_DIR: temporaryDirectory() });
  const builtTo = async () =>
    (await database.pool.query('SELECT built_to FROM index_state')).rows[0].built_to as string | null;
  await expect.poll(builtTo, { interval: 1 }).not.toBe(firstSerial);
  await killed.kill('SIGKILL');

  const [one, other] = await startNodes(url);
  const items = (round: number) =>
    Array.from({ length: 600 }, (_, index) => {
      const n = round * 300 + index + 1;
      return {
        employeeID: `E${n}`,
        name: `Round ${round} ${n}`,
        isActive: (n + round) % 3 > 0,
        tagSerials: [`T${round}`],
        organizationSerial: `O${n % 9}`,
      };
    });
  for (let round = 0; round < 4; round += 2)
    await Promise.all([givenUpdates(one, items(round)), givenUpdates(other, items(round + 1))]);
  await untilIndexed(database.pool);
  await expectCompleteIndex(database.pool);
});
