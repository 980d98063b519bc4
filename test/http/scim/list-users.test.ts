import { describe, expect, test } from 'vitest';
import { urns } from '../../../src/scim/schemas.js';
import { givenScimProvider } from '../../support/scim.js';
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

test.each(['/Users/.search', '/.search'])('POST /scim/v2%s finds users', async (path) => {
  const { provider, ids, filter } = await givenUsers();
  const reply = await provider.post(path, { schemas: [urns.search], filter, count: 2 });
  expect(reply.status, reply.text).toBe(200);
  expect(reply.json.totalResults).toBe(3);
  expect(idsOf(reply.json.Resources)).toEqual(ids.slice(0, 2));
});
