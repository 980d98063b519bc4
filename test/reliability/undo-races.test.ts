import { describe, expect, test } from 'vitest';
import { itemFor, rename } from '../support/bulk-items.js';
import {
  callIdOf,
  givenCreates,
  givenUpdates,
  readCall,
  statesOf,
  undo,
  undone,
  verdictsOf,
} from '../support/calls.js';
import { patchUser } from '../support/deliveries.js';
import { whenStored } from '../support/sabotage.js';
import {
  aUser,
  type GivenUser,
  newId,
  type Reply,
  type TestService,
  useOwnService,
} from '../support/service.js';

/**
 * A call with more than four items takes several transactions. A service of its own, so that nothing else waits for
 * locks.
 */
const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '4' });

const together = <T>(count: number, work: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(index)));

const givenUsers = (count: number) => together(count, () => service.givenUser());
const serialsOf = (users: readonly { serial: string }[]) => users.map(({ serial }) => serial);

/** Two fields that are always written together; a mismatch means that a change was half applied. */
const pair = (value: string) => ({ phone: value, organizationSerial: `O${value}` });

async function pairsOf(users: readonly GivenUser[]): Promise<string[]> {
  const states = (await statesOf(service, serialsOf(users))) as ReturnType<typeof pair>[];
  for (const { phone, organizationSerial } of states) expect(organizationSerial).toBe(`O${phone}`);
  return states.map(({ phone }) => phone);
}

/** Locks the rows that a query finds, until released. */
async function holding(
  { database }: TestService,
  rows: string,
  values: unknown[],
): Promise<() => Promise<void>> {
  const client = await database.pool.connect();
  await client.query('BEGIN');
  const { rowCount } = await client.query(`${rows} FOR UPDATE`, values);
  expect(rowCount).toBeGreaterThan(0);
  return async () => {
    await client.query('COMMIT');
    client.release();
  };
}

