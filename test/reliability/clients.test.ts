import { beforeAll, describe, expect, test } from 'vitest';
import { type ApiClient, askForToken, createdClient, revoke } from '../support/api-clients.js';
import { useNodes } from '../support/nodes.js';
import { createDatabase, issueToken, newId, type TestService } from '../support/service.js';

const startNodes = useNodes();
let one: TestService;
let two: TestService;

beforeAll(async () => {
  [one, two] = await startNodes(await createDatabase());
});

const within = { interval: 200 };

const patch = (node: TestService, { path }: ApiClient, body: unknown) =>
  node.request('PATCH', path, { body });
const rotate = (node: TestService, { path }: ApiClient, body?: unknown) =>
  node.request('POST', `${path}/rotate`, { body });

async function works(node: TestService, { clientId }: ApiClient, clientSecret: string): Promise<boolean> {
  return (await askForToken(node, { clientId, clientSecret })).status === 200;
}

describe.concurrent('changing a client on one node', () => {
  const statusOn = (node: TestService, token: string) => async () =>
    (await node.get('/service/users?limit=1', { token })).status;

  test('to disabled rejects new tokens at once and old ones within seconds on the other node', async ({
    expect,
  }) => {
    const client = await createdClient(one);
    const token = await issueToken(two.url, client);
    expect([await statusOn(one, token)(), await statusOn(two, token)()]).toEqual([200, 200]);
    await patch(one, client, { isActive: false });
    expect((await askForToken(two, client)).json).toMatchObject({
      error: 'invalid_client',
      errorCode: 10204,
    });
    await expect.poll(statusOn(two, token), within).toBe(401);
    await expect.poll(statusOn(one, token), within).toBe(401);
    await patch(two, client, { isActive: true });
    const newer = await issueToken(one.url, client);
    // Each node still caches the client as disabled for a few seconds, but reads it again for a newer token.
    expect([await statusOn(one, newer)(), await statusOn(two, newer)()]).toEqual([200, 200]);
    expect([await statusOn(one, token)(), await statusOn(two, token)()]).toEqual([401, 401]);
  });

  test('by rotating its secret without overlap rejects old tokens within seconds on the other node', async ({
    expect,
  }) => {
    const client = await createdClient(one);
    const token = await issueToken(two.url, client);
    expect([await statusOn(one, token)(), await statusOn(two, token)()]).toEqual([200, 200]);
    const { secret } = (await rotate(one, client, { overlapSeconds: 0 })).json.data;
    const newer = await issueToken(two.url, { ...client, clientSecret: secret });
    expect([await statusOn(one, newer)(), await statusOn(two, newer)()]).toEqual([200, 200]);
    await expect.poll(statusOn(two, token), within).toBe(401);
    await expect.poll(statusOn(one, token), within).toBe(401);
  });

  test('by revoking a token rejects only that token within seconds on the other node', async ({ expect }) => {
    const client = await createdClient(one);
    const [token, other] = [await issueToken(one.url, client), await issueToken(one.url, client)];
    expect([await statusOn(two, token)(), await statusOn(two, other)()]).toEqual([200, 200]);
    expect((await revoke(one, client, token)).status).toBe(200);
    expect(await statusOn(one, token)(), 'at once where it was revoked').toBe(401);
    await expect.poll(statusOn(two, token), within).toBe(401);
    expect([await statusOn(one, other)(), await statusOn(two, other)()]).toEqual([200, 200]);
  });

  test('by removing a scope narrows old tokens within seconds on the other node', async ({ expect }) => {
    const client = await createdClient(one);
    const token = await issueToken(two.url, client);
    expect(await statusOn(two, token)()).toBe(200);
    await patch(one, client, { scopes: ['users:write'] });
    expect((await askForToken(two, client)).json.scope).toBe('users:write');
    await expect.poll(statusOn(two, token), within).toBe(403);
  });
});

describe('the secrets of a client', () => {
  test('are valid on the other node immediately after a rotation', async () => {
    const client = await createdClient(one);
    const { secret } = (await rotate(one, client, { overlapSeconds: 0 })).json.data;
    expect(await works(two, client, secret)).toBe(true);
    expect(await works(two, client, client.clientSecret)).toBe(false);
  });

  test('are at most two, the newest, after concurrent rotations on both nodes', async () => {
    const client = await createdClient(one);
    const rotations = Array.from({ length: 10 }, (_, index) => rotate(index % 2 ? one : two, client));
    const replies = await Promise.all(rotations);
    expect(replies.every(({ status }) => status === 200)).toBe(true);
    const secrets = [client.clientSecret, ...replies.map(({ json }) => json.data.secret as string)];
    const working = await Promise.all(secrets.map((secret) => works(one, client, secret)));
    expect(working.filter(Boolean)).toHaveLength(2);
    expect(working[0]).toBe(false);
    for (const { json } of replies) expect(json.data.secrets.length).toBeLessThanOrEqual(2);
    const { rows } = await one.database.pool.query('SELECT FROM client_secrets WHERE client_id = $1', [
      client.clientId,
    ]);
    expect(rows, 'what has ended is gone').toHaveLength(2);
  });

  test('are reduced to one by concurrent rotations without overlap on both nodes', async () => {
    const client = await createdClient(one);
    const rotations = Array.from({ length: 6 }, (_, index) =>
      rotate(index % 2 ? one : two, client, { overlapSeconds: 0 }),
    );
    const secrets = (await Promise.all(rotations)).map(({ json }) => json.data.secret as string);
    const working = await Promise.all(secrets.map((secret) => works(two, client, secret)));
    expect(working.filter(Boolean)).toHaveLength(1);
    expect((await one.get(client.path)).json.data.secrets).toHaveLength(1);
  });
});

describe('concurrent changes of a client on two nodes', () => {
  test('of different fields are all kept', async () => {
    const client = await createdClient(one);
    for (let round = 0; round < 4; round++) {
      const name = newId('Name ');
      const scopes = round % 2 ? ['users:read'] : ['users:read', 'audit:read'];
      const isActive = round % 3 > 0;
      const replies = await Promise.all([
        patch(one, client, { name }),
        patch(two, client, { scopes }),
        patch(one, client, { isActive }),
        rotate(two, client),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await two.get(client.path)).json.data).toMatchObject({ name, scopes, isActive });
    }
  });

  test('of the same field are logged as a chain: each starts from the result of the previous one', async () => {
    const client = await createdClient(one);
    const names = Array.from({ length: 8 }, () => newId('Name '));
    await Promise.all(names.map((name, index) => patch(index % 2 ? one : two, client, { name })));
    const query = `kind=client.changed&clientId=${client.clientId}`;
    const { items } = (await one.get(`/service/access-events?${query}`)).json.data;
    const changes = items.map(
      ({ detail }: { detail: { name: { before: string; after: string } } }) => detail.name,
    );
    expect(changes).toHaveLength(8);
    const last = (await one.get(client.path)).json.data.name;
    const next = new Map(
      changes.map(({ before, after }: { before: string; after: string }) => [before, after]),
    );
    const chain = [client.data.name as string];
    while (next.has(chain.at(-1) as string)) chain.push(next.get(chain.at(-1) as string) as string);
    expect(chain).toHaveLength(9);
    expect(chain.at(-1)).toBe(last);
  });
});
