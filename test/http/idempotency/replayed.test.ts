import { describe, expect, test } from 'vitest';
import { deleteOldKeys } from '../../../src/storage/changes/idempotency-keys.js';
import { createdClient } from '../../support/api-clients.js';
import { itemFor } from '../../support/bulk-items.js';
import { errorsOf } from '../../support/bulk-reports.js';
import { changesOfRequest } from '../../support/change-rows.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  createBulk,
  createOne,
  expectReplayOf,
  isReplay,
  operations,
  sendWithKey,
  updateBulk,
} from '../../support/idempotent-requests.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { aUser, issueToken, newId, type Reply, useService } from '../../support/service.js';
import { givenSignedInUser } from '../../support/signed-in-users.js';
import { employeeIdExists, fieldInvalid, usernameExists } from '../../support/user-failures.js';

const service = useService();

function send(path: string, body: unknown, key: string, options = {}): Promise<Reply> {
  return sendWithKey(service, path, body, key, options);
}

function expectReused(reply: Reply): void {
  expectFailure(reply, 422, 10312, 'IDEMPOTENCY_KEY_REUSED', /already been used with a different request/);
}

async function age(key: string, time: string): Promise<void> {
  const { rowCount } = await service.database.pool.query(
    'UPDATE idempotency_keys SET created_at = now() - $2::interval WHERE key = $1',
    [key, time],
  );
  expect(rowCount).toBe(1);
}

describe.each(operations)('a request to $path with a key', ({ path, body }) => {
  test('is applied once, and another one with the same key fails with 10312', async () => {
    const [key, sent] = [newId('key'), await body(service)];
    const [firstId, againId] = [newId('request'), newId('request')];
    const first = await send(path, sent, key, { requestId: firstId });
    expect([first.status < 300, isReplay(first)]).toEqual([true, false]);
    expectReplayOf(first, await send(path, sent, key, { requestId: againId }));
    expectReused(await send(path, await body(service), key, { requestId: againId }));
    expectReused(
      await send(path, undefined, key, { rawBody: ` ${JSON.stringify(sent)}`, requestId: againId }),
    );
    expectReplayOf(first, await send(path, sent, key));
    expect((await changesOfRequest(service, firstId)).length).toBeGreaterThan(0);
    expect(await changesOfRequest(service, againId)).toEqual([]);
    const { rows } = await service.database.pool.query(
      'SELECT state, claim FROM calls WHERE request_id = ANY ($1)',
      [[firstId, againId]],
    );
    expect(rows).toEqual(path === createOne.path ? [] : [{ state: 'completed', claim: 1 }]);
  });

  test('is another one for another client or user', async () => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(path, sent, key);
    const tokens = [
      await issueToken(service.url, await createdClient(service)),
      (await givenSignedInUser(service, 'operator')).token,
    ];
    for (const token of tokens) {
      const other = await send(path, sent, key, { token });
      expect(isReplay(other)).toBe(false);
      // It was applied again, on top of the first: no create or rename succeeds twice.
      expect(other.text).not.toBe(first.text);
      expectReplayOf(other, await send(path, sent, key, { token }));
    }
    expectReplayOf(first, await send(path, sent, key));
  });

  test('is replayed for 24 hours, and then applied and kept again', async () => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(path, sent, key);
    await age(key, '23 hours 59 minutes');
    expectReplayOf(first, await send(path, sent, key));
    expectReused(await send(path, await body(service), key));
    await age(key, '24 hours 1 second');
    const anew = await send(path, sent, key);
    expect(isReplay(anew)).toBe(false);
    expect(anew.text).not.toBe(first.text);
    expect(anew.headers.get('x-call-id') ?? '').not.toBe(first.headers.get('x-call-id'));
    expectReplayOf(anew, await send(path, sent, key));
    await age(key, '24 hours 1 second');
    const other = await send(path, await body(service), key);
    expect([other.status < 300, isReplay(other)]).toEqual([true, false]);
  });
});

describe('the first response is repeated', () => {
  test.each([createBulk, updateBulk])(
    'by $path with its effects, and without items',
    async ({ path, body }) => {
      const [key, sent] = [newId('key'), await body(service)];
      await send(`${path}?effects=true`, sent, key);
      const first = await send(`${path}?effects=true`, sent, key);
      expect(first.json.data.successItems[0].effect.kind).toMatch(/^(created|updated)$/);
      expect(isReplay(first)).toBe(true);
      expectReused(await send(path, sent, key));
      const empty = newId('key');
      expectReplayOf(await send(path, { items: [] }, empty), await send(path, { items: [] }, empty));
    },
  );

  test('with special characters in its texts, and with a password in the request', async () => {
    const key = newId('key');
    const items = [itemFor('E\u2028"\\', { name: 'O\'Hara "the\\best"\u2028' }), { 'ä"\\\u0007': 1 }];
    const first = await send(updateBulk.path, { items }, key);
    expect(errorsOf(first)).toHaveLength(2);
    expectReplayOf(first, await send(updateBulk.path, { items }, key));
    const user = aUser({ username: newId('u'), password: 'initial password' });
    const other = newId('key');
    expectReplayOf(await send(createOne.path, user, other), await send(createOne.path, user, other));
    expect((await service.signIn(user.username, 'initial password')).status).toBe(200);
  });

  test('to another token of the same client, but not on another path', async () => {
    const client = await createdClient(service);
    const [key, user] = [newId('key'), aUser()];
    const first = await send(createOne.path, user, key, { token: await issueToken(service.url, client) });
    const token = await issueToken(service.url, client, 'users:write');
    expectReplayOf(first, await send(createOne.path, user, key, { token }));
    const other = newId('key');
    await send(createBulk.path, { items: [] }, other);
    expectReused(await send(updateBulk.path, { items: [] }, other));
    expectReused(await send(createOne.path, aUser(), other));
  });
});