async function waiting({ database }: TestService): Promise<number> {
  const { rows } = await database.pool.query(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows[0].count;
}

const untilWaiting = (count: number) => expect.poll(() => waiting(service)).toBe(count);

function expectNoFault(replies: readonly Reply[]): void {
  for (const reply of replies) expect(reply.status, reply.text).toBeLessThan(500);
}

describe('concurrent undos of one call', () => {
  const changesOf = async (replies: readonly Reply[]) =>
    (await Promise.all(replies.map((reply) => readCall(service, callIdOf(reply))))).map(
      ({ changes }) => changes,
    );

  test('restore names once, and all succeed', async () => {
    const users = await givenUsers(6);
    const names = users.map(({ employeeID }) => employeeID);
    const before = await statesOf(service, serialsOf(users));
    const circle = names.map((name, at) => rename(name, names[(at + 1) % names.length] as string));
    for (let round = 0; round < 2; round++) {
      const callId = await givenUpdates(service, circle, '?mode=finalState');
      const replies = await together(4, () => undo(service, callId));
      for (const reply of replies) expect(reply.json.data?.failedItems, reply.text).toEqual([]);
      expect((await changesOf(replies)).sort()).toEqual([0, 0, 0, 6]);
      expect(await statesOf(service, serialsOf(users))).toEqual(before);
    }
  });

  test('remove the created users once, and undoing that restores them once', async () => {
    for (let round = 0; round < 2; round++) {
      const users = Array.from({ length: 5 }, () => aUser({ username: newId('u') }));
      const { callId, serials } = await givenCreates(service, users);
      const states = await statesOf(service, serials);
      const removals = await together(4, () => undo(service, callId));
      expect((await changesOf(removals)).sort()).toEqual([0, 0, 0, 5]);
      expect(await statesOf(service, serials)).toEqual(serials.map(() => null));
      const removal = removals[(await changesOf(removals)).indexOf(5)] as Reply;
      const returns = await together(4, () => undo(service, callIdOf(removal)));
      for (const reply of returns) expect(reply.json.data?.failedItems, reply.text).toEqual([]);
      expect((await changesOf(returns)).sort()).toEqual([0, 0, 0, 5]);
      expect(await statesOf(service, serials)).toEqual(states);
      const { rows } = await service.database.pool.query(
        `SELECT count(*)::int FROM deliveries WHERE user_serial = ANY ($1::uuid[]) AND state = 'waiting'`,
        [serials],
      );
      expect(rows, 'one message for each').toEqual([{ count: 5 }]);
    }
  });

  test('together with an undo of one of them leave all users in the same state', async () => {
    const users = await givenUsers(8);
    for (let round = 0; round < 2; round++) {
      await givenUpdates(
        service,
        users.map(({ employeeID }) => itemFor(employeeID, pair('111'))),
      );
      const callId = await givenUpdates(
        service,
        users.map(({ employeeID }) => itemFor(employeeID, pair('222'))),
      );
      const undoId = await undone(service, callId);
      const replies = await Promise.all([
        undo(service, undoId),
        undo(service, callId),
        undo(service, undoId),
      ]);
      expectNoFault(replies);
      expect(new Set(await pairsOf(users)).size).toBe(1);
    }
  });
});

describe('an undo while others change the same users', () => {
  test('restores or keeps each user as a whole, and no request fails', async () => {
    const users = await givenUsers(10);
    for (let round = 0; round < 3; round++) {
      const set = (value: string, some = users) =>
        service.updateBulk(some.map(({ employeeID }) => itemFor(employeeID, pair(value))));
      await set('111');
      const callId = callIdOf(await set('222'));
      const [undoReply, ...others] = await Promise.all([
        undo(service, callId),
        set('333', users.slice(0, 4).toReversed()),
        set('444', users.slice(3, 7)),
        patchUser(service, users[8]?.serial as string, pair('555')),
        service.updateBulk(users.map(({ employeeID }) => itemFor(employeeID, { tagSerials: [`T${round}`] }))),
      ]);
      expectNoFault([undoReply, ...others]);
      const verdicts = verdictsOf(undoReply);
      const pairs = await pairsOf(users);
      users.forEach(({ employeeID }, at) => {
        // The last write wins: a change after the undo stands, and one before it was kept.
        const allowed = verdicts[employeeID] === 10110 ? ['333', '444', '555'] : ['111', '333', '444', '555'];
        expect(allowed).toContain(pairs[at]);
      });
      expect([pairs[7], pairs[9]], 'whom nobody else touched').toEqual(['111', '111']);
    }
  });

  test('gives results for names that are passed around meanwhile', async () => {
    const users = await givenUsers(5);
    const names = users.map(({ employeeID }) => employeeID);
    const free = newId();
    for (let round = 0; round < 3; round++) {
      const { rows } = await service.database.pool.query(
        'SELECT employee_id AS name FROM users WHERE serial = ANY ($1::uuid[])',
        [serialsOf(users)],
      );
      const held: string[] = rows.map(({ name }) => name);
      const circle = held.map((name, at) => rename(name, held[(at + 1) % held.length] as string));
      const callId = await givenUpdates(service, circle, '?mode=finalState');
      const replies = await Promise.all([
        undo(service, callId),
        service.updateBulk([rename(held[0] as string, free), rename(held[1] as string, held[0] as string)]),
        service.post('/service/users/update-bulk?mode=finalState', { items: circle.toReversed() }),
        undo(service, callId),
      ]);
      for (const reply of replies) {
        expect(reply.status, reply.text).toBe(200);
        const codes = reply.json.data.failedItems.map(
          ({ error }: { error: { errorCode: number } }) => error.errorCode,
        );
        for (const code of codes) expect([10101, 10102, 10110]).toContain(code);
      }
      const left = (await statesOf(service, serialsOf(users))) as { employeeID: string }[];
      expect(new Set(left.map(({ employeeID }) => employeeID)).size).toBe(users.length);
      for (const { employeeID } of left) expect([...names, free]).toContain(employeeID);
    }
  });

  test('concurrent with a create that takes the old name: one of them gets it', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await service.givenUser();
      const renamed = newId();
      const callId = await givenUpdates(service, [rename(user.employeeID, renamed)]);
      const [undoReply, created] = await Promise.all([
        undo(service, callId),
        service.post('/service/users', aUser({ employeeID: user.employeeID })),
      ]);
      const expected = created.status === 201 ? 10101 : 'updated';
      expect([201, 409]).toContain(created.status);
      expect(verdictsOf(undoReply)).toEqual({ [renamed]: expected });
    }
  });

  test('concurrent with a create that takes the username of a restored user: one of them succeeds', async () => {
    for (let round = 0; round < 4; round++) {
      const user = aUser({ username: newId('u') });
      const { callId, serials } = await givenCreates(service, [user]);
      const undoId = await undone(service, callId);
      const [back, created] = await Promise.all([
        undo(service, undoId),
        service.post('/service/users', aUser({ username: String(user.username).toUpperCase() })),
      ]);
      expect([201, 409]).toContain(created.status);
      expect(verdictsOf(back)).toEqual({ [user.employeeID]: created.status === 201 ? 10103 : 'created' });
      expect((await statesOf(service, serials))[0] === null).toBe(created.status === 201);
    }
  });
});

