import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { purgeErased } from '../../src/domain/erasure/purge-erased.js';
import { rename } from '../support/bulk-items.js';
import { errorsOf, serialsOf } from '../support/bulk-reports.js';
import { callIdOf, failuresOf, givenUpdates, statesOf, successesOf, undo, undone } from '../support/calls.js';
import { patchUser } from '../support/deliveries.js';
import {
  confirmed,
  deleteEntry,
  foundEntries,
  givenEntry,
  givenNames,
  readEntry,
  resolvedNames,
} from '../support/directories.js';
import { eraseBulk, erased } from '../support/erasure.js';
import { indexNow } from '../support/index-checks.js';
import { measures } from '../support/metrics.js';
import { anItem, aUser, type GivenUser, newId, type Reply, useOwnService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';
import { tablesHolding } from '../support/stored-text.js';
import { changedBetween, tableStates } from '../support/table-states.js';
import { unusedOperations } from '../support/unused-operations.js';

// One service for all journeys. Usernames are quarantined, so that both kinds of names are covered: employee IDs are not.
const service = useOwnService({ ...measures, ROLLCALL_USERNAME_QUARANTINE_DAYS: '10' });

/** Created one after the other, so that their serials are in this order. */
async function givenUsers(
  count: number,
  fields: () => Record<string, unknown> = () => ({}),
): Promise<[GivenUser, GivenUser, GivenUser]> {
  const users: GivenUser[] = [];
  while (users.length < count) users.push(await service.givenUser(fields()));
  return users as [GivenUser, GivenUser, GivenUser];
}

const idsOf = (users: readonly GivenUser[]) =>
  Promise.all(users.map(async ({ serial }) => (await service.readUser(serial)).employeeID));
const codesOf = (reply: Reply) => errorsOf(reply).map((error) => (error as { errorCode: number }).errorCode);
const kindsOf = (reply: Reply) => successesOf(reply).map(({ effect }) => effect.kind);
const listed = async (query: Record<string, string>) => {
  const { status, text, json } = await service.get(`/service/users?${new URLSearchParams(query)}`);
  expect(status, text).toBe(200);
  return json.data.items.map(({ name }: { name: string }) => name);
};

describe('one user', () => {
  test('is created, read, changed and renamed, with every change in the history', async () => {
    const user = aUser({
      username: newId('u'),
      phone: '911',
      tagSerials: ['b', 'a'],
      organizationSerial: 'O1',
    });
    const created = await service.post('/service/users', { ...user, password: 'a given password' });
    expect(created.status, created.text).toBe(201);
    const { serial } = created.json.data;
    const read = await service.get(String(created.headers.get('location')));
    expect(read.json.data).toMatchObject({ ...user, serial });
    const [employeeID, etag] = [newId(), read.headers.get('etag') ?? ''];
    const change = { employeeID, name: ' Ada King ', email: null, tagSerials: ['a', 'b', 'a'] };
    const patch = (headers: Record<string, string>) =>
      service.request('PATCH', `/service/users/${serial}`, { body: change, headers });
    const patched = await patch({ 'if-match': etag });
    const after = { ...user, employeeID, name: 'Ada King', email: null, tagSerials: ['a', 'b'] };
    expect(patched.json.data).toMatchObject(after);
    expect((await patch({ 'if-match': etag })).json.errorCode).toBe(10011);
    expect(await service.readUser(serial)).toMatchObject(after);

    const { items } = (await service.get(`/service/users/${serial}/history`)).json.data;
    expect(items).toMatchObject([
      { kind: 'updated', fields: { employeeID: { before: user.employeeID, after: employeeID } } },
      { kind: 'created' },
    ]);
    const reports = await service.get(`/service/users/${serial}/reports`);
    expect(reports.json.data.items).toEqual([]);
    const ids = (await service.get(`/service/users/${serial}/employee-ids`)).json.data.items;
    expect(ids).toMatchObject([
      { employeeID, until: null },
      { employeeID: user.employeeID, since: expect.any(String) },
    ]);
    const former = (await service.get(`/service/employee-ids/${user.employeeID}`)).json.data;
    expect(former).toMatchObject({ holder: null, formerHolders: [{ serial, newEmployeeID: employeeID }] });
    const exported = (await service.get(`/service/users/${serial}/personal-data`)).json.data;
    expect(exported).toMatchObject({
      user: { serial },
      formerNames: [{ name: user.employeeID }],
      incomplete: [],
    });
  });

  test('has a unique employee ID, and a username that is unique in any case', async () => {
    const { employeeID, username } = await service.givenUser({ username: newId('Ada') });
    const again = await service.post('/service/users', aUser({ employeeID }));
    expect([again.status, again.json.errorCode]).toEqual([409, 10101]);
    const upper = await service.post('/service/users', aUser({ username: String(username).toUpperCase() }));
    expect([upper.status, upper.json.errorCode]).toEqual([409, 10103]);
    const neither = await service.post('/service/users', aUser({ email: '' }));
    expect([neither.status, neither.json.errorCode]).toEqual([400, 10104]);
  });

  test('can choose the language of messages', async () => {
    const { serial } = await service.givenUser();
    await service.request('PUT', `/service/users/${serial}/language`, { body: { language: 'de' } });
    expect((await service.get(`/service/users/${serial}/language`)).json.data).toMatchObject({
      language: 'de',
    });
  });
});

describe('many users', () => {
  test('are filtered, searched, sorted and paged', async () => {
    const [organizationSerial, tagSerial] = [newId('ORG'), newId('T')];
    for (const [name, fields] of Object.entries({
      'Zoë Müller': { tagSerials: [tagSerial] },
      'anna Ω': { isActive: false },
      "Bob O'Hara": { tagSerials: ['T1', tagSerial], phone: '030 123' },
    }))
      await service.givenUser({ name, organizationSerial, ...fields });
    const [zoe, anna, bob] = ['Zoë Müller', 'anna Ω', "Bob O'Hara"];
    expect(await listed({ organizationSerial })).toEqual([zoe, anna, bob]);
    expect(await listed({ organizationSerial, sort: 'name' })).toEqual([anna, bob, zoe]);
    expect(await listed({ organizationSerial, tagSerial, sort: '-createdAt' })).toEqual([bob, zoe]);
    expect(await listed({ organizationSerial, notTagSerial: tagSerial })).toEqual([anna]);
    expect(await listed({ organizationSerial, isActive: 'true' })).toEqual([zoe, bob]);
    for (const [search, found] of [
      ['mueller zo', [zoe]],
      ["o'ha", [bob]],
      ['030123', [bob]],
      ['%', []],
    ] as const)
      expect([search, await listed({ organizationSerial, search })]).toEqual([search, found]);
    for (const sort of ['createdAt', '-name', 'employeeID']) {
      const whole = await listed({ organizationSerial, sort });
      const query = new URLSearchParams({ organizationSerial, sort, limit: '2', total: 'exact' });
      const first = (await service.get(`/service/users?${query}`)).json.data;
      expect(first.total).toEqual({ count: 3, isExact: true });
      const rest = await listed({ organizationSerial, sort, limit: '2', cursor: first.nextCursor });
      expect([...first.items.map(({ name }: { name: string }) => name), ...rest]).toEqual(whole);
    }
  });

  test('are looked up by employee ID, now and as of an earlier time', async () => {
    const [user, other] = await givenUsers(2);
    const isLaterThan = (time: number) => expect.poll(() => Date.now()).toBeGreaterThan(time + 1);
    await isLaterThan(Date.parse(String((await service.readUser(other.serial)).createdAt)));
    const asOf = Date.now();
    await isLaterThan(asOf);
    const next = newId();
    await givenUpdates(service, [rename(user.employeeID, next)]);
    const lookup = async (employeeIDs: string[], query = '') =>
      (await service.post(`/service/users/lookup${query}`, { employeeIDs })).json.data;
    const now = await lookup([other.employeeID, user.employeeID, next]);
    expect(now).toMatchObject({
      items: [{ serial: other.serial }, { serial: user.serial }],
      notFound: [user.employeeID],
    });
    const then = await lookup([user.employeeID], `?asOf=${new Date(asOf).toISOString()}`);
    expect(then.items).toMatchObject([
      { serial: user.serial, employeeID: next, employeeIDAsOf: user.employeeID },
    ]);
  });

  test('are created, updated by a chain of renames, and brought back by undoing both', async () => {
    const taken = await service.givenUser();
    const items = [
      aUser({ username: newId('u') }),
      aUser({ employeeID: taken.employeeID }),
      7,
      aUser(),
      aUser(),
    ];
    const created = await service.createBulk(items);
    expect(codesOf(created)).toEqual([10101, 10105]);
    const serials = serialsOf(created);
    const users = serials.map((serial, at) => ({ ...(items[[0, 3, 4][at] as number] as GivenUser), serial }));
    const [a, b, c] = users as [GivenUser, GivenUser, GivenUser];
    const before = await statesOf(service, serials);
    const free = newId();
    const update = await service.updateBulk(
      [
        rename(a.employeeID, free),
        rename(b.employeeID, a.employeeID),
        anItem(c, { phone: '112', username: a.username }),
        rename(c.employeeID, taken.employeeID),
        anItem(c, { phone: '112', tagSerials: ['T1'], isActive: false }),
        anItem({ ...c, employeeID: newId() }),
      ],
      '?effects=true',
    );
    expect(codesOf(update)).toEqual([10103, 10101, 10102]);
    expect(kindsOf(update)).toEqual(['updated', 'updated', 'updated']);
    expect(await idsOf(users)).toEqual([free, a.employeeID, c.employeeID]);
    expect(await service.readUser(c.serial)).toMatchObject({
      phone: '112',
      tagSerials: ['T1'],
      isActive: false,
    });

    const call = (await service.get(`/service/calls/${callIdOf(update)}`)).json.data;
    expect(call).toMatchObject({ kind: 'update-bulk', items: 6, succeeded: 3, failed: 3, changes: 3 });
    const undoId = await undone(service, call.id);
    expect(await statesOf(service, serials)).toEqual(before);
    await undone(service, undoId);
    expect(await idsOf(users)).toEqual([free, a.employeeID, c.employeeID]);
    expect(failuresOf(await undo(service, callIdOf(created)))).toHaveLength(3);
  });

  test('swap names in the final state of a call, and a dry run writes nothing', async () => {
    const [a, b, c] = await givenUsers(3);
    const items = [
      rename(a.employeeID, b.employeeID),
      rename(b.employeeID, c.employeeID),
      rename(c.employeeID, a.employeeID),
    ];
    await indexNow(service);
    const before = await tableStates(service);
    const preview = await service.updateBulk(items, '?mode=finalState&dryRun=true');
    expect(changedBetween(before, await tableStates(service))).toEqual([]);
    const reply = await service.updateBulk(items, '?mode=finalState&effects=true');
    expect(reply.text).toBe(preview.text);
    expect(await idsOf([a, b, c])).toEqual([b.employeeID, c.employeeID, a.employeeID]);
    await undone(service, callIdOf(reply));
    expect(await idsOf([a, b, c])).toEqual([a.employeeID, b.employeeID, c.employeeID]);
  });

  test('are created or updated by an upsert, and removed or restored by its undo', async () => {
    const existing = await service.givenUser({ phone: '123' });
    const before = await statesOf(service, [existing.serial]);
    const user = aUser();
    const reply = await service.upsertBulk(
      [user, { employeeID: existing.employeeID, phone: '' }, { employeeID: newId() }],
      '?effects=true',
    );
    expect([kindsOf(reply), codesOf(reply)]).toEqual([['created', 'updated'], [10106]]);
    const [created] = serialsOf(reply) as [string];
    expect(await service.readUser(created)).toMatchObject(user);
    await undone(service, callIdOf(reply));
    expect(await statesOf(service, [existing.serial, created])).toEqual([...before, null]);
  });

  test('are rehired with new data and a new password', async () => {
    const leaver = await givenSignedInUser(service, 'viewer', { phone: '123' });
    await patchUser(service, leaver.serial, { isActive: false });
    const item = aUser({ employeeID: leaver.employeeID, username: leaver.username });
    const items = [{ ...item, password: 'welcome back' }];
    const reply = await service.createBulk(items, '?rehire=true&effects=true');
    expect([kindsOf(reply), serialsOf(reply)]).toEqual([['rehired'], [leaver.serial]]);
    expect(await service.readUser(leaver.serial)).toMatchObject({ ...item, phone: null });
    expect((await service.signIn(leaver.username, leaver.password)).status).toBe(401);
    expect((await service.signIn(leaver.username, 'welcome back')).status).toBe(200);
  });

  test('are changed by what they have in common', async () => {
    const organizationSerial = newId('ORG');
    const users = await givenUsers(3, () => ({ organizationSerial, tagSerials: ['T1'] }));
    const filter = { organizationSerial, isActive: true };
    const patch = { addTagSerials: ['T2'], removeTagSerials: ['T1'] };
    const reply = await confirmed(service, '/service/users/update-matching', { filter, patch });
    expect(serialsOf(reply)).toEqual(users.map(({ serial }) => serial));
    const tags = async () => (await service.readUser(users[1].serial)).tagSerials;
    expect(await tags()).toEqual(['T2']);
    await undone(service, callIdOf(reply));
    expect(await tags()).toEqual(['T1']);
  });

  test('are changed once, however often a call is resent', async () => {
    const headers = { 'idempotency-key': newId('key') };
    const user = aUser();
    for (const [path, body] of [
      ['/service/users', user],
      ['/service/users/create-bulk', { items: [aUser(), user] }],
    ] as const) {
      const send = () =>
        service.post(path, body, {
          headers: { 'idempotency-key': `${headers['idempotency-key']}${path.length}` },
        });
      const [first, second] = [await send(), await send()];
      expect([second.status, second.json]).toEqual([first.status, first.json]);
      expect(second.headers.get('idempotent-replayed')).toBe('true');
    }
    const other = await service.post(
      '/service/users/create-bulk',
      { items: [] },
      {
        headers: { 'idempotency-key': `${headers['idempotency-key']}${'/service/users/create-bulk'.length}` },
      },
    );
    expect(other.status).toBe(422);
  });
});

describe.each([
  ['organizations', 'organizationSerial', (serial: string) => ({ organizationSerial: serial })],
  ['tags', 'tagSerials', (serial: string) => ({ tagSerials: ['T1', serial] })],
] as const)('%s', (directory, field, having) => {
  test('are named, counted, renamed, merged and deleted, and a rename is undone', async () => {
    const [serial, newSerial, into] = [newId('S'), newId('S'), newId('S')];
    await givenEntry(service, directory, serial, { displayName: 'Zürich' });
    const [user] = await givenUsers(2, () => having(serial));
    const entry = { displayName: 'Zürich', users: { total: 2, active: 2, isExact: true } };
    expect(await readEntry(service, directory, serial)).toMatchObject(entry);
    expect(await foundEntries(service, directory, `zurich ${serial}`)).toEqual([serial]);
    await givenNames(service, directory, { name: `Turicum ${serial}`, serial });
    const named = await resolvedNames(service, directory, [serial, `TURICUM\u00a0 ${serial}`]);
    expect(named.map(({ entry }) => entry)).toEqual(Array(2).fill({ serial, displayName: 'Zürich' }));

    const path = `/service/${directory}`;
    const renamed = await confirmed(service, `${path}/rename`, { serial, newSerial });
    expect(await readEntry(service, directory, newSerial)).toMatchObject(entry);
    expect(await readEntry(service, directory, serial)).toBe(404);
    await undone(service, callIdOf(renamed));
    expect(await readEntry(service, directory, serial)).toMatchObject(entry);

    await givenEntry(service, directory, into);
    await confirmed(service, `${path}/merge`, { serial, into });
    expect((await service.readUser(user.serial))[field]).toEqual(having(into)[field as never]);
    expect(await readEntry(service, directory, into)).toMatchObject({ users: { total: 2 } });
    expect((await deleteEntry(service, directory, into)).json.errorCode).toBe(10403);
    expect((await deleteEntry(service, directory, serial)).status).toBe(200);
  });
});

describe('names', () => {
  test('are quarantined once released, until an administrator gives them free', async () => {
    const [username, { serial, employeeID }] = [newId('u'), await service.givenUser()];
    await patchUser(service, serial, { username });
    await patchUser(service, serial, { username: null, employeeID: newId() });
    const take = () =>
      service.post('/service/users?details=true', aUser({ username: username.toUpperCase() }));
    expect((await take()).json).toMatchObject({ errorCode: 10103, data: { quarantined: { serial } } });
    const release = async (kind: string, name: string) =>
      (await service.request('POST', `/service/${kind}/${name}/release`)).json.data.wasQuarantinedUntil;
    expect(await release('employee-ids', employeeID)).toBeNull();
    expect(await release('usernames', username)).toEqual(expect.any(String));
    expect((await take()).status).toBe(201);
  });
});

describe('erased users', () => {
  function filesHolding(text: string): string[] {
    return readdirSync(service.dataDir, { recursive: true, encoding: 'utf8' }).filter((file) => {
      const path = join(service.dataDir, file);
      return statSync(path).isFile() && readFileSync(path).includes(text);
    });
  }

  test('are in no table, planner statistic or file of the embedded database, but their erasure is on record', async () => {
    const [name, former, username] = ['Canaria Erasable', newId('Canary'), newId('canary')];
    const user = await service.givenUser({ name, employeeID: former, username });
    const [other] = await givenUsers(1);
    await patchUser(service, user.serial, { employeeID: newId('CanaryB'), username: newId('canaryb') });
    await indexNow(service);
    await service.database.pool.query('ANALYZE');
    expect(await tablesHolding(service, name)).toEqual(expect.arrayContaining(['changes', 'users']));

    await erased(service, user.serial);
    expect((await service.get(`/service/users/${user.serial}`)).json.errorCode).toBe(10112);
    const bulk = await eraseBulk(service, [user.serial, other.serial], '?confirm=2&effects=true');
    expect(kindsOf(bulk)).toEqual(['unchanged', 'erased']);
    const { items } = (await service.get(`/service/users/${user.serial}/history`)).json.data;
    expect(items.map(({ kind }: { kind: string }) => kind)).toEqual(['erased', 'updated', 'created']);

    expect(await purgeErased(service.database)).toBe(true);
    for (const canary of [name, former]) {
      expect([canary, await tablesHolding(service, canary)]).toEqual([canary, []]);
      const statistics = `SELECT tablename FROM pg_stats WHERE strpos(pg_stats::text, $1) > 0`;
      expect((await service.database.pool.query(statistics, [canary])).rows).toEqual([]);
      if (service.database.kind === 'embedded') expect([canary, filesHolding(canary)]).toEqual([canary, []]);
    }
    const taken = await service.post('/service/users', aUser({ username }));
    expect(taken.json.errorCode, 'still quarantined').toBe(10103);
  });
});

test('a view of the user list is saved, shared, found by others and deleted', async () => {
  const [author, reader] = [
    await givenSignedInUser(service, 'viewer'),
    await givenSignedInUser(service, 'viewer'),
  ];
  const view = { name: newId('Leavers'), query: 'isActive=false' };
  const { id } = (await service.post('/service/views', view, author)).json.data;
  const change = { body: { isShared: true }, token: author.token };
  expect((await service.request('PATCH', `/service/views/${id}`, change)).status).toBe(200);
  const listed = async () => (await service.get('/service/views', reader)).json.data.items;
  expect(await listed()).toContainEqual(expect.objectContaining({ id, ...view, isShared: true }));
  expect((await service.request('DELETE', `/service/views/${id}`, author)).status).toBe(200);
  expect(await listed()).not.toContainEqual(expect.objectContaining({ id }));
});

test('every operation on users and directories has succeeded above', async () => {
  expect(await unusedOperations(service, ['Users', 'Directories'])).toEqual([]);
});
