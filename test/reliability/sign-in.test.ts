import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anItem, createDatabase, newId, type Reply, TestService } from '../support/service.js';
import { givenSignedInUser, type SignedInUser } from '../support/signed-in-users.js';

/** Two nodes that share a database and nothing else. */
let nodes: [TestService, TestService];

beforeAll(async () => {
  const environment = {
    DATABASE_URL: await createDatabase(),
    ROLLCALL_BOOTSTRAP_CLIENT_ID: 'tests',
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: 'of-tests-alone',
    ROLLCALL_SIGN_IN_FREE_FAILURES_PER_ADDRESS: '1000000',
  };
  nodes = [await TestService.start(environment), await TestService.start(environment)];
});

afterAll(async () => {
  await Promise.all(nodes.map((node) => node.stop()));
});

const together = <T>(count: number, work: (node: TestService, index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => work(nodes[index % 2] as TestService, index)));

const newPassword = 'correct horse battery staple';

function change(node: TestService, { token, password }: SignedInUser, to = newPassword): Promise<Reply> {
  return node.post(
    '/service/auth/change-password',
    { currentPassword: password, newPassword: to },
    { token },
  );
}

async function sessionsOf({ serial }: SignedInUser): Promise<number> {
  const { rows } = await nodes[0].database.pool.query(
    'SELECT count(*)::int FROM sessions WHERE user_serial = $1',
    [serial],
  );
  return rows[0].count;
}

async function expectEnded(replies: readonly Reply[]): Promise<void> {
  for (const reply of replies) {
    expect([200, 401], reply.text).toContain(reply.status);
    if (reply.status === 401) expect(reply.json.errorCode).toBe(10208);
    else {
      const token = reply.json.data.accessToken;
      for (const node of nodes) expect((await node.get('/service/auth/me', { token })).status).toBe(401);
    }
  }
}

describe('guesses for one username', () => {
  test('sent to two nodes at once are counted together: of 50, five are checked', async () => {
    for (const username of [newId('nobody'), (await givenSignedInUser(nodes[0])).username]) {
      const hashesDone = () => nodes.reduce((sum, node) => sum + node.context.passwords.hashesDone, 0);
      const before = hashesDone();
      const start = performance.now();
      const replies = await together(50, (node) => node.signIn(username, 'wrong'));
      // One more may be checked after one, three and seven seconds.
      const room = 5 + Math.floor(Math.log2(1 + (performance.now() - start) / 1000));
      const looked = replies.filter((reply) => reply.status === 401).length;
      expect(looked).toBeGreaterThanOrEqual(5);
      expect(looked).toBeLessThanOrEqual(room);
      expect(hashesDone() - before).toBe(looked);
      expect(replies.filter((reply) => reply.status === 429)).toHaveLength(50 - looked);
    }
  });

  test('delay even the correct password, on either node', async () => {
    const { username, password } = await givenSignedInUser(nodes[0]);
    await together(20, (node) => node.signIn(username, 'wrong'));
    await nodes[0].database.pool.query(
      `UPDATE sign_in_guards SET open_at = clock_timestamp() + interval '1 minute'`,
    );
    const replies = await together(6, (node) => node.signIn(username, password));
    expect(replies.map((reply) => [reply.status, reply.json.errorCode])).toEqual(Array(6).fill([429, 10209]));
    await nodes[0].database.pool.query('DELETE FROM sign_in_guards');
  });
});

describe('correct passwords', () => {
  test('of many concurrent users from one address are all accepted', async () => {
    const users = await Promise.all(Array.from({ length: 20 }, () => givenSignedInUser(nodes[0])));
    const replies = await together(40, (node, index) => {
      const { username, password } = users[index % 20] as SignedInUser;
      return node.signIn(username, password);
    });
    expect(replies.map((reply) => reply.status)).toEqual(Array(40).fill(200));
  });

  test('are all accepted next to wrong ones for other usernames from the same address', async () => {
    const users = await Promise.all(Array.from({ length: 10 }, () => givenSignedInUser(nodes[0])));
    const replies = await together(40, (node, index) => {
      const { username, password } = users[index % 10] as SignedInUser;
      return index < 20 ? node.signIn(username, password) : node.signIn(newId('nobody'), 'wrong');
    });
    expect(replies.map((reply) => reply.status)).toEqual([...Array(20).fill(200), ...Array(20).fill(401)]);
  });
});

