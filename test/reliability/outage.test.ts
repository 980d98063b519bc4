import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { startService } from '../../src/main.js';
import { busy, create, endless, exists, expectServing, sendInOrder } from '../support/batched-creates.js';
import { mailsTo, newAddress, passwordIn, sendsAtOnce } from '../support/deliveries.js';
import { answered, anyone, followed, putOff } from '../support/event-source.js';
import { expectFailure } from '../support/expect-failure.js';
import { buildGates } from '../support/gates.js';
import { type MailWitness, openMailWitness } from '../support/mail-witness.js';
import { type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { whenStored } from '../support/sabotage.js';
import { anItem, aUser, newId, silentLogger, TestService, useOwnService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

describe('a database outage', () => {
  const metricsToken = 'a-token-for-metrics';
  let server: PostgresServer;
  let mail: MailWitness;
  let service: TestService;
  let isDown = false;

  beforeAll(async () => {
    [server, mail] = await Promise.all([startPostgres(['-c', 'fsync=off']), openMailWitness()]);
    service = await TestService.start({
      ...endless,
      ...sendsAtOnce,
      DATABASE_URL: server.url,
      SMTP_URL: mail.url,
      ROLLCALL_METRICS_TOKEN: metricsToken,
      ROLLCALL_EVENT_POLL_MS: '20',
    });
    await buildGates(service);
  });
  afterAll(async () => {
    await mail?.stop();
    await service?.stop();
    await server?.stop();
  });

  /** Ends with the test at the latest. */
  async function halt(): Promise<void> {
    isDown = true;
    onTestFinished(resume);
    await server.halt();
  }

  async function resume(): Promise<void> {
    if (!isDown) return;
    isDown = false;
    await server.resume();
    await expect.poll(async () => (await service.get('/readyz')).status).toBe(200);
  }

  test('returns 503 with Retry-After, and the service recovers by itself', async () => {
    const { serial } = await service.givenUser();
    await halt();
    const attempts = [
      await service.get(`/service/users/${serial}`),
      await service.get('/service/users'),
      await service.post('/service/users', aUser()),
      await service.updateBulk([anItem(aUser())]),
      await service.createBulk([aUser()]),
      await service.request('PATCH', `/service/users/${serial}`, { body: { name: 'B' } }),
      await service.get('/readyz'),
    ];
    for (const reply of attempts) {
      expect(reply.status).toBe(503);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
      expect(reply.json.errorCode).toBe(10901);
      expect(reply.json.detail).not.toMatch(/ECONN|postgres:/);
    }
    expect((await service.get('/healthz')).status, 'the process itself is well').toBe(200);
    const scraped = await service.get('/metrics', { token: metricsToken });
    expect(scraped.status, 'metrics of the process need no database').toBe(200);
    expect(scraped.text).toContain('rollcall_database_up 0');
    expect(scraped.text).toMatch(/^rollcall_http_requests_total\{.*status="503"\} [1-9]/m);
    expect(scraped.text).not.toContain('rollcall_deliveries{');

    await resume();
    expect((await service.readUser(serial)).serial).toBe(serial);
    expect((await service.post('/service/users', aUser())).status).toBe(201);
  });

  test('before the start: the service returns 503 and works once the database is up', async () => {
    await halt();
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: server.url,
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    });
    const lines: string[] = [];
    const logger = createLogger(config, { write: (line) => void lines.push(line) });
    const early = await startService(config, logger);
    onTestFinished(async () => void (await early.stop()));
    const reply = await fetch(`${early.url}/service/users`, { headers: { authorization: 'x' } });
    expect(reply.status).toBe(503);
    expect(reply.headers.get('retry-after')).not.toBeNull();
    expect(((await reply.json()) as { errorCode: number }).errorCode).toBe(10901);
    await expect.poll(() => lines.join()).toContain('Check the host and port in DATABASE_URL');
    expect(lines.join(), 'no password in what the operator reads').not.toContain('postgres@');

    await resume();
    await early.ready;
    expect((await fetch(`${early.url}/readyz`)).status).toBe(200);
  });

  test('during concurrent creates returns 503 for each of them, and creates work again afterwards', async () => {
    const { gates, replies: first } = await busy(service);
    const users = [aUser(), aUser(), aUser()];
    const underWay = await sendInOrder(service, users);
    // If the server first ended the connection that keeps a gate closed, the create behind it would succeed.
    for (const gate of gates) {
      await service.database.pool.query('SELECT pg_terminate_backend($1)', [await gate.reached()]);
    }
    await halt();
    for (const reply of await first) expect([reply.status, reply.json.errorCode]).toEqual([503, 10902]);
    // A connection that was idle may still accept them while the server stops.
    const replies = await Promise.all(underWay);
    for (const reply of replies) {
      expect([201, 503], reply.text).toContain(reply.status);
      if (reply.status === 503) expect([10901, 10902], reply.text).toContain(reply.json.errorCode);
    }
    const away = await Promise.all(Array.from({ length: 30 }, () => create(service, aUser())));
    for (const reply of away) {
      expectFailure(reply, 503, 10901, 'SERVICE_UNAVAILABLE', /Nothing was changed; retry the request/);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    await resume();
    await expectServing(service);
    for (const [index, reply] of replies.entries()) {
      if (reply.status === 201)
        expect(await exists(service, users[index] as { employeeID: string })).toBe(true);
    }
  });

  test("while sending delays messages but loses none, and each user's latest password works", async () => {
    const users = Array.from({ length: 20 }, () => {
      const [email, username] = [newAddress(), newId('u')];
      return { ...aUser({ email, username }), email, username };
    });
    const arrived = () => users.flatMap(({ email }) => mailsTo(mail, email)).length;
    // When the database goes down, some messages are sent and others are in progress.
    const through = 10;
    const underWay = Number(sendsAtOnce.ROLLCALL_DELIVERIES_AT_ONCE);
    await endClaims(service);
    await expect.poll(() => waiting(service)).toBe(0);
    mail.answer = () => (arrived() <= through ? 'accept' : 'hang');
    await service.createBulk(users);
    await expect.poll(arrived).toBe(through + underWay);
    await halt();
    // They are now sent, but that can't be recorded.
    mail.answer = () => 'accept';
    mail.letGo();
    await resume();
    await endClaims(service);
    await expect.poll(() => waiting(service)).toBe(0);
    for (const { email } of users) expect(mailsTo(mail, email).length).toBeGreaterThanOrEqual(1);
    const twice = users.filter(({ email }) => mailsTo(mail, email).length > 1);
    expect(twice.length, 'only those that were under way').toBeLessThanOrEqual(underWay);
    for (const { email, username } of [...twice, ...users.slice(-2)]) {
      const reply = await service.signIn(username, passwordIn(mailsTo(mail, email).at(-1) ?? {}));
      expect([reply.status, reply.json.data?.mustChangePassword]).toEqual([200, true]);
    }
  });

  test('during which an EventSource connects only makes it retry', { tags: 'release' }, async () => {
    await halt();
    const follower = followed(service.url, service.token);
    await expect.poll(() => follower.attempts()).toBeGreaterThan(1);
    expect(await follower.hasGivenUp()).toBe(false);
    expect(await answered(service.url, service.token)).toEqual(putOff('database is unreachable'));
    const status = (await answered(service.url, service.token, anyone)).status;
    expect(status, 'whoever can read it is told by the status').toBe(503);

    await resume();
    await expect.poll(() => follower.positions()).toBeGreaterThan(0);
    const { employeeID } = await service.givenUser();
    await expect.poll(() => follower.told()).toEqual([employeeID]);
  });
});

/** What was under way when the database went down is claimed until its timeout. */
async function endClaims({ database }: TestService): Promise<void> {
  await database.pool.query(
    `UPDATE deliveries SET claimed_until = now(), next_at = now() WHERE state = 'waiting'`,
  );
}

/** The messages that are not sent yet. */
async function waiting({ database }: TestService): Promise<number> {
  const { rowCount } = await database.pool.query(`SELECT FROM deliveries WHERE state = 'waiting'`);
  return rowCount ?? 0;
}

describe('a connection that breaks midway', () => {
  const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

  const endOwnConnection = 'PERFORM pg_terminate_backend(pg_backend_pid())';

  test('reports committed items as done and the rest with a retryable error', async () => {
    const users = await Promise.all(Array.from({ length: 7 }, () => service.givenUser()));
    await whenStored(service, users[3]?.employeeID ?? '', endOwnConnection);
    const reply = await service.updateBulk(
      users.map((user, at) => ({
        ...anItem(user),
        name: `New${at}`,
        ...(at === 6 ? { phone: 7 } : {}),
      })),
    );
    expect(reply.status).toBe(200);
    // The chunk after the broken one may have been running at the same time.
    const parts = [
      ['New0', 'New1'],
      ['New4', 'New5'],
    ];
    const done: string[] = reply.json.data.successItems.map(
      (item: { payload: { name: string } }) => item.payload.name,
    );
    expect([parts[0], parts.flat()]).toContainEqual(done);
    const errors = reply.json.data.failedItems.map(
      (item: { error: { errorCode: number } }) => item.error.errorCode,
    );
    expect(errors).toEqual([...Array(6 - done.length).fill(10901), 10107]);
    const names = await Promise.all(users.map(async (user) => (await service.readUser(user.serial)).name));
    expect(names).toEqual(users.map((_, at) => (done.includes(`New${at}`) ? `New${at}` : 'Ada Lovelace')));
  });

  test('during the commit leaves the outcome unknown, and the reply says so', async () => {
    const users = await Promise.all(Array.from({ length: 4 }, () => service.givenUser()));
    await whenStored(service, users[2]?.employeeID ?? '', endOwnConnection, 'at the commit');
    const reply = await service.updateBulk(users.map((user) => ({ ...anItem(user), name: 'New' })));
    const errors = reply.json.data.failedItems.map(
      (item: { error: { errorCode: number } }) => item.error.errorCode,
    );
    expect(errors).toEqual([10902, 10902]);
  });

  test('before anything is committed fails the whole call with 503', async () => {
    const user = await service.givenUser();
    await whenStored(service, user.employeeID, endOwnConnection);
    const reply = await service.updateBulk([{ ...anItem(user), name: 'New' }]);
    expect(reply.status).toBe(503);
    expect(reply.json.errorCode).toBe(10901);
    expect((await service.readUser(user.serial)).name).toBe('Ada Lovelace');
  });

  test('a lock held too long results in 503 and changes nothing', async () => {
    const slow = await TestService.start({ ROLLCALL_LOCK_TIMEOUT_MS: '200' });
    onTestFinished(() => slow.stop());
    const user = await slow.givenUser();
    const holder = await slow.database.pool.connect();
    onTestFinished(() => holder.release());
    await holder.query('BEGIN');
    await holder.query('SELECT FROM users WHERE serial = $1 FOR UPDATE', [user.serial]);
    const reply = await slow.updateBulk([anItem(user, { phone: '12345' })]);
    await holder.query('ROLLBACK');
    expect(reply.status).toBe(503);
    expect(reply.json.detail).toContain('overloaded');
    expect((await slow.readUser(user.serial)).phone).toBeNull();
  });
});

describe('a schema newer than the service', () => {
  test('is rejected with a message that says what to do', async () => {
    const service = await TestService.start();
    onTestFinished(() => service.stop());
    const { options } = service.database.pool as unknown as { options: pg.PoolConfig };
    await service.database.pool.query(
      `INSERT INTO schema_migrations (version, name) VALUES (9999, 'future')`,
    );
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: options.connectionString,
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    });
    const next = await startService(config, silentLogger);
    onTestFinished(() => void next.stop());
    await expect(next.ready).rejects.toThrow(/schema version 9999.*Start the newer Rollcall/s);
  });
});
