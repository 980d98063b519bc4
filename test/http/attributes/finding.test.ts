import { describe, expect, test } from 'vitest';
import { givenClient } from '../../support/clients.js';
import { confirmed } from '../../support/directories.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { issueToken, newId, useService } from '../../support/service.js';

const service = useService();

/** Defines a filterable attribute under a key of its own. */
async function givenAttribute(settings: Record<string, unknown> = {}, prefix = 'a'): Promise<string> {
  const key = newId(prefix).replace(/[^A-Za-z0-9]/g, '');
  const reply = await service.post('/service/attributes', {
    ...{ key, type: 'text', isFilterable: true },
    ...settings,
  });
  expect(reply.status, reply.text).toBe(201);
  return key;
}

const change = async (key: string, settings: Record<string, unknown>) => {
  const reply = await service.request('PATCH', `/service/attributes/${key}`, { body: settings });
  expect(reply.status, reply.text).toBe(200);
};

const listed = (query: string, token?: string) =>
  service.get(`/service/users?${query}`, token === undefined ? {} : { token });

/** The names of those who match, with every page and its exact total. */
async function found(query: string, limit = 50): Promise<string[]> {
  const names: string[] = [];
  let cursor = '';
  do {
    const { json, text } = await listed(`${query}&limit=${limit}&total=exact${cursor}`);
    expect(json.data, text).toMatchObject({ isComplete: true, total: { isExact: true } });
    names.push(...json.data.items.map(({ name }: { name: string }) => name));
    cursor = json.data.nextCursor === null ? '' : `&cursor=${json.data.nextCursor}`;
    if (cursor === '') expect(json.data.total.count).toBe(names.length);
  } while (cursor !== '');
  return names;
}

/** Reads the same before and after the users are indexed. */
async function beforeAndAfterIndexing(read: () => Promise<void>): Promise<void> {
  service.context.bulkCalls.running++; // keeps the indexer from running in the background
  try {
    await read();
  } finally {
    service.context.bulkCalls.running--;
  }
  await indexNow(service);
  await read();
}

test('users are found by values of every type', async () => {
  const site = await givenAttribute({ type: 'choice', choices: ['Berlin', 'Lyon'] });
  const level = await givenAttribute({ type: 'number' });
  const hired = await givenAttribute({ type: 'date' });
  const remote = await givenAttribute({ type: 'boolean' });
  const skills = await givenAttribute({ type: 'list' });
  const given = (name: string, attributes: unknown) => service.givenUser({ name, attributes });
  const organizationSerial = newId('ORG');
  await given('Ada', { [site]: 'Berlin', [level]: 9, [hired]: '2019-12-31', [skills]: ['Go', 'C'] });
  await given('Bob', { [site]: 'Lyon', [level]: 10, [hired]: '2020-01-01', [remote]: true });
  await given('Cleo', { [site]: 'Lyon', [level]: -0.5, [remote]: false, [skills]: ['C'] });
  await service.givenUser({ name: 'Dan', organizationSerial });
  await beforeAndAfterIndexing(async () => {
    const at = (key: string, filter: string) => found(`attributes.${key}${filter}`);
    expect(await at(site, '=Lyon')).toEqual(['Bob', 'Cleo']);
    expect(await at(site, `=Lyon&attributes.${site}=Berlin`)).toEqual(['Ada', 'Bob', 'Cleo']);
    expect(await at(site, `=Lyon&attributes.${remote}=true`)).toEqual(['Bob']);
    expect(await at(level, '=10.0')).toEqual(['Bob']);
    expect(await at(level, '.from=9')).toEqual(['Ada', 'Bob']);
    expect(await at(level, `.from=-1&attributes.${level}.to=9`)).toEqual(['Ada', 'Cleo']);
    expect(await at(hired, '.to=2019-12-31')).toEqual(['Ada']);
    expect(await at(skills, '=C')).toEqual(['Ada', 'Cleo']);
    expect(await at(skills, `=Go&attributes.${skills}=C`)).toEqual(['Ada', 'Cleo']);
    expect(await at(site, '=berlin')).toEqual([]);
    expect(await at(site, '.isSet=true')).toEqual(['Ada', 'Bob', 'Cleo']);
    const lacking = `.isSet=false&organizationSerial=${organizationSerial}`;
    expect(await at(site, lacking)).toEqual(['Dan']);
  });
});

