import { execFile } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Database, transaction } from '../../src/storage/database.js';
import { threadConnections } from '../../src/storage/embedded/connection.js';
import { embeddedPostgresMajor, openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { vacuumWhereDue } from '../../src/storage/embedded/vacuum.js';
import { databaseOutage } from '../../src/storage/errors.js';
import { copyEmptyDatabase, embeddedDirectory } from '../support/embedded-directory.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** The paths in the directory, including itself, on which anyone but the owner has permissions. */
function openToOthers(path: string): string[] {
  const stats = lstatSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  return [...((stats.mode & 0o077) === 0 ? [] : [path]), ...inside.flatMap(openToOthers)];
}

/** PGlite has no programs to copy to, and throws an error that PostgreSQL can't handle. */
const deadly = `COPY (SELECT 1) TO PROGRAM 'true'`;

describe('an open embedded database', () => {
  const parent = mkdtempSync(join(tmpdir(), 'rollcall-test-'));
  const dataDir = join(parent, 'd'.repeat(80), 'e'.repeat(80));
  let database: Database;
  beforeAll(async () => {
    await copyEmptyDatabase(dataDir);
    database = await openEmbedded(dataDir);
  });
  afterAll(async () => {
    await database.close();
    rmSync(parent, { recursive: true, force: true, maxRetries: 10 });
  });

  test('is locked within one process too, even if its path is longer than that of a socket', async () => {
    await expect(openEmbedded(dataDir)).rejects.toThrow(`is in use by process ${process.pid}`);
  });

  test('has the PostgreSQL version named in the code', async () => {
    const { rows } = await database.pool.query('SHOW server_version');
    expect(rows[0].server_version.split('.')[0]).toBe(embeddedPostgresMajor);
  });

  test('vacuums and analyzes the tables that have changed, so that dead rows do not pile up', async () => {
    const size = async () => {
      const { rows } = await database.pool.query(`SELECT pg_relation_size('installation') AS bytes`);
      return Number(rows[0].bytes);
    };
    await database.pool.query(`
      DO $$ BEGIN
        FOR round IN 1..500 LOOP
          INSERT INTO installation DEFAULT VALUES;
          DELETE FROM installation;
        END LOOP;
      END $$`);
    const before = await size();
    expect(before).toBeGreaterThan(0);
    await database.pool.query('SELECT pg_stat_force_next_flush()');
    await vacuumWhereDue(database);
    expect(await size(), 'empty pages are given back').toBeLessThan(before);
    const { rows } = await database.pool.query(
      `SELECT relname FROM pg_stat_user_tables WHERE last_vacuum IS NOT NULL OR last_analyze IS NOT NULL`,
    );
    expect(rows, 'no table but this').toEqual([{ relname: 'installation' }]);
  });

  test('creates files that are private to its owner, whatever the umask', async () => {
    const before = process.umask(0);
    try {
      await database.pool.query(
        `CREATE TABLE later AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 2000)`,
      );
      await database.pool.query('VACUUM FULL later');
      await database.pool.query('SELECT pg_switch_wal()');
      await database.pool.query('CHECKPOINT');
      expect(openToOthers(dataDir)).toEqual([]);
    } finally {
      process.umask(before);
    }
  });

  test('can still be used after a failed query', async () => {
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
  });

  test('leaves the main thread free: its event loop keeps running during a statement', async () => {
    let turns = 0;
    let running = true;
    const turn = () => {
      turns++;
      if (running) setImmediate(turn);
    };
    setImmediate(turn);
    await database.pool.query('SELECT count(*) FROM generate_series(1, 200000)');
    running = false;
    expect(turns, 'blocked, there would be none').toBeGreaterThan(10);
  });

  test('transfers more data than fits into one message', async () => {
    const text = Array.from({ length: 200_000 }, (_, at) => `${at} é 人`).join();
    const { rows } = await database.pool.query(
      'SELECT number, $1::text AS text FROM generate_series(1, 3) number',
      [text],
    );
    expect(rows.map((row) => row.number)).toEqual([1, 2, 3]);
    for (const row of rows) expect(row.text === text).toBe(true);
  });

  test('whose thread dies fails only the running query, as unavailable, and loses no commit', async () => {
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
  });

  test('terminates its thread with a connection and its statement, and the next query gets a new one', async () => {
    const client = await database.pool.connect();
    const endless = client.query('SELECT count(*) FROM generate_series(1, 1000000000000)');
    client.release(new Error('given up'));
    const next = database.pool.query('SELECT 1 AS number');
    expect(databaseOutage(await endless.catch((error: unknown) => error))).toBe('unavailable');
    expect((await next).rows).toEqual([{ number: 1 }]);
  });

  test('can be opened again after a close, even if its thread has just died', async () => {
    await database.pool.query('CREATE TABLE reopened AS SELECT 1 AS number');
    await expect(database.pool.query(deadly)).rejects.toMatchObject({ code: 'ECONNRESET' });
    await database.close();
    database = await openEmbedded(dataDir);
    expect((await database.pool.query('SELECT number FROM reopened')).rows).toEqual([{ number: 1 }]);
  });
});

describe('the data directory', () => {
  test('that a first start left incomplete is set aside and created again', { tags: 'release' }, async () => {
    const dataDir = temporaryDirectory();
    mkdirSync(join(dataDir, 'postgres'));
    writeFileSync(join(dataDir, 'postgres', 'half'), '');
    const database = await openEmbedded(dataDir);
    await database.close();
    expect(existsSync(join(dataDir, 'postgres', 'half'))).toBe(false);
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

  // test/release damages it in more ways, and reads damaged pages.
  test('of another PostgreSQL version, or without some of its files, is refused and stays as it is', async () => {
    const dataDir = await embeddedDirectory();
    const [version, control] = ['postgres/PG_VERSION', 'postgres/global/pg_control'];
    writeFileSync(join(dataDir, version), '12\n');
    await expect(openEmbedded(dataDir)).rejects.toThrow(
      `written by PostgreSQL 12, and this Rollcall embeds ${embeddedPostgresMajor}`,
    );
    writeFileSync(join(dataDir, version), `${embeddedPostgresMajor}\n`);
    writeFileSync(join(dataDir, 'postgres.files'), JSON.stringify({ [control]: 8_192 }));

    truncateSync(join(dataDir, control), 100);
    await expect(openEmbedded(dataDir)).rejects.toThrow(`is damaged: ${control} has 100 of 8192 bytes.`);
    rmSync(join(dataDir, control));
    await expect(openEmbedded(dataDir)).rejects.toThrow(
      new RegExp(`is damaged: ${control} is missing\\. Restore .*rollcall restore.*docs/backup\\.md`),
    );
    expect(existsSync(join(dataDir, 'postgres.files')), 'it can be compared again').toBe(true);

    // Neither is taken for a first start.
    const mark = readFileSync(join(dataDir, 'postgres.initialised'));
    rmSync(join(dataDir, 'postgres.initialised'));
    await expect(openEmbedded(dataDir)).rejects.toThrow('is damaged: postgres.initialised is missing.');
    writeFileSync(join(dataDir, 'postgres.initialised'), mark);
    rmSync(join(dataDir, 'postgres'), { recursive: true });
    await expect(openEmbedded(dataDir)).rejects.toThrow('is damaged: postgres is missing.');
    expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  });
});

describe('the thread of the embedded database', () => {
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

  test('ends after a close, so the process exits by itself', { tags: 'release' }, async () => {
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
