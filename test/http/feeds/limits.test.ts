import { describe, expect, test } from 'vitest';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { noticesAbout } from '../../support/notices.js';
import { givenColleague } from '../../support/planned-calls.js';
import { type GivenUser, newId, useService } from '../../support/service.js';

const service = useService(eagerFeeds);

const fields = ['employeeID', 'name', 'email', 'organizationSerial'];

/** Users of an organization of their own, and a feed for it. */
async function givenStaff(count: number, settings: object = {}) {
  const organizationSerial = newId('ORG');
  const users: GivenUser[] = [];
  while (users.length < count) users.push(await service.givenUser({ organizationSerial }));
  const feed = await givenFeed(service, {
    mapping: mappingOf(fields),
    rules: { deactivateMissing: true, organizationSerials: [organizationSerial] },
    ...settings,
  });
  const row = ({ employeeID }: { readonly employeeID: string }, name: string) =>
    aRow(employeeID, name, { organizationSerial });
  return { feed, users, row, organizationSerial };
}

const eventsAbout = async (runId: string) => {
  const { rows } = await service.database.pool.query<{ kind: string; fields: Record<string, unknown> }>(
    `SELECT kind, fields FROM changes WHERE request_id = $1 AND kind LIKE 'feed.%' ORDER BY seq`,
    [runId],
  );
  return rows;
};

test('percentages are of the active users in the scope, whether or not missing users are deactivated', async () => {
  const { feed, users, row, organizationSerial } = await givenStaff(4, {
    limits: { ...unlimited, changesMax: '50%' },
  });
  await service.givenUser({ organizationSerial, isActive: false });
  const rows = users.map((user, at) => row(user, at < 3 ? 'Changed' : user.name));
  const beyond = { state: 'waiting', findings: [{ of: 4 }] };
  expect(await feed.synced(csvOf(rows))).toMatchObject(beyond);
  await feed.patch({ rules: { organizationSerials: [organizationSerial] } });
  expect(await feed.synced(csvOf([...rows, {}]))).toMatchObject(beyond);
});

describe('a run beyond a limit', () => {
  test('waits before it changes anything, shows each row, and goes on once it is approved', async () => {
    const { feed, users, row } = await givenStaff(4, { limits: { ...unlimited, deactivationsMax: 1 } });
    const [first, ...others] = users as [GivenUser, ...GivenUser[]];
    const run = await feed.synced(csvOf([row(first, 'Changed')]));
    expect(run).toMatchObject({
      state: 'waiting',
      rows: 1,
      counts: { updated: 1, deactivated: 3 },
      findings: [{ code: 'DEACTIVATIONS', actual: 3, limit: 1 }],
      limits: { deactivationsMax: 1, createsMax: 1_000 },
    });
    expect(await service.readUser(first.serial)).toMatchObject({ name: first.name });
    expect(await feed.told(run.id)).toEqual([
      [2, 'updated'],
      [null, 'deactivated'],
      [null, 'deactivated'],
      [null, 'deactivated'],
    ]);
    expect((await feed.decide(run.id, 'approve')).status).toBe(200);
    const done = await feed.settled(run.id);
    expect(done).toMatchObject({ state: 'done', counts: { updated: 1, deactivated: 3 }, approvedBy: {} });
    expect(await service.readUser(first.serial)).toMatchObject({ name: 'Changed' });
    for (const { serial } of others) {
      expect(await service.readUser(serial)).toMatchObject({ isActive: false });
    }
  });

  test('tells people and followers what it waits for, in numbers only', async () => {
    const { feed, users, row } = await givenStaff(3, { limits: { ...unlimited, deactivationsMax: 0 } });
    const [first, ...others] = users as [GivenUser, ...GivenUser[]];
    const run = await feed.synced(csvOf([row(first, 'Canaria Changed')]));
    const [waiting] = await eventsAbout(run.id);
    expect(waiting).toMatchObject({
      kind: 'feed.waiting',
      fields: {
        ...{ feed: feed.key, runId: run.id, state: 'waiting', rows: 1 },
        counts: { updated: 1, deactivated: 2 },
        findings: ['DEACTIVATIONS'],
      },
    });
    const { rows } = await service.database.pool.query<{ facts: object; topic: string }>(
      `SELECT facts, topic FROM notices WHERE facts::text LIKE '%' || $1 || '%'`,
      [run.id],
    );
    for (const text of [...rows, waiting].map((each) => JSON.stringify(each))) {
      for (const { employeeID } of [first, ...others]) expect(text).not.toContain(employeeID);
      expect(text).not.toContain('Canaria');
    }
    await feed.decide(run.id, 'approve');
    await feed.settled(run.id);
    expect((await eventsAbout(run.id)).map(({ kind, fields }) => [kind, fields.state])).toEqual([
      ['feed.waiting', 'waiting'],
      ['feed.ended', 'done'],
    ]);
  });

  test('is stopped for good if nobody may approve it', async () => {
    const { feed, users, row, organizationSerial } = await givenStaff(3, {
      limits: { ...unlimited, deactivationsMax: 1 },
    });
    await feed.patch({
      rules: { deactivateMissing: true, organizationSerials: [organizationSerial], approval: 'never' },
    });
    const run = await feed.synced(csvOf([row(users[0] as GivenUser, 'Changed')]));
    expect(run.state).toBe('stopped');
    expect((await feed.decide(run.id, 'approve')).json).toMatchObject({ message: 'FEED_RUN_STATE_CONFLICT' });
    expect(await service.readUser((users[0] as GivenUser).serial)).toMatchObject({ name: users[0]?.name });
  });

  test('waits again if much more would change by the time it is approved', async () => {
    const { feed, users, row, organizationSerial } = await givenStaff(2, {
      limits: { ...unlimited, deactivationsMax: 0 },
    });
    const run = await feed.synced(csvOf([row(users[0] as GivenUser, 'Changed')]));
    expect(run.state).toBe('waiting');
    for (let more = 0; more < 6; more++) await service.givenUser({ organizationSerial });
    await feed.decide(run.id, 'approve');
    const again = await feed.settled(run.id);
    expect(again.state).toBe('waiting');
    expect(again.findings).toContainEqual(
      expect.objectContaining({
        code: 'CHANGED_SINCE_APPROVAL',
        growth: [{ kind: 'deactivated', actual: 7, checked: 1 }],
      }),
    );
    expect(await service.readUser((users[1] as GivenUser).serial)).toMatchObject({ isActive: true });
    await feed.decide(run.id, 'approve');
    expect(await feed.settled(run.id)).toMatchObject({ state: 'done', counts: { deactivated: 7 } });
  });

  test('is replaced by a newer file', async () => {
    const { feed, users, row } = await givenStaff(3, { limits: { ...unlimited, deactivationsMax: 1 } });
    const waiting = await feed.synced(csvOf([row(users[0] as GivenUser, 'Changed')]));
    const complete = await feed.synced(csvOf(users.map((user) => row(user, 'Changed'))));
    expect(complete).toMatchObject({ state: 'done', counts: { updated: 3, deactivated: 0 } });
    expect((await feed.run(waiting.id)).state).toBe('superseded');
    expect((await feed.decide(waiting.id, 'approve')).status).toBe(409);
    expect((await eventsAbout(waiting.id)).map(({ kind, fields }) => [kind, fields.state])).toEqual([
      ['feed.waiting', 'waiting'],
      ['feed.ended', 'superseded'],
    ]);
  });

  test('ends for its followers if someone rejects it, which is on record', async () => {
    const { feed, users, row } = await givenStaff(3, { limits: { ...unlimited, deactivationsMax: 1 } });
    const { id } = await feed.synced(csvOf([row(users[0] as GivenUser, 'Changed')]));
    expect((await feed.decide(id, 'cancel')).json.data.state).toBe('cancelled');
    expect((await eventsAbout(id)).map(({ kind, fields }) => [kind, fields.state])).toEqual([
      ['feed.waiting', 'waiting'],
      ['feed.ended', 'cancelled'],
    ]);
    const { items } = (await service.get('/service/access-events?kind=feed.run-cancelled')).json.data;
    expect(items).toContainEqual(expect.objectContaining({ detail: { feed: feed.key, runId: id } }));
  });
});

