import { describe, expect, test } from 'vitest';
import { listScimUsers } from '../../../src/domain/scim/list-users.js';
import { readListQuery } from '../../../src/scim/list-query.js';
import { defaultSettings } from '../../../src/scim/provider-settings.js';
import { urns } from '../../../src/scim/schemas.js';
import { transaction } from '../../../src/storage/database.js';
import { indexNow } from '../../support/index-checks.js';
import { enterprise, givenScimProvider, type ScimProvider } from '../../support/scim.js';
import { newId, useService } from '../../support/service.js';

const service = useService();

/** A provider and three users whom a filter finds, in the order of their creation. */
async function givenUsers() {
  const provider = await givenScimProvider(service);
  const nickName = newId('Nick');
  const ids: string[] = [];
  for (const displayName of ['Carol', 'alice', 'Bob']) {
    ids.push((await provider.givenUser({ nickName, displayName })).id);
  }
  return { provider, ids, filter: `nickName eq "${nickName}"` };
}

const query = (parameters: Record<string, string | number>) =>
  `?${new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  )}`;
const idsOf = (resources: readonly { id: string }[]) => resources.map(({ id }) => id);

describe('GET /scim/v2/Users', () => {
  test('pages by index, with all attributes that were asked for', async () => {
    const { provider, ids, filter } = await givenUsers();
    const page = { filter, startIndex: 2, count: 1, attributes: 'displayName' };
    const reply = await provider.get(`/Users${query(page)}`);
    expect(reply.status, reply.text).toBe(200);
    expect(reply.json).toMatchObject({ totalResults: 3, startIndex: 2, itemsPerPage: 1 });
    expect(reply.json.Resources).toEqual([{ schemas: expect.any(Array), id: ids[1], displayName: 'alice' }]);
  });

  test('only counts with a count of 0', async () => {
    const { provider, filter } = await givenUsers();
    const reply = await provider.get(`/Users${query({ filter, count: 0 })}`);
    expect(reply.json).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] });
  });

  test.each([
    ['ascending', [1, 2, 0]],
    ['descending', [0, 2, 1]],
  ])('follows cursors in %s order', async (sortOrder, order) => {
    const { provider, ids, filter } = await givenUsers();
    const found: string[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const asked = { filter, sortBy: 'displayName', sortOrder, count: 1, cursor };
      const { json } = await provider.get(`/Users${query(asked)}`);
      expect(json).toMatchObject({ totalResults: 3, itemsPerPage: 1 });
      found.push(...idsOf(json.Resources));
      cursor = json.nextCursor;
    }
    expect(found).toEqual(order.map((at) => ids[at]));
  });

  test('finds a userName by its common form, and as it was sent', async () => {
    const provider = await givenScimProvider(service);
    const plain = `${newId('Zoë')}@example.com`;
    const fullWidth = plain.replace(/[!-~]/g, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0));
    const { id } = await provider.givenUser({ userName: fullWidth });
    for (const name of [fullWidth, plain, plain.toUpperCase()]) {
      const filter = encodeURIComponent(`userName eq "${name}"`);
      expect((await provider.get(`/Users?filter=${filter}`)).json.Resources).toMatchObject([
        { id, userName: fullWidth },
      ]);
    }
  });

  test('rejects a cursor of another list', async () => {
    const { provider, filter } = await givenUsers();
    const { json } = await provider.get(`/Users${query({ filter, count: 1, cursor: '' })}`);
    const reply = await provider.get(`/Users${query({ count: 1, cursor: json.nextCursor })}`);
    expect(reply.status).toBe(400);
    expect(reply.json).toMatchObject({ scimType: 'invalidCursor' });
  });

  test('leaves out users whom the provider has deleted', async () => {
    const { provider, ids, filter } = await givenUsers();
    await provider.delete(`/Users/${ids[0]}`);
    const { json } = await provider.get(`/Users${query({ filter })}`);
    expect(idsOf(json.Resources)).toEqual(ids.slice(1));
  });
});

