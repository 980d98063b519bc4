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
import { givenPerson } from '../../support/people.js';
import { repair, whenStored } from '../../support/sabotage.js';
import { aUser, issueToken, newId, type Reply, useService } from '../../support/service.js';
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

describe('the same request with the same key returns the first response', () => {
  test.each(operations)('to $path without applying it again', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const [firstId, againId] = [newId('request'), newId('request')];
    const first = await send(path, sent, key, { requestId: firstId });
    expect(isReplay(first)).toBe(false);
    expectReplayOf(first, await send(path, sent, key, { requestId: againId }));
    expectReplayOf(first, await send(path, sent, key));
    expect((await changesOfRequest(service, firstId)).length).toBeGreaterThan(0);
    expect(await changesOfRequest(service, againId)).toEqual([]);
  });

  test.each([createBulk, updateBulk])('to $path with its effects', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(`${path}?effects=true`, sent, key);
    expect(first.json.data.successItems[0].effect.kind).toMatch(/^(created|updated)$/);
    expectReplayOf(first, await send(`${path}?effects=true`, sent, key));
  });

  test.each([createBulk, updateBulk])('to $path as a single call', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const callId = (await send(path, sent, key)).headers.get('x-call-id');
    await send(path, sent, key);
    const { rows } = await service.database.pool.query(
      `SELECT state, items, succeeded, failed, changes, claim, finished_at IS NOT NULL AS finished FROM calls
       WHERE id = $1 OR request_id = (SELECT request_id FROM calls WHERE id = $1)`,
      [callId],
    );
    const [succeeded, failed] = path === createBulk.path ? [2, 1] : [1, 2];
    expect(rows).toEqual([
      { state: 'completed', items: 3, succeeded, failed, changes: succeeded, claim: 1, finished: true },
    ]);
  });

  test('with or without quotes around the key', async () => {
    for (const { path, body } of operations) {
      const [key, sent] = [newId('a key of '), await body(service)];
      const first = await send(path, sent, `"${key}"`);
      expectReplayOf(first, await send(path, sent, key));
      expectReplayOf(first, await send(path, sent, `"${key}"`));
    }
  });

  test.each([createBulk, updateBulk])('to $path without items', async ({ path }) => {
    const key = newId('key');
    const first = await send(path, { items: [] }, key);
    expectReplayOf(first, await send(path, { items: [] }, key));
  });

  test('to a create with a password', async () => {
    const [key, user] = [newId('key'), aUser({ username: newId('u'), password: 'initial password' })];
    const first = await send('/service/users', user, key);
    expectReplayOf(first, await send('/service/users', user, key));
    expect((await service.signIn(user.username, 'initial password')).status).toBe(200);
  });

  test('with special characters in its texts', async () => {
    const key = newId('key');
    const items = [itemFor('E\u2028"\\', { name: 'O\'Hara "the\\best"\u2028' }), { 'ä"\\\u0007': 1 }];
    const first = await send(updateBulk.path, { items }, key);
    expect(errorsOf(first)).toHaveLength(2);
    expectReplayOf(first, await send(updateBulk.path, { items }, key));
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
      const first = await send('/service/users', user, key);
      expect([first.status, isReplay(first)]).toEqual([409, false]);
      expect(first.json).toEqual(error(holder.serial));
      const body = field === 'username' ? { username: null } : { employeeID: newId() };
      await service.request('PATCH', `/service/users/${holder.serial}`, { body });
      expectReplayOf(first, await send('/service/users', user, key));
      expect((await send('/service/users', user, newId('key'))).status).toBe(201);
    },
  );

  test.each([
    ['create-bulk', (employeeID: string) => aUser({ employeeID })],
    ['update-bulk', (employeeID: string) => itemFor(employeeID)],
  ])('failed items of %s stay failed', async (operation, item) => {
    const { serial, employeeID } = await service.givenUser();
    const other = newId();
    const items = [item(operation === 'create-bulk' ? employeeID : other), 7];
    const [key, path] = [newId('key'), `/service/users/${operation}`];
    const first = await send(path, { items }, key);
    expect(errorsOf(first)).toHaveLength(2);
    await service.request('PATCH', `/service/users/${serial}`, { body: { employeeID: other } });
    expectReplayOf(first, await send(path, { items }, key));
    expect(errorsOf(await send(path, { items }, newId('key')))).toHaveLength(1);
  });

  test.each([
    ['a create with an invalid user', createOne.path, aUser({ email: 'none' }), fieldInvalid('"email"')],
    ['a create-bulk with an invalid body', createBulk.path, { items: 7 }, { errorCode: 10004 }],
    ['an update-bulk with an invalid body', updateBulk.path, [], { errorCode: 10004 }],
  ])('%s was never started, so its key stays free', async (_, path, broken, error) => {
    const key = newId('key');
    for (let sent = 0; sent < 2; sent++) {
      const reply = await send(path, broken, key);
      expect(reply.status).toBe(400);
      expect(reply.json).toMatchObject(error);
      expect(isReplay(reply)).toBe(false);
    }
    const operation = operations.find((each) => each.path === path) ?? createOne;
    const mended = await send(path, await operation.body(service), key);
    expect([mended.status < 300, isReplay(mended)]).toEqual([true, false]);
  });

  test.each([{}, { password: 'p' }])(
    'a create that failed internally is not replayed but applied when resent, %j',
    async (more) => {
      const [key, user] = [newId('key'), aUser(more)];
      await whenStored(service, user.employeeID, `RAISE EXCEPTION 'no'`, 'at the commit');
      const broken = await send('/service/users', user, key);
      expect([broken.status, isReplay(broken)]).toEqual([500, false]);
      await repair(service, user.employeeID);
      const done = await send('/service/users', user, key);
      expect([done.status, isReplay(done)]).toEqual([201, false]);
      expectReplayOf(done, await send('/service/users', user, key));
    },
  );
});

