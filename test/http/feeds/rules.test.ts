import { describe, expect, test } from 'vitest';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, type TestFeed } from '../../support/feeds.js';
import { type GivenUser, newId, useService } from '../../support/service.js';

const service = useService(eagerFeeds);

const fields = ['employeeID', 'name', 'email', 'organizationSerial'];

async function userOf(employeeID: string) {
  return (await service.post('/service/users/lookup', { employeeIDs: [employeeID] })).json.data.items[0];
}

const staffFeed = (organizationSerial: string, rules: object = {}): Promise<TestFeed> =>
  givenFeed(service, {
    mapping: mappingOf(fields),
    rules: { organizationSerials: [organizationSerial], ...rules },
  });

describe('a feed for some organizations', () => {
  test('neither creates, changes nor deactivates users of others', async () => {
    const [ours, theirs] = [newId('ORG'), newId('ORG')];
    const [member, stranger, hidden] = [
      await service.givenUser({ organizationSerial: ours }),
      await service.givenUser({ organizationSerial: theirs }),
      await service.givenUser({ organizationSerial: theirs }),
    ];
    const feed = await staffFeed(ours, { deactivateMissing: true });
    const [created, refused] = [newId(), newId()];
    const run = await feed.synced(
      csvOf([
        aRow(member.employeeID, 'Ours', { organizationSerial: ours }),
        // The file says so, but the user is in another organization.
        aRow(stranger.employeeID, 'Ours', { organizationSerial: ours }),
        aRow(created, 'Ours', { organizationSerial: ours }),
        aRow(refused, 'Theirs', { organizationSerial: theirs }),
      ]),
    );
    expect(run).toMatchObject({
      state: 'done',
      counts: { updated: 1, created: 1, skipped: 2, deactivated: 0 },
    });
    expect(await feed.told(run.id)).toEqual([
      [2, 'updated'],
      [3, 'FEED_OUT_OF_SCOPE'],
      [4, 'created'],
      [5, 'FEED_OUT_OF_SCOPE'],
    ]);
    expect(await service.readUser(stranger.serial)).toMatchObject({ name: stranger.name });
    expect(await service.readUser(hidden.serial)).toMatchObject({ isActive: true });
    expect(await userOf(refused)).toBeUndefined();
  });
});

describe('users who are missing from the file', () => {
  test('stay active if they have a role or belong to another feed', async () => {
    const organizationSerial = newId('ORG');
    const [stays, leaves, viewer, others] = [
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ organizationSerial }),
      await service.givenUser({ organizationSerial, username: newId('u') }),
      await service.givenUser({ organizationSerial }),
    ];
    await service.request('PUT', `/service/users/${viewer.serial}/role`, { body: { role: 'viewer' } });
    const other = await staffFeed(organizationSerial);
    await other.synced(csvOf([aRow(others.employeeID, 'Others', { organizationSerial })]));
    expect(await other.read()).toMatchObject({ users: 1 });
    const feed = await staffFeed(organizationSerial, { deactivateMissing: true });
    const run = await feed.synced(csvOf([aRow(stays.employeeID, 'Stays', { organizationSerial })]));
    expect(run).toMatchObject({ state: 'done', counts: { updated: 1, deactivated: 1 } });
    const isActive = async ({ serial }: GivenUser) => (await service.readUser(serial)).isActive;
    expect(await Promise.all([stays, leaves, viewer, others].map(isActive))).toEqual([
      true,
      false,
      true,
      true,
    ]);
  });

  test('stay active if the employee ID of a row cannot be read, because nobody can tell who it is', async () => {
    const organizationSerial = newId('ORG');
    const missing = await service.givenUser({ organizationSerial });
    const feed = await staffFeed(organizationSerial, { deactivateMissing: true });
    const run = await feed.synced(csvOf([aRow('not an ID', 'X', { organizationSerial })]));
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'IDS_UNREADABLE', rows: [2], count: 1 } });
    expect(await service.readUser(missing.serial)).toMatchObject({ isActive: true });
  });
});

