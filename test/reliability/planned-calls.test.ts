import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readCall } from '../support/calls.js';
import { aRival, untilWaiting } from '../support/concurrent-transactions.js';
import { firstClient } from '../support/nodes.js';
import { eager, givenPlan, later, makeDue, untilState } from '../support/planned-calls.js';
import { anItem, aUser, createDatabase, issueToken, newId, TestService } from '../support/service.js';
import { type ServiceProcess, spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** Small transactions, so that a node can be killed between two of them. */
const settings = {
  ...eager,
  ROLLCALL_BOOTSTRAP_CLIENT_ID: firstClient.clientId,
  ROLLCALL_BOOTSTRAP_CLIENT_SECRET: firstClient.clientSecret,
  ROLLCALL_BULK_CHUNK_ITEMS: '5',
};

/** So the claim of a killed node ends soon. */
const shortLease = { ROLLCALL_CALL_LEASE_MS: '1000' };

async function aNode(databaseUrl: string): Promise<TestService> {
  const node = await TestService.start({ ...settings, DATABASE_URL: databaseUrl });
  onTestFinished(() => node.stop());
  return node;
}

async function send(node: ServiceProcess, path: string, items: unknown): Promise<string> {
  const token = await issueToken(node.url, firstClient);
  const response = await fetch(`${node.url}${path}`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify({ items }),
  });
  expect(response.ok, await response.text()).toBe(true);
  return response.headers.get('x-call-id') ?? '';
}

/** Every item has its outcome once, and every user was changed once. */
async function expectOnce(node: TestService, id: string, count: number): Promise<void> {
  expect(await readCall(node, id)).toMatchObject({
    items: count,
    succeeded: count,
    failed: 0,
    changes: count,
  });
  const { items } = (await node.get(`/service/calls/${id}/items?limit=200`)).json.data;
  expect(new Set(items.map(({ serial }: { serial: string }) => serial)).size).toBe(count);
  const { rows } = await node.database.pool.query(
    `SELECT count(*)::integer AS changes, count(DISTINCT user_serial)::integer AS users
     FROM changes WHERE call_id = $1 AND kind = 'updated'`,
    [id],
  );
  expect(rows).toEqual([{ changes: count, users: count }]);
}

describe('a planned call', () => {
  test('is resumed by another node if its node is killed, and runs late if none was there', {
    tags: 'release',
  }, async () => {
    const databaseUrl = await createDatabase();
    const environment = {
      ...{ ...settings, ...shortLease, DATABASE_URL: databaseUrl },
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    };
    const doomed = await (await spawned(environment)).ready();
    const count = 20;
    const plan = async (users: ReturnType<typeof aUser>[]) => {
      await send(doomed, '/service/users/create-bulk', users);
      const items = users.map((user) => anItem(user, { name: 'Planned' }));
      return send(doomed, `/service/users/update-bulk?effectiveAt=${later}`, items);
    };
    const [users, others] = [1, 2].map(() => Array.from({ length: count }, () => aUser())) as [
      ReturnType<typeof aUser>[],
      ReturnType<typeof aUser>[],
    ];
    const [interrupted, missed] = [await plan(users), await plan(others)];

    // Somebody holds the last user, so the call stops halfway.
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query('BEGIN');
    await client.query('SELECT FROM users WHERE employee_id = $1 FOR UPDATE', [users.at(-1)?.employeeID]);
    const other = new pg.Client({ connectionString: databaseUrl });
    await other.connect();
    onTestFinished(() => other.end());
    const letCome = (id: string) =>
      other.query('UPDATE planned_calls SET due_at = now() WHERE call_id = $1', [id]);
    await letCome(interrupted);
    const progress = async () => {
      const { rows } = await other.query('SELECT succeeded FROM calls WHERE id = $1', [interrupted]);
      return rows[0].succeeded;
    };
    await expect.poll(progress).toBe(count - 5);
    await doomed.kill('SIGKILL');
    await client.query('ROLLBACK');
    await letCome(missed);

    const next = await aNode(databaseUrl);
    for (const id of [interrupted, missed]) {
      await untilState(next, id, 'done');
      await expectOnce(next, id, count);
    }
  });

  test('runs on only one of several nodes', async () => {
    const databaseUrl = await createDatabase();
    const [node] = await Promise.all([aNode(databaseUrl), aNode(databaseUrl), aNode(databaseUrl)]);
    const count = 12;
    const plan = async () => {
      const users = Array.from({ length: count }, () => aUser());
      const { json } = await node.createBulk(users);
      const items = users.map((user) => anItem(user, { name: 'Planned' }));
      const serial: string = json.data.successItems.at(-1).response.serial;
      return { id: await givenPlan(node, items), serial };
    };
    const held = await plan();
    const others = [await plan(), await plan(), await plan()];
    const claims = async () =>
      (await node.database.pool.query('SELECT claim FROM calls WHERE id = $1', [held.id])).rows[0].claim;

    // Somebody holds one of the users, so the first call doesn't end. Meanwhile, other nodes look for due calls.
    const rival = await aRival(node);
    await rival.hold(held.serial);
    await makeDue(node, held.id);
    await untilWaiting(node, 1);
    const before = await claims();
    for (const { id } of others) {
      await makeDue(node, id);
      await untilState(node, id, 'done');
      await expectOnce(node, id, count);
    }
    expect(await claims(), 'nobody else took it').toBe(before);
    await rival.commit();
    await untilState(node, held.id, 'done');
    await expectOnce(node, held.id, count);
  });
});

test('approval is decided about what a call by filter deactivates, not about what it would have before', async () => {
  const careful = await TestService.start({
    ...settings,
    ROLLCALL_SAFETY_LIMIT_PERCENT: '20',
    ROLLCALL_SAFETY_APPROVAL: 'required',
  });
  onTestFinished(() => careful.stop());
  const organizationSerial = newId('o');
  const users = await Promise.all(
    Array.from({ length: 12 }, () => careful.givenUser({ organizationSerial, isActive: false })),
  );
  const rival = await aRival(careful);
  for (const { serial } of users) await rival.change(serial, { is_active: true });
  const deactivating = careful.post('/service/users/update-matching?confirm=12', {
    filter: { organizationSerial },
    patch: { isActive: false },
  });
  await untilWaiting(careful, 1);
  await rival.commit();
  expect((await deactivating).status).toBe(202);
  const { rows } = await careful.database.pool.query(
    'SELECT count(*)::int AS active FROM users WHERE organization_serial = $1 AND is_active',
    [organizationSerial],
  );
  expect(rows).toEqual([{ active: 12 }]);
});