describe('a rejection is replayed too', () => {
  test.each([
    ['the employee ID', 'employeeID', {}, employeeIdExists],
    ['the employee ID, with a password', 'employeeID', { password: 'p' }, employeeIdExists],
    ['the username', 'username', {}, usernameExists],
  ] as const)(
    'a create rejected because of %s stays rejected after the name is freed',
    async (_, field, more, error) => {
      const holder = await service.givenUser({ username: newId('u') });
      const [key, user] = [newId('key'), aUser({ ...more, [field]: holder[field] })];
      const first = await send(createOne.path, user, key);
      expect([first.status, isReplay(first)]).toEqual([409, false]);
      expect(first.json).toEqual(error(holder.serial));
      const body = field === 'username' ? { username: null } : { employeeID: newId() };
      await service.request('PATCH', `/service/users/${holder.serial}`, { body });
      expectReplayOf(first, await send(createOne.path, user, key));
      expectReused(await send(createOne.path, aUser(), key));
      expect((await send(createOne.path, user, newId('key'))).status).toBe(201);
    },
  );

  test('failed items of a bulk call stay failed', async () => {
    const { serial } = await service.givenUser();
    const [key, other] = [newId('key'), newId()];
    const items = [itemFor(other), 7];
    const first = await send(updateBulk.path, { items }, key);
    expect(errorsOf(first)).toHaveLength(2);
    await service.request('PATCH', `/service/users/${serial}`, { body: { employeeID: other } });
    expectReplayOf(first, await send(updateBulk.path, { items }, key));
    expect(errorsOf(await send(updateBulk.path, { items }, newId('key')))).toHaveLength(1);
  });

  test.each([
    ['a create with an invalid user', createOne, aUser({ email: 'none' }), fieldInvalid('"email"')],
    ['a create-bulk with an invalid body', createBulk, { items: 7 }, { errorCode: 10004 }],
  ])('but %s was never started, so its key stays free', async (_, { path, body }, broken, error) => {
    const key = newId('key');
    for (let sent = 0; sent < 2; sent++) {
      const reply = await send(path, broken, key);
      expect([reply.status, isReplay(reply)]).toEqual([400, false]);
      expect(reply.json).toMatchObject(error);
    }
    const mended = await send(path, await body(service), key);
    expect([mended.status < 300, isReplay(mended)]).toEqual([true, false]);
  });

  test.each([{}, { password: 'p' }])(
    'but a create that failed internally is applied when resent, %j',
    async (more) => {
      const [key, user] = [newId('key'), aUser(more)];
      await whenStored(service, user.employeeID, `RAISE EXCEPTION 'no'`, 'at the commit');
      const broken = await send(createOne.path, user, key);
      expect([broken.status, isReplay(broken)]).toEqual([500, false]);
      await repair(service, user.employeeID);
      const done = await send(createOne.path, user, key);
      expect([done.status, isReplay(done)]).toEqual([201, false]);
      expectReplayOf(done, await send(createOne.path, user, key));
    },
  );
});

test.each([createOne, createBulk])(
  'stored data of $path is deleted after 24 hours, and newer keys stay',
  async ({ path, body }) => {
    const { pool } = service.database;
    const [old, young] = [newId('key'), newId('key')];
    const sent = await body(service);
    await send(path, await body(service), old);
    await send(path, sent, young);
    const kept = async (key: string) => {
      const { rows } = await pool.query(
        'SELECT call_id, first_item FROM idempotency_keys LEFT JOIN call_parts USING (call_id) WHERE key = $1',
        [key],
      );
      return rows;
    };
    const [{ call_id: oldCall }] = await kept(old);
    await age(old, '24 hours 1 second');
    await pool.query(
      `UPDATE call_parts SET created_at = now() - interval '25 hours 1 second' WHERE call_id = $1`,
      [oldCall],
    );
    await deleteOldKeys(pool, service.context.limits.idempotencyKeyHours);
    expect(await kept(old)).toEqual([]);
    expect(await kept(young)).toHaveLength(1);
    expect((await pool.query('SELECT FROM call_parts WHERE call_id = $1', [oldCall])).rows).toEqual([]);
    expect(isReplay(await send(path, sent, young))).toBe(true);
  },
);