describe('a user who is being removed', () => {
  const removed = async (
    work: (user: { serial: string; username: string; password: string }) => Promise<Reply>,
  ) => {
    const user = aUser({ username: newId('u'), password: 'the initial one' });
    const { callId, serials } = await givenCreates(service, [user]);
    const [serial = ''] = serials;
    const [undoReply, reply] = await Promise.all([
      undo(service, callId),
      work({ serial, username: String(user.username), password: String(user.password) }),
    ]);
    expectNoFault([undoReply, reply]);
    const [state] = await statesOf(service, [serial]);
    expect(verdictsOf(undoReply)).toEqual({ [user.employeeID]: state === null ? 'deleted' : 10110 });
    return { reply, isThere: state !== null };
  };

  test.each<[string, (user: { serial: string }) => Promise<Reply>]>([
    ['is updated', ({ serial }) => patchUser(service, serial, { name: 'Since' })],
    [
      'is given a role',
      ({ serial }) => service.request('PUT', `/service/users/${serial}/role`, { body: { role: 'viewer' } }),
    ],
  ])('%s at the same time, and exists exactly if that succeeded', async (_, work) => {
    for (let round = 0; round < 4; round++) {
      const { reply, isThere } = await removed(work);
      expect([reply.status, isThere]).toEqual(isThere ? [200, true] : [404, false]);
    }
  });

  test.each<[string, (user: { serial: string; username: string; password: string }) => Promise<Reply>]>([
    ['signs in', ({ username, password }) => service.signIn(username, password)],
    [
      'gets a new password',
      ({ serial }) => service.request('POST', `/service/users/${serial}/reset-password`),
    ],
  ])('%s at the same time without an internal error', async (_, work) => {
    for (let round = 0; round < 4; round++) await removed(work);
  });

  test('changes the password at the same time, and is either kept or reported as gone', async () => {
    const user = aUser({ username: newId('u'), password: 'the initial one' });
    const { callId, serials } = await givenCreates(service, [user]);
    const [serial = ''] = serials;
    const tokens = await together(
      2,
      async () => (await service.signIn(user.username, user.password)).json.data.accessToken as string,
    );
    // The password change also ends the other session before its commit. That session is locked here.
    const { rows } = await service.database.pool.query(
      'SELECT token_hash FROM sessions WHERE user_serial = $1 ORDER BY created_at',
      [serial],
    );
    const letGo = await holding(service, 'SELECT FROM sessions WHERE token_hash = ANY ($1)', [
      rows.map(({ token_hash }) => token_hash),
    ]);
    const choosing = service.post(
      '/service/auth/change-password',
      { currentPassword: user.password, newPassword: 'chosen by the user' },
      { token: tokens[0] as string },
    );
    await untilWaiting(1);
    const undoing = undo(service, callId);
    await untilWaiting(2);
    await letGo();
    const [chosen, undoReply] = await Promise.all([choosing, undoing]);
    expectNoFault([chosen, undoReply]);
    const [state] = await statesOf(service, [serial]);
    expect([chosen.status === 200, verdictsOf(undoReply)]).toEqual([
      state !== null,
      { [user.employeeID]: state === null ? 'deleted' : 10110 },
    ]);
  });

  test('is still removed while a message is being sent, after a deadlock that callers do not notice', async () => {
    const user = aUser();
    const { callId, serials } = await givenCreates(service, [user]);
    const client = await service.database.pool.connect();
    // Like the delivery of a message: first the message is locked, then the password stored, which references the user.
    await client.query('BEGIN');
    await client.query('SELECT FROM deliveries WHERE user_serial = $1 FOR UPDATE', serials);
    const undoing = undo(service, callId);
    await untilWaiting(1);
    const stored = client
      .query(
        `INSERT INTO credentials (user_serial, password_hash, must_change) VALUES ($1, 'x', true)`,
        serials,
      )
      .then(() => client.query('COMMIT'))
      .catch(() => client.query('ROLLBACK'));
    await stored;
    client.release();
    expect(verdictsOf(await undoing)).toEqual({ [user.employeeID]: 'deleted' });
  });
});