describe('what ends a session on one node ends it on the other at once', () => {
  const endings: [string, (node: TestService, user: SignedInUser) => Promise<Reply>][] = [
    ['signing out', (node, { token }) => node.request('POST', '/service/auth/sign-out', { token })],
    [
      'a deactivation',
      (node, { serial }) => node.request('PATCH', `/service/users/${serial}`, { body: { isActive: false } }),
    ],
    [
      'a password reset',
      (node, { serial }) => node.request('POST', `/service/users/${serial}/reset-password`),
    ],
  ];

  test.each(endings)('%s', async (_, end) => {
    const user = await givenSignedInUser(nodes[0]);
    const ask = () => nodes[1].get('/service/auth/me', { token: user.token });
    expect((await ask()).status).toBe(200);
    await end(nodes[0], user);
    const reply = await ask();
    expect([reply.status, reply.json.errorCode]).toEqual([401, 10202]);
  });

  test('a removed role is gone on the other node with the next request', async () => {
    const { token, serial } = await givenSignedInUser(nodes[0], 'viewer');
    const ask = () => nodes[1].get('/service/users?limit=1', { token });
    expect((await ask()).status).toBe(200);
    await nodes[0].request('PUT', `/service/users/${serial}/role`, { body: { role: null } });
    expect((await ask()).status).toBe(403);
  });
});

describe('a sign-in concurrent', () => {
  const rounds = 5;

  test('with a deactivation leaves no session', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const deactivate = () =>
        round % 2
          ? nodes[1].request('PATCH', `/service/users/${user.serial}`, { body: { isActive: false } })
          : nodes[1].updateBulk([anItem({ ...user, name: 'Ada Lovelace' }, { isActive: false })]);
      const [signedIn, deactivated] = await Promise.all([
        together(4, (node) => node.signIn(user.username, user.password)),
        deactivate(),
      ]);
      expect(deactivated.status).toBe(200);
      expect(await sessionsOf(user)).toBe(0);
      await expectEnded(signedIn);
    }
  });

  test('with a deactivation and reactivation in one call leaves no earlier session', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const item = (isActive: boolean) => anItem({ ...user, name: 'Ada Lovelace' }, { isActive });
      const [signedIn, updated] = await Promise.all([
        together(4, (node) => node.signIn(user.username, user.password)),
        nodes[1].updateBulk([item(false), item(true)]),
      ]);
      expect(updated.json.data.failedItems).toEqual([]);
      for (const reply of signedIn) expect([200, 401], reply.text).toContain(reply.status);
      expect((await nodes[0].get('/service/auth/me', { token: user.token })).status).toBe(401);
    }
  });

  test('with a password change leaves only the session that made the change', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const [signedIn, changed] = await Promise.all([
        together(3, (node) => node.signIn(user.username, user.password)),
        change(nodes[1], user),
      ]);
      expect(changed.status, changed.text).toBe(200);
      expect(await sessionsOf(user)).toBe(1);
      await expectEnded(signedIn);
      const { accessToken: token } = changed.json.data;
      expect((await nodes[0].get('/service/auth/me', { token })).status).toBe(200);
    }
  });

  test('with a password reset leaves no session', async () => {
    for (let round = 0; round < rounds; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const [signedIn, reset] = await Promise.all([
        together(4, (node) => node.signIn(user.username, user.password)),
        nodes[1].request('POST', `/service/users/${user.serial}/reset-password`),
      ]);
      expect(reset.status, reset.text).toBe(202);
      expect(await sessionsOf(user)).toBe(0);
      await expectEnded(signedIn);
    }
  });
});

describe('password changes for one user', () => {
  test('on two nodes at once have one winner, whose password is valid', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const wanted = ['the first of two wishes', 'the second of two wishes'];
      const replies = await together(2, (node, index) => change(node, user, wanted[index]));
      expect(replies.map((reply) => reply.status).sort()).toEqual([200, 403]);
      const winner = replies.findIndex((reply) => reply.status === 200);
      expect((await nodes[0].signIn(user.username, wanted[winner])).status).toBe(200);
      expect((await nodes[1].signIn(user.username, wanted[1 - winner])).status).toBe(401);
    }
  });

  test('concurrent with a deactivation leave no session', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await givenSignedInUser(nodes[0]);
      await nodes[0].signIn(user.username, user.password);
      const [changed, deactivated] = await Promise.all([
        change(nodes[0], user),
        nodes[1].request('PATCH', `/service/users/${user.serial}`, { body: { isActive: false } }),
      ]);
      expect([200, 401], changed.text).toContain(changed.status);
      expect(deactivated.status, deactivated.text).toBe(200);
      expect(await sessionsOf(user)).toBe(0);
    }
  });

  test('concurrent with a reset leave no session and no valid new password', async () => {
    for (let round = 0; round < 4; round++) {
      const user = await givenSignedInUser(nodes[0]);
      const [changed, reset] = await Promise.all([
        change(nodes[0], user),
        nodes[1].request('POST', `/service/users/${user.serial}/reset-password`),
      ]);
      expect([200, 401, 403], changed.text).toContain(changed.status);
      expect(reset.status, reset.text).toBe(202);
      expect(await sessionsOf(user)).toBe(0);
      expect((await nodes[0].signIn(user.username, newPassword)).status).toBe(401);
    }
  });
});