describe('the index of users', () => {
  const total = async (provider: ScimProvider, filter?: string) =>
    (await provider.get(`/Users${query({ count: 0, ...(filter && { filter }) })}`)).json.totalResults;

  test('finds and counts members of groups, whether it knows them yet or not, but no deleted users', async () => {
    const provider = await givenScimProvider(service);
    const tag = newId('Tag');
    const givenMember = () => service.givenUser({ tagSerials: [tag] });
    const [indexed, deleted, inactive] = [await givenMember(), await givenMember(), await givenMember()];
    await indexNow(service);
    const [fresh, former] = [await givenMember(), await givenMember()];
    await indexNow(service);
    await service.request('PATCH', `/service/users/${former.serial}`, { body: { tagSerials: [] } });
    await service.request('PATCH', `/service/users/${inactive.serial}`, { body: { isActive: false } });
    expect((await provider.delete(`/Users/${deleted.serial}`)).status).toBe(204);
    const filter = `groups.value eq "${tag}"`;
    const { json } = await provider.get(`/Users${query({ filter, sortBy: 'meta.created' })}`);
    expect(idsOf(json.Resources)).toEqual([indexed, inactive, fresh].map(({ serial }) => serial));
    expect(await total(provider, filter)).toBe(3);
    expect(await total(provider, `${filter} and active eq true`)).toBe(2);
    expect(await total(provider, `active eq false and ${filter}`)).toBe(1);
  });

  test('counts all users but those who are deleted', async () => {
    const provider = await givenScimProvider(service);
    const totals = async () => [
      await total(provider),
      await total(provider, 'active eq true'),
      await total(provider, 'active eq false'),
    ];
    const [all = 0, active = 0, inactive] = await totals();
    const { id } = await provider.givenUser();
    expect(await totals()).toEqual([all + 1, active + 1, inactive]);
    await provider.delete(`/Users/${id}`);
    expect(await totals()).toEqual([all, active, inactive]);
  });
});

test('a manager whom the provider cannot read is not shown, nor found', async () => {
  const [all, own] = [
    await givenScimProvider(service),
    await givenScimProvider(service, { visibleUsers: 'own' }),
  ];
  const boss = await all.givenUser();
  const { id } = await own.givenUser();
  const { employeeID: managerEmployeeID } = await service.readUser(boss.id);
  await service.request('PATCH', `/service/users/${id}`, { body: { managerEmployeeID } });
  const path = `/Users${query({ filter: `${enterprise}:manager.value eq "${boss.id}"` })}`;
  const shownTo = async (provider: ScimProvider) => [
    (await provider.get(`/Users/${id}`)).json[enterprise].manager?.value,
    (await provider.get(path)).json.totalResults,
  ];
  expect(await shownTo(all)).toEqual([boss.id, 1]);
  expect(await shownTo(own)).toEqual([undefined, 0]);
  await all.delete(`/Users/${boss.id}`);
  expect(await shownTo(all)).toEqual([undefined, 0]);
});

test('a list that takes too long is rejected', async () => {
  const { clientId } = await givenScimProvider(service);
  const actor = { kind: 'client' as const, id: clientId, scopes: new Set(['scim' as const]) };
  const request = {
    provider: defaultSettings(clientId),
    caller: { actor, requestId: 'r', address: '127.0.0.1' },
    baseUrl: 'https://id.example.com/scim/v2',
  };
  const read = readListQuery({});
  if (!read.ok) throw new Error(read.detail);
  const limits = { ...service.context.limits, scimListTimeoutMs: 50 };
  const listed = transaction(service.database, async (tx) => {
    await tx.query('LOCK TABLE users IN ACCESS EXCLUSIVE MODE');
    return listScimUsers({ database: service.database, limits }, read.value, request);
  });
  expect(await listed).toMatchObject({ ok: false, failure: { data: { scimType: 'tooMany' } } });
});

test.each(['/Users/.search', '/.search'])('POST /scim/v2%s finds users', async (path) => {
  const { provider, ids, filter } = await givenUsers();
  const reply = await provider.post(path, { schemas: [urns.search], filter, count: 2 });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.totalResults).toBe(3);
  expect(idsOf(reply.json.Resources)).toEqual(ids.slice(0, 2));
});
