import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { batchedCreate } from '../../src/domain/users/batched-create.js';
import { databaseOutage } from '../../src/storage/errors.js';
import { insertCreation } from '../../src/storage/users/insert-users.js';
import {
  busy,
  create,
  endless,
  exists,
  expectServing,
  sendInOrder,
  statusesOf,
} from '../support/batched-creates.js';
import {
  expectEachAnswered,
  type SendingClient,
  sendAtOnce,
  usersWithDoubles,
} from '../support/concurrent-creates.js';
import { aCreation } from '../support/creations.js';
import { expectFailure } from '../support/expect-failure.js';
import { atTheGate, buildGates, closeGate, patientAtTheGate } from '../support/gates.js';
import { firstClient, useNodes } from '../support/nodes.js';
import {
  aUser,
  createDatabase,
  newId,
  type Reply,
  type TestService,
  useOwnService,
} from '../support/service.js';
import { employeeIdExists, usernameExists } from '../support/user-failures.js';

const lockTimeout = '1h';

/** Sends creates so that they form one statement, which then runs. */
async function sendTogether(service: TestService, users: readonly object[]): Promise<Promise<Reply>[]> {
  const { gates, replies: before } = await busy(service);
  const replies = await sendInOrder(service, users);
  for (const gate of gates) await gate.open();
  expect(statusesOf(await before)).toEqual([201, 201]);
  return replies;
}

interface Rival {
  readonly serial: string;
  end(how: 'COMMIT' | 'ROLLBACK'): Promise<void>;
}

/** Another transaction that has created a user and is still open. */
async function rivalWith(service: TestService, user: object): Promise<Rival> {
  const client = await service.database.pool.connect();
  const creation = aCreation(service.context.cipher, user);
  let isOpen = true;
  const end = async (how: 'COMMIT' | 'ROLLBACK') => {
    if (!isOpen) return;
    isOpen = false;
    await client.query(how);
    client.release();
  };
  onTestFinished(() => end('ROLLBACK'));
  await client.query('BEGIN');
  await insertCreation(client, creation);
  return { serial: creation.user.serial, end };
}

/** Waits until this many statements wait for another transaction to end. */
function untilWaiting({ database }: TestService, count: number): Promise<void> {
  const waiting = async () => {
    const { rows } = await database.pool.query(
      `SELECT count(*)::integer AS count FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND wait_event = 'transactionid'`,
    );
    return rows[0].count;
  };
  return expect.poll(waiting).toBe(count);
}

/** Takes all connections at once, so that each is checked. */
async function lockTimeouts({ database, context }: TestService): Promise<string[]> {
  const all = Array.from({ length: context.limits.poolConnectionsMax }, () => database.pool.connect());
  const clients = await Promise.all(all);
  const shown = await Promise.all(clients.map((client) => client.query('SHOW lock_timeout')));
  for (const client of clients) client.release();
  return shown.map(({ rows }) => rows[0].lock_timeout);
}

describe.each([
  ['in a shared statement', {}],
  ['in its own statement', { ROLLCALL_CREATES_TOGETHER_MAX: '1' }],
])('a create %s for a name that an open transaction has taken', (_, environment) => {
  const service = useOwnService({ ...endless, ...environment });
  beforeAll(() => buildGates(service));

  const username = newId('Name');
  test.each([
    ['employee ID', 'COMMIT', { employeeID: newId() }, employeeIdExists],
    ['employee ID', 'ROLLBACK', { employeeID: newId() }, undefined],
    ['username', 'COMMIT', { username }, usernameExists],
    ['username', 'ROLLBACK', { username: newId('Name') }, undefined],
  ] as const)('waits without delaying other creates: %s, %s', async (_, how, name, refusal) => {
    const rival = await rivalWith(service, aUser(name));
    const wanted = 'username' in name ? { username: name.username.toUpperCase() } : name;
    const user = aUser(wanted);
    const others = [aUser(), aUser(), aUser()];
    const [one, two, waiting, three] = await sendTogether(service, [
      ...others.slice(0, 2),
      user,
      ...others.slice(2),
    ]);
    expect(statusesOf((await Promise.all([one, two, three])) as Reply[]), 'while the name is held').toEqual([
      201, 201, 201,
    ]);
    await untilWaiting(service, 1);
    await rival.end(how);
    const reply = (await waiting) as Reply;
    expect([reply.status, reply.json]).toEqual(
      refusal
        ? [409, refusal(`is already taken by another user with the serial ${rival.serial}.`)]
        : [201, expect.objectContaining({ status: 'success' })],
    );
    expect(await exists(service, user)).toBe(how === 'ROLLBACK' || 'employeeID' in name);
  });

  test('does not block later creates', async () => {
    const names = [newId(), newId(), newId()];
    const rivals: Rival[] = [];
    for (const employeeID of names) rivals.push(await rivalWith(service, aUser({ employeeID })));
    const waiting = await sendInOrder(
      service,
      names.map((employeeID) => aUser({ employeeID })),
    );
    const replies = await Promise.all([1, 2, 3].map(() => create(service, aUser())));
    expect(statusesOf(replies), 'while the names are held').toEqual([201, 201, 201]);
    await untilWaiting(service, names.length);
    for (const rival of rivals) await rival.end('ROLLBACK');
    expect(statusesOf(await Promise.all(waiting))).toEqual([201, 201, 201]);
  });

  test('leaves the configured lock timeout on every connection', async () => {
    const employeeID = newId();
    const rival = await rivalWith(service, aUser({ employeeID }));
    const [waiting, other] = await sendTogether(service, [aUser({ employeeID }), aUser()]);
    expect((await other)?.status).toBe(201);
    await rival.end('COMMIT');
    expect((await waiting)?.status).toBe(409);
    await expectServing(service);
    const timeouts = await lockTimeouts(service);
    expect(timeouts).toEqual(timeouts.map(() => lockTimeout));
  });
});

