import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { everythingStored } from '../../support/deliveries.js';
import { eagerFeeds, givenFeed, mappingOf } from '../../support/feeds.js';
import { issueToken, newId, type Reply, useService } from '../../support/service.js';

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
    ['source', { source: { ...source, url: 'https://hr:secret@hr.invalid/staff.csv' } }],
    ['source', { source: { ...source, url: 'https://hr.invalid/staff.csv?…' } }],
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

test('a mapping that cannot work is refused in whole sentences', async () => {
  const { json } = await create({ mapping: { columns: [] } });
  expect(json.detail).toBe(
    '"mapping" cannot be used. Every row needs "employeeID", but nothing is mapped to it.',
  );
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

  test('stays if only the path changes', async () => {
    const feed = await givenFeed(service, { source, secret });
    const moved = await feed.patch({ source: { ...source, url: 'https://hr.invalid/other.csv' } });
    expect(moved.json.data, moved.text).toMatchObject({ hasSecret: true });
  });

  const sftp = { type: 'sftp', host: 'sftp.invalid', username: 'rollcall', path: 'staff.csv' };
  const hostKey = 'SHA256:uNiVztksCsDhcc0u9e8BrGXMVmqD9tDTUYfRWZ0AoNQ';

  test.each([
    ['to another server', source, { url: 'https://other.invalid/staff.csv' }],
    ['to another port', source, { url: 'https://hr.invalid:8443/staff.csv' }],
    ['to another host', sftp, { host: 'other.invalid' }],
    ['to another host key', { ...sftp, hostKey }, { hostKey: hostKey.toLowerCase() }],
    ['away from its host key', { ...sftp, hostKey }, { hostKey: null }],
  ])('is needed again if the source moves %s', async (_, before, change) => {
    const feed = await givenFeed(service, { source: before, secret });
    const after = { ...before, ...change };
    const refused = await feed.patch({ source: after });
    expect([refused.status, refused.json.data], refused.text).toEqual([400, { field: 'secret' }]);
    expect((await feed.patch({ source: after, secret: null })).json.data).toMatchObject({ hasSecret: false });
    expect((await feed.patch({ source: before, secret })).json.data).toMatchObject({ hasSecret: true });
  });

  test('stays if the host key is confirmed for the first time', async () => {
    const feed = await givenFeed(service, { source: sftp, secret });
    const confirmed = await feed.patch({ source: { ...sftp, port: 22, hostKey, auth: 'password' } });
    expect(confirmed.json.data, confirmed.text).toMatchObject({ hasSecret: true });
  });

  test('is dropped with a source that needs none', async () => {
    const feed = await givenFeed(service, { source, secret });
    expect((await feed.patch({ source: { type: 'upload' } })).json.data).toMatchObject({ hasSecret: false });
  });
});

describe('settings', () => {
  test('are shown without what the caller may not see', async () => {
    const key = newId('a').toLowerCase();
    const attribute = { key, type: 'text', isSensitive: true };
    expect((await service.post('/service/attributes', attribute)).status).toBe(201);
    const feed = await givenFeed(service, {
      source: { ...source, url: `${source.url}?token=hidden1` },
      mapping: { columns: [...mappingOf().columns, { field: `attributes.${key}`, constant: 'hidden2' }] },
    });
    const token = await issueToken(service.url, await givenClient(service, ['users:read']));
    for (const path of ['', `/${feed.key}`, `/${feed.key}/versions`]) {
      const text = async (options = {}) => (await service.get(`/service/feeds${path}`, options)).text;
      expect(await text(), path).toMatch(/hidden1.*hidden2/);
      expect(await text({ token }), path).not.toMatch(/hidden[12]/);
      expect(await text({ token }), path).toContain(`"hidden":["source.url","mapping.attributes.${key}"]`);
    }
  });

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
