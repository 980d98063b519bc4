import { describe, expect, test } from 'vitest';
import { createdClient } from '../../support/api-clients.js';
import { expectFailure } from '../../support/expect-failure.js';
import { type Reply, useService } from '../../support/service.js';

const service = useService();

async function walk(limit: number): Promise<Reply[]> {
  const pages = [await service.get(`/service/clients?limit=${limit}`)];
  for (;;) {
    const { nextCursor } = pages.at(-1)?.json.data ?? {};
    if (typeof nextCursor !== 'string') return pages;
    pages.push(await service.get(`/service/clients?limit=${limit}&cursor=${nextCursor}`));
  }
}

describe('GET /service/clients/{id}', () => {
  test('returns the client without its secret', async () => {
    const { data, path } = await createdClient(service);
    const { secret: _, ...shown } = data;
    const reply = await service.get(path);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({ status: 'success', message: 'Client found.', data: shown });
  });
});

describe('an unknown client ID fails with 404 and 10215', () => {
  const operations = [
    ['GET', '', undefined],
    ['PATCH', '', { name: 'X' }],
    ['POST', '/rotate', undefined],
  ] as const;

  test.each([
    ['in our own format', 'client-000000000000'],
    ['with a NUL', 'client-%00'],
    ['with slashes', '..%2Fusers%2F1'],
    ['with SQL syntax', `%27%20OR%20%271%27=%271`],
    ['with a wildcard', 'client-%25'],
    ['of 1,000 characters', 'x'.repeat(1_000)],
    ['named like an object property', 'constructor'],
  ])('%s', async (_, id) => {
    for (const [method, suffix, body] of operations) {
      const reply = await service.request(method, `/service/clients/${id}${suffix}`, { body });
      expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID\.$/);
    }
  });

  test.each([
    ['exceeds the maximum length', 'x'.repeat(1_001)],
    ['fills the headers', 'x'.repeat(15_000)],
    ['is not UTF-8', '%FF%FE'],
    ['has an incomplete escape', 'client-%2'],
  ])('or with 400 and 10001 if it %s', async (_, id) => {
    for (const [method, suffix, body] of operations) {
      const reply = await service.request(method, `/service/clients/${id}${suffix}`, { body });
      expectFailure(reply, 400, 10001, 'REQUEST_MALFORMED', /^The URL is malformed/);
    }
  });

  test('even if only the case differs', async () => {
    const { clientId } = await createdClient(service);
    const reply = await service.get(`/service/clients/${clientId.replace('client', 'CLIENT')}`);
    expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /./);
  });
});

describe('GET /service/clients', () => {
  test('lists every client once, ordered by ID, page by page', async () => {
    const own = [await createdClient(service), await createdClient(service), await createdClient(service)];
    const [first] = await walk(200);
    const all = first?.json.data.items;
    const limit = Math.max(1, Math.floor(all.length / 4));
    const pages = await walk(limit);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(0, -1)) expect(page.json.data.items).toHaveLength(limit);
    const listed = pages.flatMap(({ json }) => json.data.items);
    expect(listed).toEqual(all);
    const ids = listed.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...new Set<string>(ids)].sort());
    expect(ids).toEqual(expect.arrayContaining(own.map(({ clientId }) => clientId)));
  });

  test('returns each client as GET by ID returns it, without secrets', async () => {
    const { clientId, clientSecret, path } = await createdClient(service);
    const pages = await walk(200);
    const listed = pages.flatMap(({ json }) => json.data.items).find(({ id }) => id === clientId);
    expect(listed).toEqual((await service.get(path)).json.data);
    for (const page of pages) {
      expect(page.json).toEqual({ status: 'success', message: 'Clients found.', data: expect.anything() });
      expect(page.text).not.toContain(clientSecret);
    }
  });

  test('returns no client twice if one was created between two pages', async () => {
    await createdClient(service);
    await createdClient(service);
    const first = await service.get('/service/clients?limit=1');
    await createdClient(service);
    const cursor = first.json.data.nextCursor;
    const second = await service.get(`/service/clients?limit=1&cursor=${cursor}`);
    expect(second.json.data.items[0].id > first.json.data.items[0].id).toBe(true);
  });

  test.each([
    ['a made-up one', async () => 'x'],
    ['an empty one', async () => ''],
    ['JSON of another form', async () => Buffer.from('{"id":"x"}').toString('base64url')],
    ['one without a fingerprint', async () => Buffer.from('["client-1"]').toString('base64url')],
    [
      'one from the list of users',
      async () => {
        await service.givenUser();
        await service.givenUser();
        return (await service.get('/service/users?limit=1')).json.data.nextCursor;
      },
    ],
    [
      'one from the list of access events',
      async () => {
        await createdClient(service);
        await createdClient(service);
        return (await service.get('/service/access-events?limit=1')).json.data.nextCursor;
      },
    ],
    [
      'one of its own with an extra position',
      async () => {
        await createdClient(service);
        await createdClient(service);
        const { nextCursor } = (await service.get('/service/clients?limit=1')).json.data;
        const parts = JSON.parse(Buffer.from(nextCursor, 'base64url').toString());
        return Buffer.from(JSON.stringify([...parts, 'x'])).toString('base64url');
      },
    ],
  ])('rejects a forged cursor with 10006: %s', async (_, cursor) => {
    const given = await cursor();
    expect(given).toEqual(expect.any(String));
    const reply = await service.get(`/service/clients?cursor=${given}`);
    expectFailure(reply, 400, 10006, 'REQUEST_CURSOR_INVALID', /"nextCursor" of the previous page/);
  });

  test.each([
    ['an unknown parameter', 'name=X', /^"name" is unknown. Use limit, cursor\.$/],
    ['a parameter of another list', 'sort=name', /^"sort" is unknown/],
    ['a limit of 0', 'limit=0', /^"limit" must be a whole number from 1 to 200\.$/],
    ['a limit above 200', 'limit=201', /^"limit" must be a whole number from 1 to 200\.$/],
    ['a word as the limit', 'limit=all', /^"limit" must be/],
    ['a repeated limit', 'limit=1&limit=1', /^"limit" appears more than once\. Send it once\.$/],
    ['a NUL in the cursor', 'cursor=%00', /^"cursor" must not contain NUL characters\.$/],
  ])('rejects %s with 10005', async (_, query, detail) => {
    const reply = await service.get(`/service/clients?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });
});
