import { describe, expect, test } from 'vitest';
import { everythingStored } from '../../support/deliveries.js';
import { eagerFeeds, givenFeed, mappingOf } from '../../support/feeds.js';
import { newId, type Reply, useService } from '../../support/service.js';

const service = useService({
  ...eagerFeeds,
  ROLLCALL_WEBHOOK_HOSTS: 'hr.invalid,hr.invalid:8443,other.invalid',
});

const source = { type: 'https', url: 'https://hr.invalid/staff.csv', auth: 'bearer' };
const create = (settings: object): Promise<Reply> =>
  service.post('/service/feeds', {
    ...{ key: newId('f').toLowerCase(), name: 'Staff', source, mapping: mappingOf() },
    ...settings,
  });

describe('a setting that cannot work is refused, and the reply names it', () => {
  test.each([
    ['key', { key: 'Upper Case' }],
    ['key', { key: 'new' }],
    ['source', { source: { type: 'ftp' } }],
    ['source', { source: { type: 'https' } }],
    ['source', { source: { type: 'https', url: 'http://hr.invalid/staff.csv' } }],
    ['source', { source: { type: 'https', url: 'https://169.254.169.254/latest' } }],
    ['source', { source: { ...source, auth: 'basic' } }],
    ['source', { source: { type: 'folder', path: '../outside.csv' } }],
    ['source', { source: { type: 'upload', url: null } }],
    ['schedule', { schedule: {} }],
    ['schedule', { schedule: { cron: 'every day' } }],
    ['schedule', { schedule: { cron: '0 0 30 2 *' } }],
    ['schedule', { schedule: { onNewFile: true, from: '05:00' } }],
    ['schedule', { source: { type: 'upload' }, schedule: { cron: '0 5 * * *' } }],
    ['mapping', { mapping: { columns: [] } }],
    ['mapping', { mapping: mappingOf(['employeeID', 'name', 'password']) }],
    ['mapping', { mapping: mappingOf(['employeeID', 'name', 'attributes.nobody']) }],
    ['rules', { rules: { onConflict: 'guess' } }],
    ['limits', { limits: { deactivationsMax: '101%' } }],
    ['inform', { inform: { users: ['nobody'] } }],
    ['chatUrl', { inform: { chat: 'slack' } }],
    ['chatUrl', { chatUrl: 'https://hr.invalid/hook' }],
  ])('%s: %j', async (field, settings) => {
    const reply = await create(settings);
    expect([reply.status, reply.json.message, reply.json.data], reply.text).toEqual([
      ...[400, 'REQUEST_BODY_INVALID', { field }],
    ]);
  });
});

describe('the secret of a feed', () => {
  const secret = 'correct horse battery staple';

  test('is stored encrypted, and neither returned nor logged', async () => {
    const created = await create({ secret, passphrase: `${secret} 2` });
    expect(created.status, created.text).toBe(201);
    const { key } = created.json.data;
    const replies = [
      created,
      await service.get(`/service/feeds/${key}`),
      await service.get('/service/feeds'),
      await service.get(`/service/feeds/${key}/versions`),
      await service.get('/service/access-events?limit=20'),
    ];
    for (const { text } of replies) expect(text).not.toContain(secret);
    expect(created.json.data).toMatchObject({ hasSecret: true, hasChatUrl: false });
    expect(service.logs).not.toContain(secret);
    expect(await everythingStored(service.database.pool)).not.toContain(secret);
  });

  test.each([
    ['stays if only the path changes', { url: 'https://hr.invalid/other.csv' }, true],
    ['is dropped if the source moves to another server', { url: 'https://other.invalid/staff.csv' }, false],
    ['is dropped if the source moves to another port', { url: 'https://hr.invalid:8443/staff.csv' }, false],
  ])('%s', async (_, change, isKept) => {
    const feed = await givenFeed(service, { source, secret });
    const moved = await feed.patch({ source: { ...source, ...change } });
    expect(moved.json.data, moved.text).toMatchObject({ hasSecret: isKept });
    expect((await feed.patch({ source })).json.data, 'even after the way back').toMatchObject({
      hasSecret: isKept,
    });
    expect((await feed.patch({ source: { ...source, ...change }, secret })).json.data.hasSecret).toBe(true);
  });
});

describe('settings', () => {
  test('have a version for each change, with who made it, and a name is no setting', async () => {
    const feed = await givenFeed(service, { rules: { rehire: true } });
    expect((await feed.patch({ name: 'Renamed' })).json.data).toMatchObject({ version: 1, name: 'Renamed' });
    expect((await feed.patch({ rules: { create: false } })).json.data.version).toBe(2);
    expect((await feed.patch({ rules: null })).json.data).toMatchObject({ version: 3, rules: {} });
    const { items } = (await service.get(`${feed.path}/versions`)).json.data;
    expect(items).toMatchObject([
      { version: 3, by: { kind: 'client' }, settings: { rules: {} } },
      { version: 2, settings: { rules: { create: false } } },
      { version: 1, settings: { rules: { rehire: true } } },
    ]);
  });

  test('that are paused have no next run', async () => {
    const feed = await givenFeed(service, { source, schedule: { cron: '30 4 * * *' } });
    expect((await feed.read()).nextRunAt).toEqual(expect.any(String));
    expect((await feed.patch({ isPaused: true })).json.data).toMatchObject({
      isPaused: true,
      nextRunAt: null,
    });
    expect((await feed.patch({ isPaused: false })).json.data.nextRunAt).toEqual(expect.any(String));
  });

  test('are gone after a deletion, and users stay', async () => {
    const feed = await givenFeed(service);
    expect((await service.request('DELETE', feed.path)).json.data).toEqual({ key: feed.key });
    expect((await service.get(feed.path)).json.message).toBe('FEED_NOT_FOUND');
    expect((await feed.upload('x')).json.message).toBe('FEED_NOT_FOUND');
  });
});
