import type { ServerResponse } from 'node:http';
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startFeeds } from '../../src/domain/feeds/feed-worker.js';
import { uploadFile } from '../../src/domain/feeds/upload-file.js';
import { aRival, type Rival, untilWaiting } from '../support/concurrent-transactions.js';
import { CuttableProxy } from '../support/cuttable-proxy.js';
import { fullDatabase } from '../support/faulty-database.js';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, type Run, type TestFeed } from '../support/feeds.js';
import { startFileServer } from '../support/file-server.js';
import { firstClient } from '../support/nodes.js';
import { createDatabase, newId, silentLogger, TestService } from '../support/service.js';
import { type ServiceProcess, spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** So the claim of a killed node ends soon. */
const shortLeases = { ROLLCALL_FEED_LEASE_MS: '1000', ROLLCALL_CALL_LEASE_MS: '1000' };

const settings = {
  ...{ ...eagerFeeds, ...shortLeases },
  ROLLCALL_SECRET_KEY: Buffer.alloc(32, 'shared').toString('base64'),
  ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
  ROLLCALL_WEBHOOK_TARGETS: 'any',
};

/** Takes requests. It works on runs only while a test lets it. */
let service: TestService;
let databaseUrl: string;
beforeAll(async () => {
  databaseUrl = await createDatabase();
  service = await TestService.start({ ...settings, DATABASE_URL: databaseUrl, ROLLCALL_FEEDS_AT_ONCE: '0' });
  return () => service.stop();
});

/** Another node that works on runs. */
function startWorker() {
  const worker = startFeeds(service.context, silentLogger);
  onTestFinished(() => worker.stop());
  return worker;
}

async function startDoomedNode(): Promise<ServiceProcess> {
  const environment = { ...settings, DATABASE_URL: databaseUrl, ROLLCALL_DATA_DIR: temporaryDirectory() };
  return (await spawned(environment)).ready();
}

/** A run of three chunks, in which everything happens that can. */
interface Scenario {
  readonly feed: TestFeed;
  readonly file: string;
  /** Of users who exist before. `last` is in the last chunk. */
  readonly serials: Readonly<Record<'first' | 'renamed' | 'rehired' | 'last' | 'missing', string>>;
  /** Employee IDs of new users. */
  readonly created: readonly string[];
}

async function givenScenario(source: object = { type: 'upload' }): Promise<Scenario> {
  const organizationSerial = newId('ORG');
  const [first, renamed, rehired, last, missing] = await Promise.all(
    [true, true, false, true, true].map((isActive) => service.givenUser({ organizationSerial, isActive })),
  );
  if (!first || !renamed || !rehired || !last || !missing) throw new Error('there are five');
  const created = [newId(), newId(), newId()] as const;
  const row = (employeeID: string, renamedFrom = '') =>
    aRow(employeeID, 'As in the file', { organizationSerial, renamedFrom });
  const file = csvOf([
    ...[row(first.employeeID), row(created[0]), row(rehired.employeeID)],
    ...[row(newId(), renamed.employeeID), row(created[1]), { ...row(newId()), email: '' }],
    ...[row(last.employeeID), row(created[2])],
  ]);
  const feed = await givenFeed(service, {
    source,
    mapping: mappingOf(['employeeID', 'name', 'email', 'organizationSerial', 'renamedFrom']),
    rules: { rehire: true, deactivateMissing: true, organizationSerials: [organizationSerial] },
  });
  const serials = {
    ...{ first: first.serial, renamed: renamed.serial, rehired: rehired.serial },
    ...{ last: last.serial, missing: missing.serial },
  };
  return { feed, file, serials, created };
}

const outcomes = { created: 3, updated: 2, renamed: 1, rehired: 1, deactivated: 1, failed: 1 };

/** Everything is as after a run that nothing has interrupted, and nothing happened twice. */
async function expectComplete({ feed, serials, created }: Scenario, run: Run): Promise<void> {
  expect(run).toMatchObject({ state: 'done', problem: null, rows: 8, done: 8, counts: outcomes });
  expect(await feed.told(run.id)).toEqual([
    ...[
      [2, 'updated'],
      [3, 'created'],
      [4, 'rehired'],
      [5, 'renamed'],
      [6, 'created'],
    ],
    ...[
      [7, 'CONTACT_REQUIRED'],
      [8, 'updated'],
      [9, 'created'],
      [null, 'deactivated'],
    ],
  ]);
  const { first, renamed, rehired, last, missing } = serials;
  const { items } = (await service.post('/service/users/lookup', { employeeIDs: created })).json.data;
  const newSerials = items.map(({ serial }: { serial: string }) => serial);
  expect(newSerials).toHaveLength(created.length);
  for (const serial of [first, renamed, rehired, last, ...newSerials]) {
    expect(await service.readUser(serial)).toMatchObject({ name: 'As in the file', isActive: true });
  }
  expect(await service.readUser(missing)).toMatchObject({ isActive: false });
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::int AS changes, count(DISTINCT user_serial)::int AS users,
       (SELECT count(*)::int FROM deliveries WHERE user_serial = ANY ($2) AND kind <> 'account-changed') AS passwords
     FROM changes WHERE request_id = $1 AND user_serial IS NOT NULL`,
    [run.id, [rehired, ...newSerials]],
  );
  expect(rows).toEqual([{ changes: 8, users: 8, passwords: 4 + 1 }]); // the rehired user had one before
  expect((await feed.read()).users).toBe(7);
}

/** A run is blocked by the rival in this phase. */
async function untilBlocked(feed: TestFeed, id: string, phase: string): Promise<void> {
  await expect.poll(async () => (await feed.run(id)).phase, { interval: 20 }).toBe(phase);
  await untilWaiting(service, 1);
}

async function holding(...serials: string[]): Promise<Rival> {
  const rival = await aRival(service);
  await rival.hold(...serials);
  return rival;
}

describe('a run whose node is killed', () => {
  let doomed: ServiceProcess;
  afterEach(async () => {
    if (doomed.child.exitCode === null) await doomed.kill('SIGKILL');
  });

  test('while it fetches the file, is continued by another node', { tags: 'release' }, async () => {
    const waiting: ServerResponse[] = [];
    const scenario = await givenScenario();
    const { feed, file } = scenario;
    const server = await startFileServer(
      (_, response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(file) });
        if (waiting.push(response) === 1) response.write(file.slice(0, 50));
        else response.end(file);
      },
      { tls: false },
    );
    await feed.patch({ source: { type: 'https', url: `${server.url}/staff.csv` } });
    doomed = await startDoomedNode();
    const { id } = (await service.post(`${feed.path}/runs`, {})).json.data;
    await expect.poll(() => waiting.length, { interval: 20 }).toBe(1);
    await doomed.kill('SIGKILL');
    startWorker();
    await expectComplete(scenario, await feed.settled(id));
  });

  test('while it plans, is continued by another node', { tags: 'release' }, async () => {
    const scenario = await givenScenario();
    const { feed, file } = scenario;
    doomed = await startDoomedNode();
    const rival = await aRival(service);
    await rival.query('LOCK TABLE feed_users IN ACCESS EXCLUSIVE MODE');
    const { id } = (await feed.upload(file)).json.data;
    await untilWaiting(service, 1);
    await doomed.kill('SIGKILL');
    await rival.commit();
    expect(await feed.run(id)).toMatchObject({ phase: 'plan', state: 'running' });
    startWorker();
    await expectComplete(scenario, await feed.settled(id));
  });

  test('while it writes, is continued by another node, and nothing is done twice', async () => {
    const scenario = await givenScenario();
    const { feed, file, serials } = scenario;
    doomed = await startDoomedNode();
    const rival = await holding(serials.last);
    const { id } = (await feed.upload(file)).json.data;
    await untilBlocked(feed, id, 'apply');
    await expect.poll(async () => (await feed.run(id)).done, { interval: 20 }).toBe(6);
    await doomed.kill('SIGKILL');
    await rival.commit();
    startWorker();
    await expectComplete(scenario, await feed.settled(id));
  });

  test('while it is undone, is undone by another node', async () => {
    const { feed, file, serials, created } = await givenScenario();
    const before = await Promise.all(Object.values(serials).map((serial) => service.readUser(serial)));
    doomed = await startDoomedNode();
    const { id } = await feed.synced(file);
    const rival = await holding(serials.first);
    expect((await feed.decide(id, 'undo')).status).toBe(202);
    await untilWaiting(service, 1);
    await doomed.kill('SIGKILL');
    await rival.commit();
    startWorker();
    expect(await feed.settled(id)).toMatchObject({ state: 'undone', problem: null });
    const after = await Promise.all(Object.values(serials).map((serial) => service.readUser(serial)));
    const shown = (users: typeof before) => users.map(({ version: _, updatedAt: __, ...user }) => user);
    expect(shown(after)).toEqual(shown(before));
    const lookup = await service.post('/service/users/lookup', { employeeIDs: created });
    expect(lookup.json.data.items).toEqual([]);
  });
});

test('runs of one feed never overlap, on any number of nodes', async () => {
  const scenario = await givenScenario();
  const { feed, file, serials } = scenario;
  for (let node = 0; node < 3; node++) startWorker();
  const rival = await holding(serials.last);
  const { id } = (await feed.upload(file)).json.data;
  await untilBlocked(feed, id, 'apply');
  const later = [(await feed.upload(file)).json.data, (await feed.upload(file)).json.data];
  // Nodes are free, as another feed shows.
  const other = await givenFeed(service);
  const { employeeID } = await service.givenUser();
  expect((await other.synced(csvOf([aRow(employeeID)]))).state).toBe('done');
  for (const run of later) expect((await feed.run(run.id)).state).toBe('queued');
  await rival.commit();
  await expectComplete(scenario, await feed.settled(id));
  for (const run of later)
    expect(await feed.settled(run.id)).toMatchObject({ state: 'done', counts: { created: 0, updated: 0 } });
});

test('a run goes on by itself after an outage of the database', async () => {
  const proxy = new CuttableProxy(databaseUrl);
  await proxy.open();
  onTestFinished(() => proxy.cut());
  const url = new URL(databaseUrl);
  url.port = new URL(proxy.url).port;
  const node = await TestService.start({ ...settings, DATABASE_URL: url.href });
  onTestFinished(() => node.stop());
  const scenario = await givenScenario();
  const { feed, file, serials } = scenario;
  const rival = await holding(serials.last);
  const { id } = (await feed.upload(file)).json.data;
  await untilBlocked(feed, id, 'apply');
  await proxy.cut();
  await rival.commit();
  await proxy.open();
  await expectComplete(scenario, await feed.settled(id));
  expect(node.logs).not.toContain('a run of a feed was interrupted');
});

describe('a run that ends its nodes', () => {
  /** As if another node had taken over and ended at once. */
  const crash = (id: string, crashes: number) =>
    service.database.pool.query(
      `UPDATE feed_runs SET claim = claim + 1, crashes = crashes + $2, claimed_until = now() WHERE id = $1`,
      [id, crashes],
    );

  test('while it plans is tried three times, and fails', async () => {
    const { feed, file, serials } = await givenScenario();
    const before = await service.readUser(serials.first);
    const { id } = (await feed.upload(file)).json.data;
    await service.database.pool.query(`UPDATE feed_runs SET state = 'running' WHERE id = $1`, [id]);
    await crash(id, 3);
    startWorker();
    expect(await feed.settled(id)).toMatchObject({
      state: 'failed',
      problem: { code: 'TRIED_TOO_OFTEN', crashes: 3 },
    });
    expect(await service.readUser(serials.first)).toEqual(before);
  });

  test('goes on however often nodes change, as long as it gets on', async () => {
    const scenario = await givenScenario();
    const { feed, file, serials } = scenario;
    const rival = await holding(serials.last);
    const first = startWorker();
    const { id } = (await feed.upload(file)).json.data;
    await untilBlocked(feed, id, 'apply');
    await expect.poll(async () => (await feed.run(id)).done, { interval: 20 }).toBe(6);
    await crash(id, 2);
    await service.database.pool.query('UPDATE feed_runs SET claim = 20 WHERE id = $1', [id]);
    await rival.commit();
    await first.stop();
    startWorker();
    await expectComplete(scenario, await feed.settled(id));
  });
});

describe('while the disk of the database is full', () => {
  test.each([
    ['INSERT INTO feed_files', 'fetch'],
    ['INSERT INTO feed_rows', 'apply'],
  ])('at %s, a run waits, and then loses nothing', async (statement, phase) => {
    const scenario = await givenScenario();
    const { feed, file } = scenario;
    const server = await startFileServer((_, response) => response.end(file), { tls: false });
    await feed.patch({ source: { type: 'https', url: `${server.url}/staff.csv` } });
    const disk = { isFull: true, refused: 0 };
    const database = fullDatabase(service.database, disk, statement);
    const worker = startFeeds({ ...service.context, database }, silentLogger);
    onTestFinished(() => worker.stop());
    const { id } = (await service.post(`${feed.path}/runs`, {})).json.data;
    // More often than a file may end its node.
    await expect.poll(() => disk.refused, { interval: 20 }).toBeGreaterThan(3);
    expect(await feed.run(id)).toMatchObject({ state: 'running', phase, problem: null });
    disk.isFull = false;
    await expectComplete(scenario, await feed.settled(id));
  });

  test('an uploaded file is refused, and leaves nothing behind', async () => {
    const { feed, file } = await givenScenario();
    const database = fullDatabase(service.database, { isFull: true, refused: 0 }, 'INSERT INTO feed_files');
    async function* bytes(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(file);
    }
    const actor = {
      kind: 'client',
      id: 'uploader',
      scopes: new Set(['users:read', 'users:write'] as const),
    } as const;
    const caller = { actor, requestId: 'upload', address: '' };
    const upload = { name: 'staff.csv', bytes: bytes(), isDryRun: false };
    await expect(
      uploadFile({ ...service.context, database }, feed.key, upload, caller),
    ).rejects.toMatchObject({
      code: '53100',
    });
    const { rows } = await service.database.pool.query('SELECT FROM feed_runs WHERE feed_key = $1', [
      feed.key,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('a source that stops in the middle of the file', () => {
  test('fails the run, and changes nothing', async () => {
    const { feed, file, serials } = await givenScenario();
    const before = await service.readUser(serials.first);
    const server = await startFileServer(
      (_, response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(file) });
        response.write(file.slice(0, -50), () => response.destroy());
      },
      { tls: false },
    );
    await feed.patch({ source: { type: 'https', url: `${server.url}/staff.csv` } });
    startWorker();
    const run = await feed.ran();
    expect(run).toMatchObject({ state: 'failed', phase: 'fetch', problem: { code: 'SOURCE_FAILED' } });
    expect(await feed.rows(run.id)).toEqual([]);
    expect(await service.readUser(serials.first)).toEqual(before);
  });

  test('is not to blame if the node is stopped', async () => {
    const scenario = await givenScenario();
    const { feed, file } = scenario;
    let requests = 0;
    const server = await startFileServer(
      (_, response) => {
        response.writeHead(200, { 'content-length': Buffer.byteLength(file) });
        if (++requests > 1) response.end(file);
      },
      { tls: false },
    );
    await feed.patch({ source: { type: 'https', url: `${server.url}/staff.csv` } });
    const worker = startWorker();
    const { id } = (await service.post(`${feed.path}/runs`, {})).json.data;
    await expect.poll(() => requests, { interval: 20 }).toBe(1);
    await worker.stop();
    expect(await feed.run(id)).toMatchObject({ state: 'running', phase: 'fetch', problem: null });
    startWorker();
    await expectComplete(scenario, await feed.settled(id));
  });
});
