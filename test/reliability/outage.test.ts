import type pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { createLogger } from '../../src/logger.js';
import { startService } from '../../src/main.js';
import { freePort, type PostgresServer, startPostgres } from '../support/postgres-server.js';
import { whenStored } from '../support/sabotage.js';
import { anItem, aUser, silentLogger, TestService, useOwnService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

async function ownPostgres(port?: number): Promise<PostgresServer> {
  const server = await startPostgres(['-c', 'fsync=off'], port);
  onTestFinished(server.stop);
  return server;
}

describe('a database outage', () => {
  test('returns 503 with Retry-After, and the service recovers by itself', async () => {
    const server = await ownPostgres();
    const metricsToken = 'a-token-for-metrics';
    const service = await TestService.start({
      DATABASE_URL: server.url,
      ROLLCALL_METRICS_TOKEN: metricsToken,
    });
    onTestFinished(() => service.stop());
    const { serial } = await service.givenUser();

    await server.halt();
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

    await server.resume();
    await expect.poll(async () => (await service.get('/readyz')).status).toBe(200);
    expect((await service.readUser(serial)).serial).toBe(serial);
    expect((await service.post('/service/users', aUser())).status).toBe(201);
  });

  test('before the start: the service returns 503 and works once the database is up', async () => {
    const port = await freePort();
    const config = readConfig({
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: `postgres://postgres@127.0.0.1:${port}/postgres`,
      ROLLCALL_DATA_DIR: temporaryDirectory(),
    });
    const lines: string[] = [];
    const logger = createLogger(config, { write: (line) => void lines.push(line) });
    const service = await startService(config, logger);
    onTestFinished(() => void service.stop());
    const early = await fetch(`${service.url}/service/users`, { headers: { authorization: 'x' } });
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).not.toBeNull();
    expect(((await early.json()) as { errorCode: number }).errorCode).toBe(10901);
    await expect.poll(() => lines.join()).toContain('check DATABASE_URL');
    expect(lines.join(), 'no password in what the operator reads').not.toContain('postgres@');

    await ownPostgres(port);
    await service.ready;
    expect((await fetch(`${service.url}/readyz`)).status).toBe(200);
  });
});

describe('a connection that breaks midway', () => {
  const service = useOwnService({ ROLLCALL_BULK_CHUNK_ITEMS: '2' });

  const endOwnConnection = 'PERFORM pg_terminate_backend(pg_backend_pid())';

  test('reports committed items as done and the rest with a retryable error', async () => {
    const people = await Promise.all(Array.from({ length: 7 }, () => service.givenUser()));
    await whenStored(service, people[3]?.employeeID ?? '', endOwnConnection);
    const reply = await service.updateBulk(
      people.map((user, at) => ({
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
    const names = await Promise.all(people.map(async (user) => (await service.readUser(user.serial)).name));
    expect(names).toEqual(people.map((_, at) => (done.includes(`New${at}`) ? `New${at}` : 'Ada Lovelace')));
  });

  test('during the commit leaves the outcome unknown, and the reply says so', async () => {
    const people = await Promise.all(Array.from({ length: 4 }, () => service.givenUser()));
    await whenStored(service, people[2]?.employeeID ?? '', endOwnConnection, 'at the commit');
    const reply = await service.updateBulk(people.map((user) => ({ ...anItem(user), name: 'New' })));
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