describe('a user of another feed', () => {
  test.each([
    ['skip', [2, 'FEED_OF_OTHER'], false, { skipped: 1 }],
    ['fail', [2, 'FEED_CONFLICT'], false, { failed: 1 }],
    ['take', [2, 'updated'], true, { updated: 1 }],
  ])('with onConflict=%s: %s', async (onConflict, told, isTaken, counts) => {
    const { serial, employeeID } = await service.givenUser();
    const first = await givenFeed(service);
    await first.synced(csvOf([aRow(employeeID, 'Of the first')]));
    const second = await givenFeed(service, { rules: { onConflict } });
    const run = await second.synced(csvOf([aRow(employeeID, 'Of the second')]));
    expect(run).toMatchObject({ state: 'done', counts });
    expect(await second.told(run.id)).toEqual([told]);
    expect(await service.readUser(serial)).toMatchObject({
      name: isTaken ? 'Of the second' : 'Of the first',
    });
    expect([(await first.read()).users, (await second.read()).users]).toEqual(isTaken ? [0, 1] : [1, 0]);
  });
});

describe('rules about what a feed does', () => {
  test('create=false leaves new users out, and update=false leaves known ones as they are', async () => {
    const [user, stranger] = [await service.givenUser(), newId()];
    const file = csvOf([aRow(user.employeeID, 'From the file'), aRow(stranger)]);
    const updating = await givenFeed(service, { rules: { create: false } });
    const creating = await givenFeed(service, { rules: { update: false } });
    expect(await updating.told((await updating.synced(file, '?dryRun=true')).id)).toEqual([
      [2, 'updated'],
      [3, 'FEED_DOES_NOT_CREATE'],
    ]);
    expect(await creating.told((await creating.synced(file, '?dryRun=true')).id)).toEqual([
      [2, 'FEED_DOES_NOT_UPDATE'],
      [3, 'created'],
    ]);
  });

  test('rehire=true brings back inactive users with a new password, and without it they stay as they are', async () => {
    const leaver = await service.givenUser({ isActive: false });
    const file = csvOf([aRow(leaver.employeeID, 'Back again', { isActive: 'true' })]);
    const mapping = mappingOf(['employeeID', 'name', 'email', 'isActive']);
    const feed = await givenFeed(service, { mapping, rules: { rehire: true } });
    const run = await feed.synced(file);
    expect(run).toMatchObject({ state: 'done', counts: { rehired: 1 } });
    expect(await service.readUser(leaver.serial)).toMatchObject({ isActive: true, name: 'Back again' });
    const sent = await service.get(`/service/deliveries?userSerial=${leaver.serial}`);
    expect(sent.json.data.items[0]).toMatchObject({ requestId: run.id });
  });
});

describe('an organization that the directory does not have', () => {
  const givenName = async (unknownNames?: string) => {
    const [employeeID, name] = [newId(), `Department ${newId()}`];
    const feed = await givenFeed(service, {
      mapping: mappingOf(fields),
      rules: unknownNames === undefined ? {} : { unknownNames },
    });
    const run = await feed.synced(csvOf([aRow(employeeID, 'New', { organizationSerial: name })]));
    return { run, name, user: await userOf(employeeID) };
  };

  test('stops the run before it changes anything', async () => {
    const { run, user, name } = await givenName();
    expect(run).toMatchObject({ state: 'failed', problem: { code: 'NAMES_UNKNOWN', names: 1, rows: [2] } });
    expect(JSON.stringify(run), 'a name may be that of a person').not.toContain(name);
    expect(user).toBeUndefined();
  });

  test('is created with unknownNames=create', async () => {
    const { run, user, name } = await givenName('create');
    expect(run).toMatchObject({ state: 'done', counts: { created: 1 } });
    expect(user.organizationSerial).not.toBeNull();
    const entry = await service.get(`/service/organizations/${user.organizationSerial}`);
    expect([entry.status, JSON.stringify(entry.json.data)]).toEqual([200, expect.stringContaining(name)]);
  });

  test('is left out with unknownNames=leaveOut', async () => {
    const { run, user } = await givenName('leaveOut');
    expect(run).toMatchObject({ state: 'done', counts: { created: 1 } });
    expect(user).toMatchObject({ organizationSerial: null });
  });
});
