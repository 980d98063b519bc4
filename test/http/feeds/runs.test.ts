import { describe, expect, test } from 'vitest';
import { readCall } from '../../support/calls.js';
import { aRival, untilWaiting } from '../../support/concurrent-transactions.js';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { type GivenUser, newId, useOwnService } from '../../support/service.js';

// Of its own, so that nothing else waits for locks.
const service = useOwnService(eagerFeeds);

async function givenUsers(count: number): Promise<GivenUser[]> {
  const users: GivenUser[] = [];
  while (users.length < count) users.push(await service.givenUser());
  return users;
}

const namesOf = (users: readonly GivenUser[]) =>
  Promise.all(users.map(async ({ serial }) => (await service.readUser(serial)).name));
const changesOf = async () =>
  (
    await service.database.pool.query(
      'SELECT count(*)::int AS count FROM changes WHERE user_serial IS NOT NULL',
    )
  ).rows[0].count;

describe('a file', () => {
  test('is synced, and does nothing the second time', async () => {
    const [user] = (await givenUsers(1)) as [GivenUser];
    const feed = await givenFeed(service);
    const file = csvOf([aRow(user.employeeID, 'As in the file'), aRow(newId())]);
    const run = await feed.synced(file, '?fileName=C:\\hr\\staff.csv');
    expect(run).toMatchObject({
      ...{ state: 'done', trigger: 'upload', fileName: 'staff.csv', hasFile: true, rows: 2, done: 2 },
      ...{ counts: { created: 1, updated: 1, failed: 0 }, changed: { name: 1, email: 1 }, problem: null },
    });
    const before = await changesOf();
    expect(await feed.synced(file)).toMatchObject({ state: 'done', counts: { unchanged: 2, updated: 0 } });
    expect(await changesOf()).toBe(before);
    expect(await feed.rows((await feed.read()).lastRun.id)).toEqual([]);
  });

  test.each([
    ['lacks a column', 'employeeID,name\n1,Ada\n', 'COLUMNS_MISSING'],
    ['has a renamed column', 'employeeID,name,mail\n1,Ada,a@example.com\n', 'COLUMNS_MISSING'],
    ['is empty', '', undefined],
    ['is no table', Buffer.from([0, 1, 2, 3]), 'FILE_UNREADABLE'],
  ])('that %s changes nothing', async (_, file, code) => {
    const feed = await givenFeed(service);
    const before = await changesOf();
    const reply = await feed.upload(file);
    if (code === undefined) expect(reply.status).toBe(400);
    else expect(await feed.settled(reply.json.data.id)).toMatchObject({ state: 'failed', problem: { code } });
    expect(await changesOf()).toBe(before);
  });

  test('is only looked at by a dry run and a replay', async () => {
    const users = await givenUsers(4);
    const feed = await givenFeed(service);
    const file = csvOf(users.map(({ employeeID }) => aRow(employeeID, 'Never written')));
    const before = await changesOf();
    const look = await feed.synced(file, '?dryRun=true');
    expect(look).toMatchObject({ state: 'done', isDryRun: true, counts: { updated: 4 } });
    const replay = await feed.ran({ replay: look.id });
    expect(replay).toMatchObject({ state: 'done', isDryRun: true, replays: look.id, counts: { updated: 4 } });
    expect(await feed.told(replay.id)).toEqual([2, 3, 4, 5].map((row) => [row, 'updated']));
    expect([await changesOf(), (await feed.read()).users]).toEqual([before, 0]);
    expect((await feed.decide(look.id, 'undo')).json.message).toBe('FEED_RUN_STATE_CONFLICT');
  });
});

