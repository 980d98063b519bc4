import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepOutbox } from '../../../src/delivery/outbox.js';
import { purgeErased } from '../../../src/domain/erasure/purge-erased.js';
import { patchUser, sendsAtOnce } from '../../support/deliveries.js';
import { erased } from '../../support/erasure.js';
import { csvOf, eagerFeeds, givenFeed, mappingOf, type TestFeed } from '../../support/feeds.js';
import { expectCompleteIndex, indexNow } from '../../support/index-checks.js';
import { eager, givenPlan, runNow } from '../../support/planned-calls.js';
import { anItem, aUser, newId, useOwnService } from '../../support/service.js';
import { placesOf, tablesHolding } from '../../support/stored-text.js';

// Messages go to files in the outbox.
const service = useOwnService({
  ...sendsAtOnce,
  ...eager,
  ...eagerFeeds,
  ROLLCALL_USERNAME_QUARANTINE_DAYS: '10',
});
const pool = () => service.database.pool;
const outbox = () => join(service.dataDir, 'outbox');

/** Every value that the user ever has. None of them occurs anywhere else. */
const canaries = {
  employeeID: 'CanaryId0001',
  renamed: 'CanaryId0002',
  name: 'Canaria Firstname',
  newName: 'Canaria Lastname',
  plannedName: 'Canaria Nextname',
  username: 'canaryuser1',
  newUsername: 'canaryuser2',
  email: 'canary.one@mailbox.example',
  newEmail: 'canary.two@mailbox.example',
  phone: '+49 30 77123401',
  newPhone: '+49 30 77123402',
  refusedAddress: 'canary.refused@mailbox.example',
  password: 'canary password one',
  newPassword: 'canary password two',
  department: 'Canary Department',
};

const values = Object.entries(canaries);

const keyed = (key: string) => ({ headers: { 'idempotency-key': key } });
const bulkKey = newId('key');
const createKey = newId('key');

/** The items of a call that is sent with a key, changes the user, and fails because of the user. */
const items = () => [
  {
    ...anItem({ employeeID: canaries.employeeID, name: canaries.newName }),
    newEmployeeID: canaries.renamed,
    username: canaries.newUsername,
    phone: canaries.newPhone,
  },
  anItem({ employeeID: canaries.employeeID, name: 'Too late' }),
  anItem({ employeeID: other.employeeID, name: other.name }, { newEmployeeID: canaries.renamed }),
  anItem(
    { employeeID: other.employeeID, name: other.name },
    { username: canaries.newUsername.toUpperCase() },
  ),
];

let other: { employeeID: string; name: string; serial: string };
let serial = '';
let planned = '';
let feed: TestFeed;
let feedRun = '';

/** Values in the statistics of the planner. */
async function statisticsHolding(text: string): Promise<string[]> {
  const { rows } = await pool().query<{ column: string }>(
    `SELECT tablename || '.' || attname AS column FROM pg_stats
     WHERE schemaname = 'public' AND strpos(lower(pg_stats::text), lower($1)) > 0`,
    [text],
  );
  return rows.map(({ column }) => column);
}

/** Failed sign-ins are counted by a digest of the name. */
async function guards(): Promise<number> {
  const key = createHash('sha256').update(`name:${canaries.username}`).digest('base64url');
  const { rows } = await pool().query(
    'SELECT count(*)::integer AS count FROM sign_in_guards WHERE key = $1',
    [key],
  );
  return rows[0].count;
}

/** What the tables still know, in any case. */
const placesLeft = () =>
  placesOf(
    service,
    values.flatMap(([, value]) => [value, value.toLowerCase()]),
  );