describe('if all runs need approval', () => {
  test('whoever uploaded the file cannot approve its run, and someone else can', async () => {
    const user = await service.givenUser();
    const feed = await givenFeed(service, { rules: { approval: 'always' } });
    const colleague = await givenColleague(service);
    const run = await feed.synced(csvOf([aRow(user.employeeID, 'Approved')]));
    expect(run).toMatchObject({ state: 'waiting', findings: [] });
    expect((await feed.decide(run.id, 'approve')).json).toMatchObject({ message: 'FEED_APPROVAL_BY_AUTHOR' });
    expect((await feed.decide(run.id, 'approve', colleague.token)).status).toBe(200);
    expect(await feed.settled(run.id)).toMatchObject({
      state: 'done',
      approvedBy: { kind: 'client', id: colleague.clientId },
    });
    expect(await service.readUser(user.serial)).toMatchObject({ name: 'Approved' });
  });

  test('a file that changes nothing needs none', async () => {
    const user = await service.givenUser({ name: 'Same', email: 'same@example.com' });
    const feed = await givenFeed(service, { rules: { approval: 'always' } });
    const run = await feed.synced(csvOf([aRow(user.employeeID, 'Same', { email: 'same@example.com' })]));
    expect(run).toMatchObject({ state: 'done', counts: { unchanged: 1 } });
  });
});

test('rows that the rules of a feed leave alone are no failures, whatever their number', async () => {
  const feed = await givenFeed(service, {
    rules: { create: false },
    limits: { ...unlimited, failuresMax: 0 },
  });
  const run = await feed.synced(csvOf([aRow(newId()), aRow(newId()), aRow(newId())]));
  expect(run).toMatchObject({ state: 'done', findings: [], counts: { skipped: 3, failed: 0 } });
});

test('a run that fails tells those who want to know, without personal data', async () => {
  const administrator = await service.givenUser();
  const body = { role: 'administrator' };
  await service.request('PUT', `/service/users/${administrator.serial}/role`, { body });
  const feed = await givenFeed(service, { inform: { users: [administrator.serial] } });
  const run = await feed.synced('Someone,Else\nCanaria,Secret\n');
  expect(run).toMatchObject({ state: 'failed', problem: { code: 'COLUMNS_MISSING' } });
  const notices = await noticesAbout(service, run.id);
  expect(notices).toMatchObject([{ topic: 'feedFailed', userSerial: administrator.serial }]);
  const [ended] = await eventsAbout(run.id);
  expect(ended).toMatchObject({
    kind: 'feed.ended',
    fields: { state: 'failed', problem: 'COLUMNS_MISSING' },
  });
  expect(JSON.stringify(ended)).not.toContain('Canaria');
});
