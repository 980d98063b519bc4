import { describe, expect, test } from 'vitest';
import { anItem, type GivenUser, newId, type Reply, useOwnService } from '../support/service.js';

/** A service of its own: each test needs to control all administrators. */
const service = useOwnService();

const rounds = 12;

const setRole = ({ serial }: GivenUser, role: string | null) =>
  service.request('PUT', `/service/users/${serial}/role`, { body: { role } });

const patch = ({ serial }: GivenUser, body: unknown) =>
  service.request('PATCH', `/service/users/${serial}`, { body });

const deactivation = (user: GivenUser) => anItem(user, { isActive: false });

const ways: ((user: GivenUser) => Promise<Reply>)[] = [
  (user) => setRole(user, null),
  (user) => patch(user, { isActive: false }),
  (user) => service.updateBulk([deactivation(user)]),
  (user) => setRole(user, 'viewer'),
  (user) => patch(user, { username: null }),
  (user) => service.updateBulk([anItem(user, { username: '' })]),
];

async function administrators<T extends GivenUser[]>(count: number): Promise<T> {
  const users = await Promise.all(
    Array.from({ length: count }, async () => {
      const user = await service.givenUser({ username: newId('u') });
      await setRole(user, 'administrator');
      return user;
    }),
  );
  await service.database.pool.query(
    `DELETE FROM roles WHERE role = 'administrator' AND user_serial <> ALL ($1::uuid[])`,
    [users.map(({ serial }) => serial)],
  );
  return users as T;
}

async function left(): Promise<number> {
  const { rows } = await service.database.pool.query(
    `SELECT count(*)::int FROM roles JOIN users ON serial = user_serial
     WHERE role = 'administrator' AND is_active AND username IS NOT NULL`,
  );
  return rows[0].count;
}

/** How many changes were rejected because no administrator would be left. Fails on any other error. */
function refusals({ status, json, text }: Reply): number {
  if (status === 409) {
    expect(json.errorCode).toBe(10109);
    return 1;
  }
  expect(status, text).toBe(200);
  const failed: { error: { errorCode: number } }[] = json.data.failedItems ?? [];
  for (const { error } of failed) expect(error.errorCode).toBe(10109);
  return failed.length;
}

describe('administrators removed at the same time', () => {
  test('never leave none: of two removals, by any means, one is rejected', async () => {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = await administrators<[GivenUser, GivenUser]>(2);
      const first = ways[round % ways.length] as (typeof ways)[number];
      const second = ways[Math.floor(round / ways.length + round) % ways.length] as (typeof ways)[number];
      const replies = await Promise.all([first(a), second(b)]);
      expect(replies.map(refusals).sort()).toEqual([0, 1]);
      expect(await left()).toBe(1);
    }
  });

  test('never leave none: of six removals by different means, one is rejected', async () => {
    for (let round = 0; round < 2; round++) {
      const users = await administrators(6);
      const replies = await Promise.all(users.map((user, index) => ways[index]?.(user) as Promise<Reply>));
      expect(replies.map(refusals).sort()).toEqual([0, 0, 0, 0, 0, 1]);
      expect(await left()).toBe(1);
    }
  });

  test('never leave none if bulk calls list them in opposite orders, and cause no deadlock', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b, c] = await administrators<[GivenUser, GivenUser, GivenUser]>(3);
      const replies = await Promise.all([
        service.updateBulk([a, b, c].map(deactivation)),
        service.updateBulk([c, b, a].map(deactivation)),
        service.updateBulk([b, a, c].map(deactivation)),
        setRole(b, null),
      ]);
      for (const reply of replies) refusals(reply);
      expect(await left()).toBe(1);
    }
  });

  test('never leave none if the same administrator is removed in two ways', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = await administrators<[GivenUser, GivenUser]>(2);
      const replies = await Promise.all([
        setRole(a, null),
        patch(a, { isActive: false }),
        setRole(b, 'operator'),
      ]);
      for (const reply of replies) refusals(reply);
      expect(await left()).toBe(1);
    }
  });

  test('are removed or rejected while a successor is appointed, but never leave none', async () => {
    for (let round = 0; round < 4; round++) {
      const [a] = await administrators<[GivenUser]>(1);
      const successor = await service.givenUser({ username: newId('u') });
      const way = ways[round % ways.length] as (typeof ways)[number];
      const [appointed, taken] = await Promise.all([setRole(successor, 'administrator'), way(a)]);
      expect(appointed.status).toBe(200);
      expect(await left()).toBe(2 - (1 - refusals(taken)));
    }
  });

  test('never leave none while one is reactivated and the other deactivated', async () => {
    for (let round = 0; round < 4; round++) {
      const [a, b] = await administrators<[GivenUser, GivenUser]>(2);
      expect((await patch(a, { isActive: false })).status).toBe(200);
      const [back, gone] = await Promise.all([
        patch(a, { isActive: true }),
        round % 2 ? patch(b, { isActive: false }) : service.updateBulk([deactivation(b)]),
      ]);
      expect(back.status).toBe(200);
      refusals(gone);
      expect(await left()).toBeGreaterThanOrEqual(1);
    }
  });
});

test('other users can be changed while the removal of an administrator waits', async () => {
  const [a] = await administrators<[GivenUser, GivenUser]>(2);
  const other = await service.givenUser({ username: newId('u') });
  const rival = await service.database.pool.connect();
  try {
    await rival.query('BEGIN');
    await rival.query('SELECT FROM installation FOR UPDATE');
    const waiting = patch(a, { isActive: false });
    expect((await patch(other, { isActive: false })).status).toBe(200);
    expect((await service.updateBulk([anItem(other, { username: '' })])).json.data.failedItems).toEqual([]);
    await rival.query('COMMIT');
    expect((await waiting).status).toBe(200);
  } finally {
    rival.release();
  }
});