describe('the same key with another request fails with 10312, and nothing is changed', () => {
  test.each(operations)('to $path with another body', async ({ path, body }) => {
    const [key, requestId] = [newId('key'), newId('request')];
    const sent = await body(service);
    const first = await send(path, sent, key);
    expectReused(await send(path, await body(service), key, { requestId }));
    expect(await changesOfRequest(service, requestId)).toEqual([]);
    expectReplayOf(first, await send(path, sent, key));
  });

  test.each(operations)('to $path with an equivalent body in different bytes', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    await send(path, sent, key);
    expectReused(await send(path, undefined, key, { rawBody: ` ${JSON.stringify(sent)}` }));
  });

  test.each([createBulk, updateBulk])('to $path with another query', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    await send(path, sent, key);
    expectReused(await send(`${path}?effects=true`, sent, key));
  });

  test('on another path', async () => {
    const key = newId('key');
    await send(createBulk.path, { items: [] }, key);
    expectReused(await send(updateBulk.path, { items: [] }, key));
    expectReused(await send(createOne.path, aUser(), key));
  });

  test('after a rejection', async () => {
    const { employeeID } = await service.givenUser();
    const key = newId('key');
    await send(createOne.path, aUser({ employeeID }), key);
    expectReused(await send(createOne.path, aUser(), key));
  });
});

describe('keys of different callers are independent', () => {
  test.each(operations)('on $path for another client and for a user', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(path, sent, key);
    const tokens = [
      await issueToken(service.url, await createdClient(service)),
      (await givenPerson(service, 'operator')).token,
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

  test('but another token of the same client is the same caller', async () => {
    const client = await createdClient(service);
    const [key, user] = [newId('key'), aUser()];
    const first = await send('/service/users', user, key, { token: await issueToken(service.url, client) });
    const token = await issueToken(service.url, client, 'users:write');
    expectReplayOf(first, await send('/service/users', user, key, { token }));
  });
});

describe('a key is kept for 24 hours', () => {
  test.each(operations)('and $path is replayed one minute before that', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(path, sent, key);
    await age(key, '23 hours 59 minutes');
    expectReplayOf(first, await send(path, sent, key));
    expectReused(await send(path, await body(service), key));
  });

  test.each(operations)('after which $path is applied again and kept again', async ({ path, body }) => {
    const [key, sent] = [newId('key'), await body(service)];
    const first = await send(path, sent, key);
    await age(key, '24 hours 1 second');
    const anew = await send(path, sent, key);
    expect(isReplay(anew)).toBe(false);
    expect(anew.text).not.toBe(first.text);
    expect(anew.headers.get('x-call-id') ?? '').not.toBe(first.headers.get('x-call-id'));
    expectReplayOf(anew, await send(path, sent, key));
  });

  test.each(operations)(
    'after which the stored data of $path is deleted, and newer keys stay',
    async ({ path, body }) => {
      const [old, young] = [newId('key'), newId('key')];
      const sent = await body(service);
      for (const key of [old, young]) await send(path, key === old ? await body(service) : sent, key);
      const kept = async (key: string) => {
        const { rows } = await service.database.pool.query(
          'SELECT call_id, first_item FROM idempotency_keys LEFT JOIN call_parts USING (call_id) WHERE key = $1',
          [key],
        );
        return rows;
      };
      const [{ call_id: oldCall }] = await kept(old);
      await age(old, '24 hours 1 second');
      await service.database.pool.query(
        `UPDATE call_parts SET created_at = now() - interval '25 hours 1 second' WHERE call_id = $1`,
        [oldCall],
      );
      await deleteOldKeys(service.database.pool, service.context.limits.idempotencyKeyHours);
      expect(await kept(old)).toEqual([]);
      expect(await kept(young)).toHaveLength(1);
      const parts = 'SELECT FROM call_parts WHERE call_id = $1';
      expect((await service.database.pool.query(parts, [oldCall])).rows).toEqual([]);
      expect(isReplay(await send(path, sent, young))).toBe(true);
    },
  );

  test.each(operations)('after which $path accepts another request', async ({ path, body }) => {
    const key = newId('key');
    await send(path, await body(service), key);
    await age(key, '24 hours 1 second');
    const other = await send(path, await body(service), key);
    expect([other.status < 300, isReplay(other)]).toEqual([true, false]);
  });
});
