import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, unlimited } from '../../support/feeds.js';
import { type GivenUser, issueToken, newId, useService } from '../../support/service.js';

const service = useService(eagerFeeds);

async function givenAttribute(settings: object = {}): Promise<string> {
  const key = newId('a').toLowerCase();
  const reply = await service.post('/service/attributes', { key, type: 'text', ...settings });
  expect(reply.status, reply.text).toBe(201);
  return key;
}

const feedFor = (rules: object, fields: readonly string[] = [], settings: object = {}) =>
  givenFeed(service, {
    mapping: mappingOf(['employeeID', 'name', 'email', ...fields]),
    ...{ rules, ...settings },
  });

const isActive = async ({ serial }: GivenUser) => (await service.readUser(serial)).isActive;

test('a row about a user outside of the tags and attributes of a feed is skipped, whatever it says', async () => {
  const [tag, department] = [newId('TAG'), await givenAttribute()];
  const inside = { tagSerials: [tag], attributes: { [department]: 'Sales' } };
  const member = await service.givenUser(inside);
  const untagged = await service.givenUser({ ...inside, tagSerials: [] });
  const elsewhere = await service.givenUser({ ...inside, attributes: { [department]: 'sales' } });
  const without = await service.givenUser({ tagSerials: [tag] });
  const field = `attributes.${department}` as const;
  const feed = await feedFor({ tagSerials: [tag], attributes: { [department]: [' Sales ', 'Service'] } }, [
    ...['tagSerials', field],
  ]);
  const rows = [member, untagged, elsewhere, without].map(({ employeeID }) =>
    aRow(employeeID, 'Changed', { tagSerials: tag, [field]: 'Sales' }),
  );
  const run = await feed.synced(csvOf(rows));
  expect(run).toMatchObject({ state: 'done', counts: { updated: 1, skipped: 3, failed: 0 } });
  expect(await feed.told(run.id)).toEqual([
    [2, 'updated'],
    [3, 'FEED_OUT_OF_SCOPE'],
    [4, 'FEED_OUT_OF_SCOPE'],
    [5, 'FEED_OUT_OF_SCOPE'],
  ]);
  expect(await service.readUser(untagged.serial)).toMatchObject({ name: untagged.name });
});

test('a new user is created if the own values of the row meet every condition', async () => {
  const [tag, other, department] = [newId('TAG'), newId('TAG'), await givenAttribute()];
  await service.givenUser({ tagSerials: [tag, other] });
  const field = `attributes.${department}` as const;
  const scope = { tagSerials: [tag], attributes: { [department]: ['Sales'] } };
  const row = (tagSerials: string, value: string) => aRow(newId(), 'New', { tagSerials, [field]: value });
  const file = csvOf([row(`${other}, ${tag}`, 'Sales'), row(other, 'Sales'), row(tag, 'IT'), row(tag, '')]);
  const feed = await feedFor(scope, ['tagSerials', field]);
  expect(await feed.told((await feed.synced(file)).id)).toEqual([
    [2, 'created'],
    ...[3, 4, 5].map((at) => [at, 'FEED_OUT_OF_SCOPE']),
  ]);
  const silent = await feedFor(scope, ['tagSerials']);
  const run = await silent.synced(csvOf([aRow(newId(), 'New', { tagSerials: tag })]));
  expect(run, 'the feed does not fill the attribute').toMatchObject({ counts: { created: 0, skipped: 1 } });
  const columns = [
    ...mappingOf(['employeeID', 'name', 'email', 'tagSerials']).columns,
    { field, constant: 'Sales' },
  ];
  await silent.patch({ mapping: { columns } });
  const filled = await silent.synced(csvOf([aRow(newId(), 'New', { tagSerials: tag })]));
  expect(filled, 'the same for every row').toMatchObject({ counts: { created: 1, skipped: 0 } });
});

test.each([
  ['number', [7, 8.5], '8.5', 8.5, 9],
  ['boolean', [true], 'yes', true, false],
  ['date', ['2026-01-31'], '31.01.2026', '2026-01-31', '2026-01-30'],
  ['choice', ['Sales'], 'Sales', 'Sales', 'IT'],
  ['list', ['Sales'], 'IT, Sales', ['IT', 'Sales'], ['IT']],
])('values of the type %s are compared as they are stored', async (type, wanted, cell, value, other) => {
  const key = await givenAttribute({ type, ...(type === 'choice' && { choices: ['Sales', 'IT'] }) });
  const inside = await service.givenUser({ attributes: { [key]: value } });
  const outside = await service.givenUser({ attributes: { [key]: other } });
  const feed = await feedFor({ attributes: { [key]: wanted } }, [`attributes.${key}`]);
  const ids = [inside.employeeID, outside.employeeID, newId()];
  const run = await feed.synced(
    csvOf(ids.map((id) => aRow(id, 'Of the feed', { [`attributes.${key}`]: cell }))),
  );
  expect(await feed.told(run.id)).toEqual([
    [2, 'updated'],
    [3, 'FEED_OUT_OF_SCOPE'],
    [4, 'created'],
  ]);
});