describe('a run that is cancelled while it writes', () => {
  test('stops after the rows that it is writing, which can be undone', async () => {
    const users = await givenUsers(8);
    const feed = await givenFeed(service);
    const rival = await aRival(service);
    await rival.hold((users[4] as GivenUser).serial); // in the second of three chunks
    const { id } = (await feed.upload(csvOf(users.map(({ employeeID }) => aRow(employeeID, 'New'))))).json
      .data;
    await expect.poll(async () => (await feed.run(id)).done, { interval: 20 }).toBe(3);
    await untilWaiting(service, 1);
    expect((await feed.decide(id, 'cancel')).status).toBe(200);
    await rival.commit();
    expect(await feed.settled(id)).toMatchObject({ state: 'cancelled', done: 6, counts: { updated: 6 } });
    const names = await namesOf(users);
    expect(names.map((name) => name === 'New')).toEqual([...Array(6).fill(true), false, false]);
    expect(await feed.undone(id)).toMatchObject({ state: 'undone' });
    expect(await namesOf(users)).toEqual(users.map(({ name }) => name));
  });

  test('by another node that has taken over writes nothing more', async () => {
    const users = await givenUsers(6);
    const feed = await givenFeed(service);
    const rival = await aRival(service);
    await rival.hold((users[4] as GivenUser).serial);
    const { id } = (await feed.upload(csvOf(users.map(({ employeeID }) => aRow(employeeID, 'New'))))).json
      .data;
    await expect.poll(async () => (await feed.run(id)).done, { interval: 20 }).toBe(3);
    await untilWaiting(service, 1);
    await rival.query(
      `UPDATE feed_runs SET claim = claim + 1, claimed_until = now() + interval '1 hour' WHERE id = $1`,
      [id],
    );
    await rival.commit();
    // The worker of this node is free again, so it has left the run.
    const other = await givenFeed(service);
    await other.synced(csvOf([aRow(newId())]));
    expect(await feed.run(id)).toMatchObject({ state: 'running', done: 3 });
    await service.database.pool.query('UPDATE feed_runs SET claimed_until = now() WHERE id = $1', [id]);
    expect(await feed.settled(id)).toMatchObject({ state: 'done', done: 6, counts: { updated: 6 } });
  });
});

describe('the undo of a run', () => {
  test('restores everything that its calls did, once', async () => {
    const organizationSerial = newId('ORG');
    const [updated, renamed, missing] = [
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ organizationSerial }),
    ];
    const feed = await givenFeed(service, {
      mapping: mappingOf(['employeeID', 'name', 'email', 'renamedFrom', 'organizationSerial']),
      rules: { deactivateMissing: true, organizationSerials: [organizationSerial] },
    });
    const [created, newName] = [newId(), newId()];
    const row = (employeeID: string, renamedFrom = '') =>
      aRow(employeeID, 'New', { renamedFrom, organizationSerial });
    const before = await Promise.all(
      [updated, renamed, missing].map(({ serial }) => service.readUser(serial)),
    );
    const run = await feed.synced(
      csvOf([row(updated.employeeID), row(newName, renamed.employeeID), row(created)]),
    );
    expect(run).toMatchObject({ counts: { updated: 1, renamed: 1, created: 1, deactivated: 1 } });
    const preview = await service.request('POST', `${feed.path}/runs/${run.id}/undo?dryRun=true`);
    expect(preview.json.data).toMatchObject({ users: 4, changedSince: 0 });
    expect(preview.json.data.calls).toBeGreaterThan(1);
    expect(await feed.undone(run.id)).toMatchObject({ state: 'undone' });
    const after = await Promise.all(
      [updated, renamed, missing].map(({ serial }) => service.readUser(serial)),
    );
    const shown = (users: typeof before) => users.map(({ version: _, updatedAt: __, ...user }) => user);
    expect(shown(after)).toEqual(shown(before));
    const lookup = await service.post('/service/users/lookup', { employeeIDs: [created] });
    expect(lookup.json.data.items).toEqual([]);
    expect((await feed.decide(run.id, 'undo')).json.message).toBe('FEED_RUN_STATE_CONFLICT');
  });
});