/** A user of whom every table knows something. */
async function givenCanary(): Promise<void> {
  const attribute = { key: 'department', type: 'text', isFilterable: true, isSearchable: true };
  expect((await service.post('/service/attributes', attribute)).status).toBe(201);
  other = await service.givenUser({ username: newId('u'), attributes: { department: 'Sales' } });
  // So that no table is empty in the end.
  await patchUser(service, other.serial, { username: newId('u') });
  const { employeeID, name, username, email, phone, password, department } = canaries;
  const attributes = { department };
  const user = aUser({ employeeID, name, username, email, phone, password, attributes });
  serial = (await service.post('/service/users', user, keyed(createKey))).json.data.serial;
  await service.post('/service/users', aUser({ employeeID }), keyed(newId('key')));
  const signedIn = await service.signIn(username, password);
  const { accessToken: token } = signedIn.json.data;
  const passwords = { currentPassword: password, newPassword: canaries.newPassword };
  expect((await service.post('/service/auth/change-password', passwords, { token })).status).toBe(200);
  await service.signIn(username, 'wrong');
  await service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'viewer' } });
  const report = await service.post(
    '/service/users/update-bulk?effects=true&details=true',
    { items: items() },
    keyed(bulkKey),
  );
  expect(report.json.data, report.text).toMatchObject({
    successItems: [{}],
    failedItems: [{}, {}, {}],
  });
  await patchUser(service, serial, { email: canaries.newEmail });
  const released = await service.request('POST', `/service/usernames/${username}/release`);
  expect(released.status, released.text).toBe(200);
  planned = await givenPlan(service, [
    anItem({ employeeID: canaries.renamed, name: canaries.plannedName }),
    anItem(other, { newEmployeeID: canaries.renamed }),
    anItem(other, { name: 'As planned' }),
  ]);
  feed = await givenFeed(service, {
    mapping: mappingOf(['employeeID', 'name']),
    rules: { approval: 'always' },
  });
  const run = await feed.synced(
    csvOf([
      // Refused, in words that name the user.
      { employeeID: canaries.renamed, name: canaries.newName },
      { employeeID: canaries.renamed, name: canaries.plannedName },
      { employeeID: other.employeeID, name: 'As in the file' },
    ]),
  );
  feedRun = run.id;
  await givenProblems();
  await indexNow(service);
  await service.get(`/service/users?search=${encodeURIComponent(canaries.newName)}`);
  await pool().query('ANALYZE');
  // Two passwords, and notices about the username, the password, the role and the email.
  await expect.poll(() => readdirSync(outbox()).length).toBeGreaterThanOrEqual(4);
  // As if the mail server had once rejected the address.
  await pool().query('UPDATE deliveries SET last_error = $2 WHERE user_serial = $1', [
    serial,
    `550 <${canaries.refusedAddress}> unknown`,
  ]);
}

/** Runs of feeds that fail because of what is in cells. The administrator is told. */
async function givenProblems(): Promise<void> {
  const { renamed, newName } = canaries;
  // Without headings, cells are taken for them.
  const withoutHeadings = {
    mapping: {
      columns: [
        { field: 'employeeID', columns: [other.employeeID] },
        { field: 'name', columns: ['Canaria Lastnam'] },
      ],
    },
  };
  const withOrganization = { mapping: mappingOf(['employeeID', 'name', 'organizationSerial']) };
  const files = [
    [withoutHeadings, `${renamed},${newName}\n${other.employeeID},${other.name}\n`, 'COLUMNS_MISSING'],
    [withOrganization, csvOf([{ ...other, organizationSerial: newName }]), 'NAMES_UNKNOWN'],
  ] as const;
  for (const [settings, file, code] of files) {
    const run = await (await givenFeed(service, settings)).synced(file);
    expect(run).toMatchObject({ state: 'failed', problem: { code } });
  }
}

/** What people are told about runs, as it is stored. */
async function toldAboutFeeds(): Promise<string[]> {
  const { rows } = await pool().query<{ text: string }>(
    `SELECT problem::text AS text FROM feed_runs WHERE problem IS NOT NULL
     UNION ALL SELECT notices::text FROM notices WHERE topic = 'feedFailed'`,
  );
  return rows.map(({ text }) => text);
}

