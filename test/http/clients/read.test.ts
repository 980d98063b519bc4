import { describe, expect, test } from 'vitest';
import { noteClientUse } from '../../../src/storage/access/clients.js';
import { askForToken, createdClient } from '../../support/api-clients.js';
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

test('GET /service/clients/{id} returns the client without its secret', async () => {
  const { data, path } = await createdClient(service);
  const { secret: _, ...shown } = data;
  const reply = await service.get(path);
  expect(reply.status).toBe(200);
  expect(reply.json).toEqual({ status: 'success', message: 'Client found.', data: shown });
});

describe('an unknown client ID', () => {
  /** The codes of all operations on a client. */
  async function codesFor(id: string): Promise<unknown[]> {
    const replies = await Promise.all([
      service.get(`/service/clients/${id}`),
      service.request('PATCH', `/service/clients/${id}`, { body: { name: 'X' } }),
      service.request('POST', `/service/clients/${id}/rotate`),
    ]);
    return replies.map(({ status, json }) => `${status} ${json.errorCode} ${json.message}`);
  }

  test('fails with 404 and 10215, also if only the case differs', async () => {
    const { clientId } = await createdClient(service);
    const reply = await service.get(`/service/clients/${clientId.replace('client', 'CLIENT')}`);
    expectFailure(reply, 404, 10215, 'ACCESS_CLIENT_NOT_FOUND', /^No client has this ID\.$/);
    const ids = ['client-%00', '..%2Fusers%2F1', `%27%20OR%20%271%27=%271`, 'client-%25', 'constructor'];
    for (const id of ['client-000000000000', ...ids, 'x'.repeat(1_000)]) {
      expect([id, await codesFor(id)]).toEqual([id, Array(3).fill('404 10215 ACCESS_CLIENT_NOT_FOUND')]);
    }
  });

  test('fails with 400 and 10001 if it is too long or malformed', async () => {
    for (const id of ['x'.repeat(1_001), 'x'.repeat(15_000), '%FF%FE', 'client-%2']) {
      expect([id, await codesFor(id)]).toEqual([id, Array(3).fill('400 10001 REQUEST_MALFORMED')]);
    }
  });
});

/** Requests of other tests may note a use at any time. */
const unused = ({ lastUsedAt: _, ...client }: { id: string; lastUsedAt: unknown }) => client;

describe('GET /service/clients', () => {
  test('lists every client once, ordered by ID, page by page, as GET by ID returns it', async () => {
    const own = [await createdClient(service), await createdClient(service), await createdClient(service)];
    const [first] = await walk(200);
    const all = first?.json.data.items;
    const limit = Math.max(1, Math.floor(all.length / 4));
    const pages = await walk(limit);
    expect(pages.length).toBeGreaterThan(1);
    for (const page of pages.slice(0, -1)) expect(page.json.data.items).toHaveLength(limit);
    const listed = pages.flatMap(({ json }) => json.data.items);
    expect(listed.map(unused)).toEqual(all.map(unused));
    const ids = listed.map(({ id }: { id: string }) => id);
    expect(ids).toEqual([...new Set<string>(ids)].sort());
    expect(first?.json).toEqual({ status: 'success', message: 'Clients found.', data: expect.anything() });
    for (const { clientId, path, clientSecret } of own) {
      const shown = (await service.get(path)).json.data;
      expect(listed.find(({ id }: { id: string }) => id === clientId)).toEqual(shown);
      expect(first?.text).not.toContain(clientSecret);
    }
  });

  test('rejects a forged cursor, and one of another list, with 10006', async () => {
    for (let count = 0; count < 2; count++) await Promise.all([createdClient(service), service.givenUser()]);
    const cursorOf = async (list: string) =>
      (await service.get(`/service/${list}?limit=1`)).json.data.nextCursor;
    const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const parts = JSON.parse(Buffer.from(await cursorOf('clients'), 'base64url').toString());
    const forged = ['x', '', encoded({ id: 'x' }), encoded(['client-1']), encoded([...parts, 'x'])];
    for (const cursor of [...forged, await cursorOf('users'), await cursorOf('access-events')]) {
      expect(cursor).toEqual(expect.any(String));
      const reply = await service.get(`/service/clients?cursor=${cursor}`);
      expectFailure(reply, 400, 10006, 'REQUEST_CURSOR_INVALID', /"nextCursor" of the previous page/);
    }
  });

  test('rejects an unknown parameter with 10005', async () => {
    const reply = await service.get('/service/clients?name=X');
    const detail = /^"name" is unknown. Use limit, cursor\.$/;
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });
});

test('shows when a client was last used, noted at most once a minute', async () => {
  const client = await createdClient(service, ['users:read']);
  const lastUsed = async () =>
    (await service.get(`/service/clients/${client.clientId}`)).json.data.lastUsedAt;
  const token = (await askForToken(service, client)).json.access_token;
  expect(await lastUsed()).toBeNull();
  await service.get('/service/users?limit=1', { token });
  await expect.poll(lastUsed).toMatch(/^\d{4}-/);
  const first = await lastUsed();
  await service.get('/service/users?limit=1', { token });
  await noteClientUse(service.database.pool, [client.clientId]);
  expect(await lastUsed()).toBe(first);
  await service.database.pool.query("UPDATE clients SET last_used_at = '2026-01-01' WHERE id = $1", [
    client.clientId,
  ]);
  await noteClientUse(service.database.pool, [client.clientId]);
  expect(await lastUsed()).not.toMatch(/^2026-01-01/);
});
