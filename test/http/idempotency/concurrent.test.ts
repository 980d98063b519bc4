import { describe, expect, test } from 'vitest';
import { changesOfCall } from '../../support/change-rows.js';
import { expectFailure } from '../../support/expect-failure.js';
import {
  createBulk,
  createOne,
  isReplay,
  sendWithKey,
  updateBulk,
} from '../../support/idempotent-requests.js';
import { aUser, newId, type Reply, useService } from '../../support/service.js';

const service = useService();
const atOnce = 6;

/** Sends the same request many times concurrently and returns the replies, without those that say to retry. */
async function answersTo(path: string, body: unknown): Promise<Reply[]> {
  const key = newId('key');
  const replies = await Promise.all(
    Array.from({ length: atOnce }, () => sendWithKey(service, path, body, key)),
  );
  const isWaiting = (reply: Reply) => reply.json.errorCode === 10313;
  for (const reply of replies.filter(isWaiting)) {
    expectFailure(reply, 409, 10313, 'IDEMPOTENCY_KEY_IN_USE', /still running/);
    expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  return replies.filter((reply) => !isWaiting(reply));
}

/** One request was applied, and the others repeat its response. */
function expectOneAnswer(answers: readonly Reply[]): void {
  expect(answers.filter((reply) => !isReplay(reply))).toHaveLength(1);
  expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
}

describe('the same request with the same key, sent many times concurrently,', () => {
  test('creates one user, or fails with the same error', async () => {
    for (const more of [{}, { password: 'p' }]) {
      const user = aUser(more);
      const answers = await answersTo(createOne.path, user);
      expectOneAnswer(answers);
      expect(answers[0]?.status).toBe(201);
      const found = await service.get(`/service/users?employeeID=${user.employeeID}`);
      expect(found.json.data.items).toMatchObject([{ serial: answers[0]?.json.data.serial }]);
      const taken = await answersTo(createOne.path, aUser({ ...more, employeeID: user.employeeID }));
      expectOneAnswer(taken);
      expect(taken[0]?.json.errorCode).toBe(10101);
    }
  });

  test.each([createBulk, updateBulk])('to $path is one call', async ({ path, body }) => {
    const answers = await answersTo(path, await body(service));
    expectOneAnswer(answers);
    const calls = new Set(answers.map(({ headers }) => headers.get('x-call-id')));
    expect(calls.size).toBe(1);
    const [callId] = calls;
    const changed = (await changesOfCall(service, callId ?? '')).map(({ kind }) => kind);
    expect(changed).toEqual(path === createBulk.path ? ['created', 'created', 'call'] : ['updated', 'call']);
  });

  test.each([createOne, createBulk])(
    'to $path with different bodies is applied once',
    async ({ path, body }) => {
      const key = newId('key');
      const bodies = await Promise.all(Array.from({ length: atOnce }, () => body(service)));
      const replies = await Promise.all(bodies.map((each) => sendWithKey(service, path, each, key)));
      expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
      expect(replies.filter(({ json }) => json.errorCode === 10312)).toHaveLength(atOnce - 1);
    },
  );
});

test('a bulk call that is still running fails with 409, 10313 and Retry-After, and with 422 for another body', async () => {
  const [key, sent] = [newId('key'), await createBulk.body(service)];
  await sendWithKey(service, createBulk.path, sent, key);
  await service.database.pool.query(
    `UPDATE calls SET state = 'running', finished_at = NULL, claimed_until = now() + interval '1 hour'
     WHERE id = (SELECT call_id FROM idempotency_keys WHERE key = $1)`,
    [key],
  );
  const reply = await sendWithKey(service, createBulk.path, sent, key);
  expectFailure(reply, 409, 10313, 'IDEMPOTENCY_KEY_IN_USE', /still running/);
  expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0);
  expect(isReplay(reply)).toBe(false);
  expect(reply.headers.has('x-call-id')).toBe(false);
  const other = await sendWithKey(service, createBulk.path, await createBulk.body(service), key);
  expect(other.json.errorCode).toBe(10312);
});