describe('two statements that wait for each other', () => {
  const service = useOwnService({ ...endless, ROLLCALL_CREATES_TOGETHER_MAX: '2' });
  beforeAll(() => buildGates(service));

  // The lock timeout of a statement is shorter than the second after which the server looks for deadlocks.
  test.each([
    ['their lock timeout', atTheGate],
    ['the deadlock detection of the server', patientAtTheGate],
  ])('are resolved by %s, and callers do not notice', async (_, held) => {
    const id = newId();
    const usernames = [newId('u'), newId('u')] as const;
    const first = [
      aUser({ employeeID: `${id}1`, username: usernames[0] }),
      aUser({ employeeID: `${id}4`, username: usernames[1].toUpperCase(), ...held }),
    ];
    const second = [
      aUser({ employeeID: `${id}2`, username: usernames[1] }),
      aUser({ employeeID: `${id}3`, username: usernames[0].toUpperCase(), ...held }),
    ];
    const { gates, replies: before } = await busy(service);
    const innerGates = [await closeGate(service, `${id}4`), await closeGate(service, `${id}3`)] as const;
    const replies = await sendInOrder(service, [...first, ...second]);
    await gates[0].open();
    await innerGates[0].reached();
    await gates[1].open();
    await innerGates[1].reached();
    // Each statement has written its first user. Its second user wants the name that the other statement has taken.
    for (const gate of innerGates) await gate.open();
    const answers = await Promise.all(replies);
    expect(statusesOf(await before)).toEqual([201, 201]);
    for (const name of [0, 1] as const) {
      const rivals = (name === 0 ? [answers[0], answers[3]] : [answers[1], answers[2]]) as Reply[];
      const [created, refused] = rivals.toSorted((a, b) => a.status - b.status) as [Reply, Reply];
      expect(created.status, created.text).toBe(201);
      expect(refused.json).toEqual(
        usernameExists(`is already taken by another user with the serial ${created.json.data.serial}.`),
      );
    }
  });
});

describe('a connection that breaks while it writes several users', () => {
  const service = useOwnService(endless);
  beforeAll(() => buildGates(service));

  test('leaves only their outcome unknown, and later creates succeed', async () => {
    const { gates, replies: before } = await busy(service);
    const held = aUser({ ...atTheGate, employeeID: `Z${newId()}` });
    const gate = await closeGate(service, held.employeeID);
    const users = [aUser(), held, aUser()];
    const replies = await sendInOrder(service, users);
    await gates[0].open();
    const pid = await gate.reached();
    const later = await sendInOrder(service, [aUser(), aUser()]);
    await service.database.pool.query('SELECT pg_terminate_backend($1)', [pid]);
    for (const reply of await Promise.all(replies)) {
      expectFailure(reply, 503, 10902, 'SERVICE_OUTCOME_UNKNOWN', /Read the user to see whether/);
    }
    await gates[1].open();
    expect(statusesOf(await before)).toEqual([201, 201]);
    expect(statusesOf(await Promise.all(later))).toEqual([201, 201]);
    for (const user of users) expect(await exists(service, user)).toBe(false);
    await gate.open();
    const again = await Promise.all(users.map((user) => create(service, user)));
    expect(statusesOf(again), 'they can be sent again').toEqual([201, 201, 201]);
  });
});

describe('a pool without a free connection', () => {
  const service = useOwnService();

  /** Creates twenty users while all connections are in use. Returns how often the pool was asked for one. */
  async function askedInVain(createsTogetherMax: number): Promise<number> {
    const { pool } = service.database;
    const together = batchedCreate(service.database, { createsTogetherMax });
    const size = service.context.limits.poolConnectionsMax;
    const all = await Promise.all(Array.from({ length: size }, () => pool.connect()));
    // Not before this point, because a busy machine may take longer to connect.
    const { connectionTimeoutMillis } = pool.options;
    pool.options.connectionTimeoutMillis = 200;
    const asking = vi.spyOn(pool, 'connect');
    const creations = Array.from({ length: 20 }, () => aCreation(service.context.cipher, aUser()));
    const outcomes = await Promise.allSettled(creations.map(together));
    const asked = asking.mock.calls.length;
    asking.mockRestore();
    pool.options.connectionTimeoutMillis = connectionTimeoutMillis;
    for (const client of all) client.release();
    for (const outcome of outcomes) {
      expect(outcome.status === 'rejected' && databaseOutage(outcome.reason)).toBe('unavailable');
    }
    return asked;
  }

  test('is asked only once for a whole batch', async () => {
    expect(await askedInVain(100)).toBeLessThanOrEqual(3); // the first two are sent on their own
  });

  test('is not asked again for each waiting batch', async () => {
    // Each request lasts until the connection timeout. No create should wait ten times that long.
    expect(await askedInVain(2)).toBeLessThanOrEqual(4);
  });
});

describe('concurrent creates on two nodes', () => {
  const start = useNodes();

  test('each get their own result, whatever names they want', async () => {
    const nodes = await start(await createDatabase());
    const clients = nodes.map(
      (service): SendingClient => ({ ...firstClient, token: service.token, service }),
    );
    await expectEachAnswered(nodes[0], await sendAtOnce(clients, usersWithDoubles(100)));
  });
});
