import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import { exitCodes } from '../../src/cli/exit-codes.js';
import { limitDefaults } from '../../src/contract/limits.js';
import { runHousekeeping } from '../../src/domain/maintenance/housekeeping.js';
import { transaction } from '../../src/storage/database.js';
import { threadConnections } from '../../src/storage/embedded/connection.js';
import { embeddedPostgresMajor, openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { databaseOutage } from '../../src/storage/errors.js';
import { migrate } from '../../src/storage/migrate.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { anItem, aUser, credentialsIn, issueToken } from '../support/service.js';
import { type ServiceProcess, spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

async function call(service: ServiceProcess, token: string, path: string, body?: unknown) {
  const response = await fetch(`${service.url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: token, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into replies of every shape
  return { status: response.status, json: (await response.json()) as any };
}

describe('the embedded database is durable', () => {
  test('every create reaches the disk: at least one fsync call per commit', async () => {
    const dataDir = await embeddedDirectory();
    const counter = join(temporaryDirectory(), 'count-fsync.mjs');
    writeFileSync(
      counter,
      `import fs from 'node:fs';
       import { syncBuiltinESMExports } from 'node:module';
       import { getEnvironmentData, isMainThread, setEnvironmentData } from 'node:worker_threads';
       const { fsyncSync } = fs;
       const calls = getEnvironmentData('calls') ?? new Int32Array(new SharedArrayBuffer(4));
       setEnvironmentData('calls', calls); // threads inherit it, and run this file too
       fs.fsyncSync = (descriptor) => { Atomics.add(calls, 0, 1); return fsyncSync(descriptor); };
       syncBuiltinESMExports();
       if (isMainThread) process.on('SIGUSR2', () => console.log('fsync calls: ' + calls[0]));`,
    );
    const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir }, ['--import', counter])).ready();
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const calls = async () => {
      const before = service.output.length;
      service.child.kill('SIGUSR2');
      await expect.poll(() => service.output.slice(before)).toContain('fsync calls: ');
      return Number(/fsync calls: (\d+)/.exec(service.output.slice(before))?.[1]);
    };
    const creates = 50;
    const before = await calls();
    for (let at = 0; at < creates; at++)
      expect((await call(service, token, '/service/users', aUser())).status).toBe(201);
    expect((await calls()) - before).toBeGreaterThanOrEqual(creates);
  });

  test('SIGKILL under load loses nothing acknowledged and leaves no item half done', async () => {
    const dataDir = await embeddedDirectory();
    const service = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    const token = await issueToken(service.url, credentialsIn(dataDir));
    const people = Array.from({ length: 200 }, () => aUser());
    await call(service, token, '/service/users/create-bulk', { items: people });

    // Each bulk item writes its round into two fields; each create is recorded once it is acknowledged.
    const acknowledged = { created: new Set<string>(), round: 0 };
    let running = true;
    const creating = async () => {
      while (running) {
        const user = aUser();
        if ((await call(service, token, '/service/users', user)).status === 201)
          acknowledged.created.add(user.employeeID);
      }
    };
    const updating = async () => {
      for (let round = 1; running; round++) {
        const items = people.map((user) =>
          anItem(user, { name: `R${round}`, organizationSerial: `R${round}` }),
        );
        const reply = await call(service, token, '/service/users/update-bulk', { items });
        if (reply.json.data.successItems.length === people.length) acknowledged.round = round;
      }
    };
    const load = Promise.allSettled([creating(), creating(), updating()]);
    await expect.poll(() => acknowledged.round >= 10 && acknowledged.created.size >= 30).toBe(true);
    await service.kill('SIGKILL');
    running = false;
    await load;

    const again = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    const everyone = new Map<string, { name: string; organizationSerial: string | null }>();
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await call(again, token, `/service/users?limit=200${cursor && `&cursor=${cursor}`}`);
      for (const user of page.json.data.items) everyone.set(user.employeeID, user);
      cursor = page.json.data.nextCursor;
    }
    for (const employeeID of acknowledged.created) expect(everyone.has(employeeID), employeeID).toBe(true);
    const rounds = new Set(people.map((user) => everyone.get(user.employeeID)?.name));
    expect(rounds.size, 'a call of one transaction is there whole or not at all').toBe(1);
    const [round] = [...rounds];
    expect(Number(round?.slice(1))).toBeGreaterThanOrEqual(acknowledged.round);
    for (const user of people) expect(everyone.get(user.employeeID)?.organizationSerial).toBe(round);
  });
});

describe('the data directory', () => {
  test('is used by one process: a second one is rejected and told which process that is', async () => {
    const dataDir = await embeddedDirectory();
    const first = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    const second = await spawned({ ROLLCALL_DATA_DIR: dataDir });
    expect(await second.exited).toBe(exitCodes.refused);
    expect(second.output).toContain(`is in use by process ${first.child.pid}`);
    expect(second.output).toContain('ROLLCALL_DATA_DIR');
    expect((await fetch(`${first.url}/readyz`)).status, 'the first goes on').toBe(200);
  });

  test('is available again right after its process was killed, and keeps its credentials', async () => {
    const dataDir = await embeddedDirectory();
    const first = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    const credentials = readFileSync(join(dataDir, 'first-credentials.json'), 'utf8');
    await first.kill('SIGKILL');
    expect(existsSync(join(dataDir, 'lock.sock')), 'the dead process left its socket behind').toBe(true);
    const second = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
    expect(readFileSync(join(dataDir, 'first-credentials.json'), 'utf8')).toBe(credentials);
    await issueToken(second.url, credentialsIn(dataDir));
  });

  test('is locked within one process too, and available after a close', async () => {
    const dataDir = await embeddedDirectory();
    const database = await openEmbedded(dataDir);
    await expect(openEmbedded(dataDir)).rejects.toThrow(`is in use by process ${process.pid}`);
    await database.close();
    await (await openEmbedded(dataDir)).close();
  });

  test('may have a path longer than that of a socket', async () => {
    const dataDir = join(temporaryDirectory(), 'd'.repeat(80), 'e'.repeat(80));
    const database = await openEmbedded(dataDir);
    await expect(openEmbedded(dataDir)).rejects.toThrow('is in use by process');
    await database.close();
  });

  test('that a first start left incomplete is set aside and created again', async () => {
    const dataDir = temporaryDirectory();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'half'), '');
    const database = await openEmbedded(dataDir);
    await database.close();
    expect(existsSync(join(dataDir, 'postgres', 'half'))).toBe(false);
  });

  test('of another PostgreSQL version is rejected with a clear message', async () => {
    const dataDir = temporaryDirectory();
    await (await openEmbedded(dataDir)).close();
    writeFileSync(join(dataDir, 'postgres', 'PG_VERSION'), '12\n');
    await expect(openEmbedded(dataDir)).rejects.toThrow(
      `written by PostgreSQL 12, and this Rollcall embeds ${embeddedPostgresMajor}`,
    );
  });

  test('that cannot be created or written is rejected with a clear message', async () => {
    const parent = temporaryDirectory();
    writeFileSync(join(parent, 'file'), '');
    await expect(openEmbedded(join(parent, 'file', 'data'))).rejects.toThrow('cannot be created (ENOTDIR)');
  });

  // Root can write everywhere, so only another user can test a directory that isn't writable.
  test.skipIf(process.getuid?.() === 0)(
    'that is read-only is rejected with a clear message (skipped for root)',
    async () => {
      const dataDir = join(temporaryDirectory(), 'data');
      mkdirSync(dataDir);
      chmodSync(dataDir, 0o500);
      await expect(openEmbedded(dataDir)).rejects.toThrow('is it writable?');
      rmSync(dataDir, { recursive: true });
    },
  );

  test('is vacuumed by housekeeping, so dead rows do not pile up', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    await migrate(database);
    const size = async () => {
      const { rows } = await database.pool.query(`SELECT pg_relation_size('installation') AS bytes`);
      return Number(rows[0].bytes);
    };
    const update = async () => {
      await database.pool.query('INSERT INTO installation DEFAULT VALUES');
      await database.pool.query('DELETE FROM installation');
    };
    for (let count = 0; count < 500; count++) await update();
    const before = await size();
    expect(before).toBeGreaterThan(0);
    await runHousekeeping({ database, limits: limitDefaults }, { accessEventsDays: 1, changesDays: 4 });
    expect(await size(), 'empty pages are given back').toBeLessThan(before);
    await database.close();
  });

  test('a failed query leaves the connection usable', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    const failures = [
      ['SELECT $1::uuid', 'not a serial', '22P02'],
      ['SELECT nothing, $1', 'there', '42703'],
      ['SELECT 1 / $1::integer', '0', '22012'],
    ] as const;
    for (const [query, value, code] of failures) {
      await expect(database.pool.query(query, [value])).rejects.toMatchObject({ code });
      for (const number of [1, 2, 3]) {
        const { rows } = await database.pool.query('SELECT $1::integer AS number', [number]);
        expect(rows, `after ${query}`).toEqual([{ number }]);
      }
    }
    await database.close();
  });

  test('the embedded PostgreSQL version is the one named in the code', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    const { rows } = await database.pool.query('SHOW server_version');
    await database.close();
    expect(rows[0].server_version.split('.')[0]).toBe(embeddedPostgresMajor);
  });
});

/** PGlite has no programs to copy to, and throws an error that PostgreSQL can't handle. */
const deadly = `COPY (SELECT 1) TO PROGRAM 'true'`;

describe('the thread of the embedded database', () => {
  test('leaves the main thread free: its event loop keeps running during a statement', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    await database.pool.query('SELECT count(*) FROM generate_series(1, 1000000)');
    running = false;
    expect(turns).toBeGreaterThan(100);
    await database.close();
  });

  test('transfers more data than fits into one message', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    const text = Array.from({ length: 200_000 }, (_, at) => `${at} é 人`).join();
    const { rows } = await database.pool.query(
      'SELECT number, $1::text AS text FROM generate_series(1, 3) number',
      [text],
    );
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
    for (const row of rows) expect(row.text === text).toBe(true);
    await database.close();
  });

  test('when it dies, only the running query fails, as unavailable, and no commit is lost', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    await database.pool.query('CREATE TABLE kept (number integer)');
    await database.pool.query('INSERT INTO kept VALUES (1)');
    const warnings: string[] = [];
    const listen = ({ message }: Error) => void warnings.push(message);
    process.on('warning', listen);
    const failing = transaction(database, async (tx) => {
      await tx.query('INSERT INTO kept VALUES (2)');
      await tx.query(deadly);
    });
    const waiting = database.pool.query('SELECT number FROM kept');
    expect(databaseOutage(await failing.catch((error: unknown) => error))).toBe('unavailable');
    expect((await waiting).rows).toEqual([{ number: 1 }]);
    expect(warnings.join(), 'the operator is told').toContain('Unhandled cmd. It is opened again');
    process.off('warning', listen);
    await database.close();
  });

  test('when it has died and was not restarted, there is nothing to close', async () => {
    const dataDir = await embeddedDirectory();
    const database = await openEmbedded(dataDir);
    await expect(database.pool.query(deadly)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await database.close();
    await (await openEmbedded(dataDir)).close();
  });

  test('is terminated with its connection and statement, and the next query gets a new one', async () => {
    const database = await openEmbedded(await embeddedDirectory());
    const client = await database.pool.connect();
    const endless = client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
    client.release(new Error('given up'));
    const next = database.pool.query('SELECT 1 AS number');
    expect(databaseOutage(await endless.catch((error: unknown) => error))).toBe('unavailable');
    expect((await next).rows).toEqual([{ number: 1 }]);
    await database.close();
  });

  test('ends before the next one starts, because two would destroy the directory', async () => {
    const running = new Set<Worker>();
    let together = 0;
    const start = () => {
      const thread = new Worker('setInterval(() => {}, 1000)', { eval: true });
      thread.once('exit', () => running.delete(thread));
      together = Math.max(together, running.add(thread).size);
      return thread;
    };
    const threads = threadConnections(start, () => {});
    const connected = async () => {
      const connection = threads.open();
      connection.connect();
      await once(connection, 'connect');
      return connection;
    };
    (await connected()).destroy();
    (await connected()).destroy();
    const givenUpInTheQueue = threads.open();
    givenUpInTheQueue.connect();
    givenUpInTheQueue.destroy();
    await threads.closed();
    expect(together).toBe(1);
    expect(running.size).toBe(0);
  });

  test('ends after a close, so the process exits by itself', async () => {
    const built = new URL('../../dist/storage/embedded/open-embedded.js', import.meta.url);
    const script = join(temporaryDirectory(), 'open-and-close.mjs');
    writeFileSync(
      script,
      `import { openEmbedded } from '${built}';
       const database = await openEmbedded(process.argv[2]);
       const { rows } = await database.pool.query('SELECT 1 AS number');
       await database.close();
       console.log(rows[0].number);`,
    );
    const ended = promisify(execFile)(process.execPath, [script, await embeddedDirectory()]);
    expect(await ended).toMatchObject({ stdout: '1\n', stderr: '' });
  });
});