describe('an interrupted call', () => {
  test('undone and resent at the same time ends up undone as a whole', async () => {
    const users = await givenUsers(6);
    const last = users.at(-1) as GivenUser;
    await whenStored(service, last.employeeID, `RAISE EXCEPTION 'no'`);
    const items = users.map(({ employeeID }) => itemFor(employeeID, { phone: '123' }));
    const headers = { 'idempotency-key': newId('key') };
    const send = () => service.post('/service/users/update-bulk', { items }, { headers });
    const callId = callIdOf(await send());
    expect(await readCall(service, callId)).toMatchObject({ state: 'interrupted', changes: 4 });
    await service.database.pool.query(`DROP FUNCTION sabotage_${last.employeeID.toLowerCase()} CASCADE`);

    const letGo = await holding(service, 'SELECT FROM users WHERE serial = $1', [users[0]?.serial]);
    const undoing = undo(service, callId);
    await untilWaiting(1); // it has read what to undo and waits for the first user
    let isAnswered = false;
    const sending = send().finally(() => {
      isAnswered = true;
    });
    await expect.poll(async () => isAnswered || (await waiting(service)) > 1).toBe(true);
    await letGo();
    const [undoReply, again] = await Promise.all([undoing, sending]);
    expectNoFault([undoReply, again]);
    const phones = (await statesOf(service, serialsOf(users))) as { phone: string | null }[];
    expect(undoReply.status).toBe(200);
    expect(
      phones.map(({ phone }) => phone),
      `the undo said ${undoReply.status}, the call that was sent again ${again.status}`,
    ).toEqual(users.map(() => null));
  });

  test('loses its claim to an undo: a node presumed dead writes nothing more', async () => {
    const users = await givenUsers(6);
    const letGo = await holding(service, 'SELECT FROM users WHERE serial = $1', [users[5]?.serial]);
    const sending = service.updateBulk(users.map(({ employeeID }) => itemFor(employeeID, { phone: '123' })));
    await untilWaiting(1); // the first four are done, and the second transaction waits
    const { rows } = await service.database.pool.query(
      `UPDATE calls SET claimed_until = now() - interval '1 second' WHERE state = 'running' RETURNING id`,
    );
    expect(rows).toHaveLength(1);
    const undoReply = await undo(service, rows[0].id);
    expect(Object.values(verdictsOf(undoReply))).toEqual(Array(4).fill('updated'));
    await letGo();
    const reply = await sending;
    expect([reply.status, reply.json.errorCode], 'it had no key that could be in use').toEqual([409, 10305]);
    const phones = (await statesOf(service, serialsOf(users))) as { phone: string | null }[];
    expect(phones.map(({ phone }) => phone)).toEqual(users.map(() => null));
    expect(await readCall(service, rows[0].id)).toMatchObject({ state: 'interrupted', changes: 4 });
  });
});