test('users are sorted by values, page by page, those without one last', async () => {
  const level = await givenAttribute({ type: 'number' });
  const team = await givenAttribute();
  const organizationSerial = newId('ORG');
  const given = (name: string, attributes: unknown) =>
    service.givenUser({ name, organizationSerial, attributes });
  await given('Ada', { [level]: 10, [team]: 'Ärzte' });
  await given('Bob', {});
  await given('Cleo', { [level]: 9, [team]: 'zebra' });
  await given('Dan', { [level]: 10, [team]: 'Auto' });
  await given('Eve', {});
  await beforeAndAfterIndexing(async () => {
    const sorted = (by: string) => found(`organizationSerial=${organizationSerial}&sort=${by}`, 1);
    expect(await sorted(`attributes.${level}`)).toEqual(['Cleo', 'Ada', 'Dan', 'Bob', 'Eve']);
    expect(await sorted(`-attributes.${level}`)).toEqual(['Dan', 'Ada', 'Cleo', 'Eve', 'Bob']);
    expect(await sorted(`attributes.${team}`)).toEqual(['Ada', 'Dan', 'Cleo', 'Bob', 'Eve']);
  });
});

test('searches find words of searchable attributes only', async () => {
  const word = newId('w').replace(/[^a-z0-9]/gi, '');
  const skills = await givenAttribute({ type: 'list', isSearchable: true });
  const notes = await givenAttribute();
  await service.givenUser({ name: 'Ada', attributes: { [skills]: ['Schweißen', word], [notes]: 'x' } });
  await service.givenUser({ name: 'Bob', attributes: { [notes]: word } });
  await beforeAndAfterIndexing(async () => {
    expect(await found(`search=${word}%20schweissen`)).toEqual(['Ada']);
  });
});

describe('a definition that changes', () => {
  test('applies to users who have a value already, and lists are complete meanwhile', async () => {
    const word = newId('w').replace(/[^a-z0-9]/gi, '');
    const key = await givenAttribute({ isFilterable: false });
    await service.givenUser({ name: 'Ada', attributes: { [key]: word } });
    await indexNow(service);
    expectFailure(
      await listed(`attributes.${key}=${word}`),
      400,
      10005,
      'REQUEST_PARAMETER_INVALID',
      /filter/,
    );
    service.context.bulkCalls.running++; // keeps the indexer from running in the background
    try {
      await change(key, { isFilterable: true, isSearchable: true });
      expect(await found(`attributes.${key}=${word}`)).toEqual(['Ada']);
      expect(await found(`attributes.${key}.isSet=true&sort=attributes.${key}`)).toEqual(['Ada']);
      const { data } = (await listed(`search=${word}&total=exact`)).json;
      expect(data).toMatchObject({ items: [], isComplete: false });
      const update = { filter: { search: word }, patch: { isActive: false } };
      const reply = await service.post('/service/users/update-matching?confirm=0', update);
      expect(reply.json.message).toBe('SERVICE_UNAVAILABLE');
    } finally {
      service.context.bulkCalls.running--;
    }
    await indexNow(service);
    expect(await listedValues(word)).toBe(1);
    expect(await found(`attributes.${key}=${word}`)).toEqual(['Ada']);
    expect(await found(`search=${word}`)).toEqual(['Ada']);
    await change(key, { isFilterable: false, isSearchable: false });
    await indexNow(service);
    expect(await listedValues(word)).toBe(0);
    expect(await found(`search=${word}`)).toEqual([]);
  });

  test('a change to an attribute that nobody is found by is not written to the index', async () => {
    const key = await givenAttribute({ isFilterable: false });
    const other = await givenAttribute();
    const { serial } = await service.givenUser({ attributes: { [key]: 'A', [other]: 'B' } });
    const rows = async () => {
      await indexNow(service);
      const { rows } = await service.database.pool.query(
        `SELECT ctid::text, xmin::text FROM user_listing WHERE serial = $1
         UNION ALL SELECT ctid::text, xmin::text FROM listed_attributes WHERE user_serial = $1`,
        [serial],
      );
      return rows;
    };
    const before = await rows();
    expect(before).toHaveLength(2);
    const patch = (attributes: unknown) =>
      service.request('PATCH', `/service/users/${serial}`, { body: { attributes } });
    expect((await patch({ [key]: 'C' })).status).toBe(200);
    expect(await rows()).toEqual(before);
    expect((await patch({ [other]: 'D' })).status).toBe(200);
    const [user, value] = await rows();
    expect(user).toEqual(before[0]);
    expect(value).not.toEqual(before[1]);
  });
});