describe('an erased user', () => {
  test('was in many tables before', async () => {
    await givenCanary();
    expect(await tablesHolding(service, canaries.renamed)).toEqual(
      expect.arrayContaining([
        ...['call_items', 'call_parts', 'changes', 'feed_rows', 'planned_items', 'user_listing', 'users'],
      ]),
    );
    expect(await tablesHolding(service, canaries.email)).toContain('deliveries');
    expect(await tablesHolding(service, canaries.employeeID)).toEqual(
      expect.arrayContaining(['former_names', 'idempotency_keys']),
    );
    expect(await tablesHolding(service, canaries.username)).toContain('released_names');
    expect(await tablesHolding(service, canaries.department)).toEqual(
      expect.arrayContaining(['changes', 'listed_attributes', 'users']),
    );
    expect(await feed.run(feedRun)).toMatchObject({ state: 'waiting', hasFile: true });
    expect(await guards()).toBe(1);
    expect(await statisticsHolding(canaries.newName)).not.toEqual([]);
  });

  test('was not named by the problems of feeds and notices about them', async () => {
    const told = await toldAboutFeeds();
    expect(told).toHaveLength(4);
    for (const [field, value] of values) {
      expect([field, told.filter((text) => text.includes(value))]).toEqual([field, []]);
    }
  });

  test('is in no table afterwards', async () => {
    await erased(service, serial);
    expect(await placesLeft()).toEqual([]);
    expect(await guards()).toBe(0);
    await indexNow(service);
    expect(await placesLeft()).toEqual([]);
    await expectCompleteIndex(pool());
  });

  test('is in no stored file of a feed, and its rows only say that there were some', async () => {
    expect(await feed.run(feedRun)).toMatchObject({ hasFile: false, rows: 3 });
    const rows = await feed.rows(feedRun);
    expect(rows.map(({ row, employeeID }) => [row, employeeID])).toEqual([
      [2, null],
      [3, null],
      [4, other.employeeID],
    ]);
  });

  test('is not named by a later run whose row about the user fails', async () => {
    const failing = await givenFeed(service);
    const { renamed: employeeID, newName: name } = canaries;
    const run = await failing.synced(csvOf([{ employeeID, name, email: 'nobody' }]));
    expect(await failing.rows(run.id)).toMatchObject([{ row: 2, kind: 'failed', employeeID: null }]);
    expect(await placesLeft()).toEqual([]);
  });

  test('is skipped by planned calls', async () => {
    expect(await runNow(service, planned)).toEqual(['USER_ERASED', 'USER_ERASED', other.serial]);
    expect(await placesLeft()).toEqual([]);
  });

  test('is in no response', async () => {
    const { employeeID, renamed, newName } = canaries;
    const paths = [
      `/service/users/${serial}`,
      `/service/users/${serial}/role`,
      `/service/users/${serial}/history`,
      `/service/users/${serial}/personal-data`,
      `/service/users?search=${encodeURIComponent(newName)}`,
      `/service/users?employeeID=${renamed}`,
      '/service/users?limit=100',
      '/service/changes?limit=100',
      '/service/calls?limit=100',
      '/service/access-events?limit=100',
      '/service/deliveries?limit=100',
      `${feed.path}/runs/${feedRun}`,
      `${feed.path}/runs/${feedRun}/rows`,
    ];
    for (const path of paths) {
      const { text } = await service.get(path);
      const found = values.filter(([, value]) => text.includes(value) && !path.includes(value));
      expect([path, found]).toEqual([path, []]);
    }
    const missing = await service.get(`/service/employee-ids/${employeeID}`);
    expect(missing.json.errorCode).toBe(10102);
  });

  test('is not in the repeated report of a bulk call', async () => {
    const report = await service.post(
      '/service/users/update-bulk?effects=true&details=true',
      { items: items() },
      keyed(bulkKey),
    );
    expect(report.headers.get('idempotent-replayed')).toBe('true');
    const [success] = report.json.data.successItems;
    expect(success).toMatchObject({ response: { serial }, effect: { kind: 'updated', fields: {} } });
    const failures = report.json.data.failedItems.map(({ error }: { error: object }) => error);
    expect(failures.map(({ errorCode }: { errorCode: number }) => errorCode)).toEqual([10102, 10101, 10103]);
    expect(failures[1]).toEqual({
      errorCode: 10101,
      message: 'USER_EMPLOYEE_ID_EXISTS',
      detail: 'items[2]: the details were erased together with a user.',
      reason: 'The details were erased together with a user.',
    });
    for (const [field, value] of values) {
      expect([field, JSON.stringify(failures).includes(value)]).toEqual([field, false]);
    }
  });

  test('is not created again by the repeated create', async () => {
    const { employeeID, name, username, email, phone, password, department } = canaries;
    const attributes = { department };
    const user = aUser({ employeeID, name, username, email, phone, password, attributes });
    const reply = await service.post('/service/users', user, keyed(createKey));
    expect([reply.status, reply.json.data]).toEqual([201, { serial }]);
    expect((await service.get(`/service/users/${serial}`)).status).toBe(410);
  });

  test('is not in the outbox, nor in the statistics of the planner', async () => {
    const { rows } = await pool().query<{ id: string }>('SELECT id FROM deliveries WHERE user_serial = $1', [
      serial,
    ]);
    expect(rows.length).toBeGreaterThan(2);
    await sweepOutbox(pool(), outbox(), new Date(0));
    const left = readdirSync(outbox());
    expect(left.filter((file) => rows.some(({ id }) => file.includes(id)))).toEqual([]);
    expect(left.length, 'messages to others').toBeGreaterThan(0);

    expect(await purgeErased(service.database)).toBe(true);
    for (const [field, value] of values) {
      expect([field, await statisticsHolding(value)]).toEqual([field, []]);
    }
    expect(await purgeErased(service.database), 'nothing is left to do').toBe(false);
    expect((await service.get('/service/users')).status).toBe(200);
  });
});
