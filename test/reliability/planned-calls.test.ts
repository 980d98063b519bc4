import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { firstClient } from '../support/nodes.js';
import { anItem, aUser, createDatabase, issueToken } from '../support/service.js';
import { type ServiceProcess, spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Many small transactions, so that a node can be killed between two of them. */
const settings = {
  ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
  ROLLCALL_BULK_CHUNK_ITEMS: '10',
  ROLLCALL_CALL_LEASE_MS: '1000',
  ROLLCALL_PLANNED_CALL_POLL_MS: '50',
  ROLLCALL_DELIVERIES_AT_ONCE: '0',
};

async function call(node: ServiceProcess, method: string, path: string, body?: unknown) {
  const token = await issueToken(node.url, firstClient);
  const response = await fetch(`${node.url}${path}`, {
    method,
    headers: {
      authorization: token,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  return { id: response.headers.get('x-call-id') ?? '', json: (await response.json()) as any };
}

/** Creates users, and plans an update of all of them. */
async function givenPlan(node: ServiceProcess, count: number): Promise<string> {
  const users = Array.from({ length: count }, () => aUser());
  await call(node, 'POST', '/service/users/create-bulk', { items: users });
  const items = users.map((user) => anItem(user, { name: 'Planned' }));
  const effectiveAt = new Date(Date.now() + 3_000).toISOString();
  const { id } = await call(node, 'POST', `/service/users/update-bulk?effectiveAt=${effectiveAt}`, { items });
  return id;
}

async function untilDone(node: ServiceProcess, id: string): Promise<void> {
  const read = async () => (await call(node, 'GET', `/service/calls/${id}`)).json.data.state;
  await expect.poll(read, { timeout: 20_000, interval: 100 }).toBe('done');
}

/** Every item has its outcome once, and every user was changed once. */
async function expectOnce(node: ServiceProcess, id: string, count: number): Promise<void> {
  const { data } = (await call(node, 'GET', `/service/calls/${id}`)).json;
  expect(data).toMatchObject({ items: count, succeeded: count, failed: 0, changes: count });
  const serials: string[] = [];
  for (let cursor = ''; ; ) {
    const page = (await call(node, 'GET', `/service/calls/${id}/items?limit=200${cursor}`)).json.data;
    serials.push(...page.items.map(({ serial }: { serial: string }) => serial));
    if (page.nextCursor === null) break;
    cursor = `&cursor=${page.nextCursor}`;
  }
  expect(new Set(serials).size).toBe(count);
}

describe('a planned call', () => {
  test('is resumed by another node if its node is killed, without repeating or losing anything', async () => {
    const databaseUrl = await createDatabase();
    const start = async () => {
      const environment = { ...settings, DATABASE_URL: databaseUrl, ROLLCALL_DATA_DIR: temporaryDirectory() };
      return (await spawned(environment)).ready();
    };
    const doomed = await start();
    const count = 2_000;
    const id = await givenPlan(doomed, count);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    const done = async () => {
      const { rows } = await client.query('SELECT succeeded FROM calls WHERE id = $1', [id]);
      return rows[0].succeeded;
    };
    await expect.poll(done, { timeout: 20_000, interval: 5 }).toBeGreaterThan(0);
    await doomed.kill('SIGKILL');
    expect(await done()).toBeLessThan(count);
    const next = await start();
    await untilDone(next, id);
    await expectOnce(next, id, count);
    const { rows } = await client.query(
      `SELECT count(*)::integer AS changes, count(DISTINCT user_serial)::integer AS users
       FROM changes WHERE call_id = $1 AND kind = 'updated'`,
      [id],
    );
    expect(rows).toEqual([{ changes: count, users: count }]);
  });

  test('runs on only one of several nodes', async () => {
    const databaseUrl = await createDatabase();
    const nodes = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const environment = {
          ...settings,
          DATABASE_URL: databaseUrl,
          ROLLCALL_DATA_DIR: temporaryDirectory(),
        };
        return (await spawned(environment)).ready();
      }),
    );
    const [node] = nodes as [ServiceProcess];
    const ids = await Promise.all(Array.from({ length: 12 }, () => givenPlan(node, 30)));
    for (const id of ids) {
      await untilDone(node, id);
      await expectOnce(node, id, 30);
    }
  });

  test('that was due while the service was down runs when it is back', async () => {
    const environment = { ...settings, ROLLCALL_DATA_DIR: await embeddedDirectory() };
    const first = await (await spawned(environment)).ready();
    const id = await givenPlan(first, 20);
    await first.kill('SIGKILL');
    const again = await (await spawned(environment)).ready();
    await untilDone(again, id);
    await expectOnce(again, id, 20);
  });
});