async function listedValues(value: string): Promise<number> {
  const { rows } = await service.database.pool.query(
    'SELECT count(*)::integer AS count FROM listed_attributes WHERE value = $1',
    [value],
  );
  return rows[0].count;
}

test('update-matching takes the same filters', async () => {
  const level = await givenAttribute({ type: 'number' });
  const given = (name: string, value: number) => service.givenUser({ name, attributes: { [level]: value } });
  await given('Ada', 1);
  const bob = await given('Bob', 2);
  await given('Cleo', 3);
  const filter = { [`attributes.${level}.from`]: 2, [`attributes.${level}`]: ['1', 2] };
  await confirmed(service, '/service/users/update-matching', { filter, patch: { isActive: false } });
  expect(await found(`attributes.${level}.isSet=true&isActive=false`)).toEqual(['Bob']);
  expect((await service.readUser(bob.serial)).isActive).toBe(false);
});

describe('rejected are', () => {
  test('values, ranges and orders that do not fit the attribute', async () => {
    const text = await givenAttribute();
    const number = await givenAttribute({ type: 'number' });
    const list = await givenAttribute({ type: 'list' });
    const rejected = async (query: string, parameter: string, problem: RegExp) => {
      const reply = await listed(query);
      expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', problem);
      expect(reply.json.data).toEqual({ parameter });
    };
    const name = (key: string, suffix = '') => `attributes.${key}${suffix}`;
    await rejected(`${name(number)}=ten`, name(number), /must be a number/);
    await rejected(`${name(text, '.from')}=a`, name(text, '.from'), /is for numbers and dates/);
    await rejected(`${name(text, '.near')}=a`, name(text, '.near'), /can end with from, to, isSet/);
    await rejected(`${name(text)}=%20`, name(text), /use \.isSet/);
    await rejected(`${name(text, '.isSet')}=1`, name(text, '.isSet'), /must be one of true, false/);
    const twice = `${name(number, '.to')}=1&${name(number, '.to')}=2`;
    await rejected(twice, name(number, '.to'), /more than once/);
    await rejected(`sort=${name(list)}`, 'sort', /is a list/);
    await rejected('attributes=x', 'attributes', /is unknown/);
    await rejected(`${name(`${text}x`)}=a`, name(`${text}x`), new RegExp(`Did you mean "${text}"`));
  });

  test('sensitive attributes without their scope, as if they were unknown', async () => {
    // Unlike any other key, so that there is no hint.
    const prefix = 'x'.repeat(30);
    const salary = await givenAttribute({ type: 'number', isSensitive: true }, prefix);
    await service.givenUser({ name: 'Ada', attributes: { [salary]: 70_000 } });
    await service.givenUser({ name: 'Bob', attributes: { [salary]: 80_000 } });
    const sort = `sort=attributes.${salary}&attributes.${salary}.isSet=true`;
    expect(await found(sort)).toEqual(['Ada', 'Bob']);
    const { nextCursor } = (await listed(`${sort}&limit=1`)).json.data;

    const token = await issueToken(service.url, await givenClient(service, ['users:read', 'users:write']));
    const unknown = salary.replace(prefix, 'y'.repeat(prefix.length));
    const details = async (key: string) => {
      const filter = `attributes.${key}=70000`;
      const body = { filter: { [`attributes.${key}`]: 70_000 }, patch: { isActive: false } };
      const replies = [
        await listed(filter, token),
        await listed(`sort=attributes.${key}`, token),
        await listed(`sort=attributes.${key}&cursor=${nextCursor}`, token),
        await service.post('/service/users/update-matching?dryRun=true', body, { token }),
      ];
      expect(replies.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      return replies.map(({ text }) => text.replaceAll(key, 'key'));
    };
    expect(await details(salary)).toEqual(await details(unknown));
    const other = await listed(`sort=name&cursor=${nextCursor}`, token);
    expect(other.json.message).toBe('REQUEST_CURSOR_INVALID');
  });
});