describe('rows that take effect later', () => {
  const day = '2099-01-01';
  const fields = ['employeeID', 'name', 'email', 'effectiveDate'];
  const plans = async (key: string) =>
    (
      await service.database.pool.query<{ day: string; ids: string[] }>(
        'SELECT day, call_ids AS ids FROM feed_plans WHERE feed_key = $1 ORDER BY day',
        [key],
      )
    ).rows;

  test('become a planned call, which the same file keeps, a change replaces and a withdrawal cancels', async () => {
    const [now, later] = (await givenUsers(2)) as [GivenUser, GivenUser];
    const feed = await givenFeed(service, { mapping: mappingOf(fields) });
    const fileOf = (name: string) =>
      csvOf([
        aRow(now.employeeID, 'Now', { effectiveDate: '2020-01-01' }),
        aRow(later.employeeID, name, { effectiveDate: day }),
      ]);
    const run = await feed.synced(fileOf('Later'));
    expect(run).toMatchObject({ state: 'done', counts: { updated: 1, planned: 1 } });
    expect(await namesOf([now, later])).toEqual(['Now', later.name]);
    const [plan] = await plans(feed.key);
    const [id = ''] = plan?.ids ?? [];
    expect([plan?.day, (await readCall(service, id)).state]).toEqual([day, 'planned']);

    await feed.synced(fileOf('Later'));
    expect(await plans(feed.key)).toEqual([plan]);

    await feed.synced(fileOf('Changed'));
    const [replaced] = await plans(feed.key);
    expect((await readCall(service, id)).state).toBe('cancelled');
    expect((await readCall(service, replaced?.ids[0] ?? '')).state).toBe('planned');

    await feed.synced(csvOf([aRow(now.employeeID, 'Now', { effectiveDate: '' })]));
    expect(await plans(feed.key)).toEqual([]);
    expect((await readCall(service, replaced?.ids[0] ?? '')).state).toBe('cancelled');
    expect(await namesOf([now, later])).toEqual(['Now', later.name]);
  });

  test('are not withdrawn beyond the limit without approval', async () => {
    const users = await givenUsers(2);
    const feed = await givenFeed(service, {
      mapping: mappingOf(fields),
      limits: { ...unlimited, withdrawalsMax: 0 },
    });
    const fileOf = (...later: GivenUser[]) =>
      csvOf([
        aRow(newId(), 'Now', { effectiveDate: '' }),
        ...later.map(({ employeeID }) => aRow(employeeID, 'Later', { effectiveDate: day })),
      ]);
    await feed.synced(fileOf(...users));
    const before = await plans(feed.key);
    const run = await feed.synced(fileOf(users[0] as GivenUser));
    expect(run).toMatchObject({ state: 'waiting', findings: [{ code: 'WITHDRAWALS', actual: 1, of: 2 }] });
    expect(await plans(feed.key)).toEqual(before);
    expect((await feed.decide(run.id, 'approve')).status).toBe(200);
    expect(await feed.settled(run.id)).toMatchObject({ state: 'done' });
    expect(await plans(feed.key)).not.toEqual(before);
  });

  test('follow the rules of the feed, and a day that cannot be read is a failure', async () => {
    const [theirs] = (await givenUsers(1)) as [GivenUser];
    const other = await givenFeed(service);
    await other.synced(csvOf([aRow(theirs.employeeID, 'Theirs')]));
    const feed = await givenFeed(service, { mapping: mappingOf(fields), rules: { create: false } });
    const run = await feed.synced(
      csvOf([
        aRow(theirs.employeeID, 'Ours', { effectiveDate: day }),
        aRow(newId(), 'New', { effectiveDate: day }),
        aRow(newId(), 'Someday', { effectiveDate: 'someday' }),
      ]),
    );
    expect(run).toMatchObject({ counts: { skipped: 2, failed: 1, planned: 0 } });
    expect((await plans(feed.key)).flatMap(({ ids }) => ids)).toEqual([]);
  });
});

test('sensitive attributes are hidden in rows from callers without the scope', async () => {
  const key = newId('salary').toLowerCase();
  await service.post('/service/attributes', { key, type: 'text', isSensitive: true });
  const [user] = (await givenUsers(1)) as [GivenUser];
  const feed = await givenFeed(service, { mapping: mappingOf(['employeeID', 'name', `attributes.${key}`]) });
  const run = await feed.synced(
    csvOf([{ employeeID: user.employeeID, name: 'New', [`attributes.${key}`]: '7' }]),
  );
  expect(run).toMatchObject({ state: 'done', counts: { updated: 1 } });
  const [seen] = await feed.rows(run.id);
  expect(seen.changed.toSorted()).toEqual([`attributes.${key}`, 'name']);
  const [hidden] = await feed.rows(run.id, await service.tokenFor('users:read'));
  expect(hidden.changed).toEqual(['name']);
  const patched = await service.request('PATCH', feed.path, {
    body: { mapping: mappingOf(['employeeID', `attributes.${key}`]) },
    token: await service.tokenFor('access:admin'),
  });
  expect([patched.status, patched.json.message]).toEqual([403, 'ACCESS_SCOPE_MISSING']);
});