test('users outside are neither deactivated if they are missing, nor counted for limits', async () => {
  const department = await givenAttribute();
  const given = (value: string) => service.givenUser({ attributes: { [department]: value } });
  const [stays, leaves, outside] = [await given('Sales'), await given('Sales'), await given('IT')];
  const rules = { deactivateMissing: true, attributes: { [department]: ['Sales'] } };
  const settings = { limits: { ...unlimited, deactivationsMax: '49%' } };
  const feed = await feedFor(rules, [], settings);
  const file = csvOf([aRow(stays.employeeID, 'Stays')]);
  expect(await feed.synced(file)).toMatchObject({
    state: 'waiting',
    counts: { deactivated: 1 },
    findings: [{ code: 'DEACTIVATIONS', actual: 1, of: 2 }],
  });
  await feed.patch({ limits: unlimited });
  const run = await feed.synced(csvOf([aRow(stays.employeeID, 'Stays on')]));
  expect(run).toMatchObject({ state: 'done', counts: { updated: 1, deactivated: 1 } });
  expect(await Promise.all([stays, leaves, outside].map(isActive))).toEqual([true, false, true]);
});

describe('an attribute that was deleted after the feed was stored', () => {
  test('stops a run before its first write, and the run says why', async () => {
    const department = await givenAttribute();
    const user = await service.givenUser({ attributes: { [department]: 'Sales' } });
    const missing = await service.givenUser({ attributes: { [department]: 'Sales' } });
    const feed = await feedFor({ deactivateMissing: true, attributes: { [department]: ['Sales'] } });
    const path = `/service/attributes/${department}?confirm=2`;
    expect((await service.request('DELETE', path)).status).toBe(200);
    const run = await feed.synced(csvOf([aRow(user.employeeID, 'Changed'), aRow(newId())]));
    expect(run).toMatchObject({
      state: 'failed',
      problem: {
        code: 'SCOPE_OUTDATED',
        text: expect.stringContaining(`"attributes.${department}", which is not an attribute.`),
      },
    });
    expect(await service.readUser(user.serial)).toMatchObject({ name: user.name });
    expect(await isActive(missing)).toBe(true);
  });
});

describe('a scope that cannot work is refused, and the reply says why', () => {
  test('names the nearest attribute, and the type of a value', async () => {
    const key = await givenAttribute({ type: 'number' });
    const detailOf = async (attributes: object) => {
      const body = {
        key: newId('f').toLowerCase(),
        name: 'Staff',
        source: { type: 'upload' },
        mapping: mappingOf(),
      };
      const reply = await service.post('/service/feeds', { ...body, rules: { attributes } });
      expect([reply.status, reply.json.data], reply.text).toEqual([400, { field: 'rules' }]);
      return reply.json.detail;
    };
    expect(await detailOf({ [key.toUpperCase()]: [1] })).toBe(
      `"rules" contains "attributes.${key.toUpperCase()}", which is not an attribute. Did you mean "${key}"?`,
    );
    expect(await detailOf({ [key]: [1, 'two'] })).toBe(
      `"rules" contains "attributes.${key}", which has an element (2) that must be a number.`,
    );
    const list = 'a list of 1 to 1000 texts, numbers or booleans';
    for (const values of ['one', 1, [], [null], [[1]]]) {
      expect(await detailOf({ [key]: values })).toBe(
        `"rules" contains "attributes", which has an attribute (1) whose values must be ${list}.`,
      );
    }
  });
});

test('a sensitive attribute needs attributes:sensitive, and its values are hidden from others', async () => {
  const salaryBand = await givenAttribute({ isSensitive: true });
  const rules = { attributes: { [salaryBand]: ['hidden-band'] } };
  const feed = await feedFor(rules);
  const administrator = await issueToken(
    service.url,
    await givenClient(service, ['users:read', 'users:write', 'access:admin']),
  );
  const body = {
    key: newId('f').toLowerCase(),
    name: 'Staff',
    source: { type: 'upload' },
    mapping: mappingOf(),
  };
  const refused = await service.post('/service/feeds', { ...body, rules }, { token: administrator });
  expect([refused.status, refused.json.message]).toEqual([403, 'ACCESS_SCOPE_MISSING']);
  for (const path of [feed.path, '/service/feeds', `${feed.path}/versions`]) {
    const { text } = await service.get(path, { token: administrator });
    expect(text, path).not.toContain('hidden-band');
    expect(text, path).toContain(`"hidden":["rules.attributes.${salaryBand}"]`);
  }
  const copied = await feed.patch({ rules: { attributes: { [salaryBand]: ['…'] } } });
  expect([copied.status, copied.json.data], copied.text).toEqual([400, { field: 'rules' }]);

  const inside = await service.givenUser({ attributes: { [salaryBand]: 'hidden-band' } });
  const run = await feed.synced(csvOf([aRow(inside.employeeID, 'Inside'), aRow(newId())]));
  expect(await feed.told(run.id)).toEqual([
    [2, 'updated'],
    [3, 'FEED_OUT_OF_SCOPE'],
  ]);
  const uploaded = await feed.upload(csvOf([aRow(newId())]), '', { token: administrator });
  expect(uploaded.json, uploaded.text).toMatchObject({ message: 'ACCESS_SCOPE_MISSING' });
});
