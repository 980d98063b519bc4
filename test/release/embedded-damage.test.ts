import { spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statfsSync,
  symlinkSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { databaseOutage, StartupError } from '../../src/storage/errors.js';
import { migrate } from '../../src/storage/migrate.js';
import { copyEmptyDatabase, embeddedDirectory } from '../support/embedded-directory.js';
import { aUser, newId, TestService } from '../support/service.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

interface Filled {
  readonly dataDir: string;
  /** The file of the table `filled`, within the data directory. */
  readonly file: string;
}

/** A data directory with a table of several pages, closed properly. */
async function filledDirectory(): Promise<Filled> {
  const dataDir = await embeddedDirectory();
  const database = await openEmbedded(dataDir);
  await database.pool.query(
    `CREATE TABLE filled AS SELECT number, repeat('x', 500) AS text FROM generate_series(1, 200) number`,
  );
  const { rows } = await database.pool.query(`SELECT pg_relation_filepath('filled') AS path`);
  await database.close();
  return { dataDir, file: `postgres/${rows[0].path}` };
}

async function refusal(dataDir: string): Promise<string> {
  const refused = await openEmbedded(dataDir).catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartupError);
  return (refused as Error).message;
}

function flipByte(path: string, at: number): void {
  const byte = readFileSync(path)[at] ?? 0;
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.from([byte ^ 0xff]), 0, 1, at);
  closeSync(file);
}

describe('a data directory', () => {
  test('with a missing or truncated file is refused, repeatedly and by name, until the file is back', async () => {
    const { dataDir, file } = await filledDirectory();
    const path = join(dataDir, file);
    const content = readFileSync(path);
    truncateSync(path, 8_192);
    for (const attempt of ['first', 'second'])
      expect(await refusal(dataDir), attempt).toContain(`${file} has 8192 of ${content.length} bytes.`);
    rmSync(path);
    expect(await refusal(dataDir)).toMatch(
      new RegExp(`is damaged: ${file} is missing\\. Restore .*rollcall restore.*docs/backup\\.md`),
    );
    const restored = openSync(path, 'w');
    writeSync(restored, content);
    closeSync(restored);
    const database = await openEmbedded(dataDir);
    expect((await database.pool.query('SELECT count(*)::integer AS n FROM filled')).rows).toEqual([
      { n: 200 },
    ]);
    expect(existsSync(join(dataDir, 'postgres.files')), 'only while it is closed').toBe(false);
    await database.close();
  });

  test('that lost the file of a table is refused after a crash too', async () => {
    const { dataDir, file } = await filledDirectory();
    rmSync(join(dataDir, 'postgres.files')); // as if the service had been killed
    rmSync(join(dataDir, file));
    expect(await refusal(dataDir)).toContain(`${file} (filled) is missing`);
  });

  test.each([
    ['postgres/global/pg_control', 'pg_control'],
    ['postgres/PG_VERSION', 'PG_VERSION'],
    ['postgres.initialised', 'postgres.initialised'],
  ])('that lost %s after a crash is refused and stays as it is', async (file, named) => {
    const dataDir = await embeddedDirectory();
    await (await openEmbedded(dataDir)).close();
    if (file !== 'postgres.initialised') rmSync(join(dataDir, 'postgres.files'));
    rmSync(join(dataDir, file));
    expect(await refusal(dataDir)).toContain(named);
    expect(existsSync(join(dataDir, 'postgres/base/5')), 'the data is still there').toBe(true);
  });

  test('has page checksums, so a damaged page is an error and never wrong data', async () => {
    const { dataDir, file } = await filledDirectory();
    flipByte(join(dataDir, file), 8_192 + 5_000);
    const database = await openEmbedded(dataDir);
    onTestFinished(() => database.close());
    const read = () => database.pool.query('SELECT sum(length(text)) FROM filled');
    for (const attempt of ['first', 'second']) {
      const error = await read().catch((thrown: unknown) => thrown);
      expect((error as Error).message, attempt).toContain(`invalid page in block 1 of relation "base/5/`);
      expect(databaseOutage(error)).toBe('damaged');
    }
    expect((await database.pool.query('SELECT 1 AS n')).rows, 'everything else works').toEqual([{ n: 1 }]);
  });
});

const client = { id: 'client-test', secret: 'a-secret-for-tests-that-is-long-enough' };

function serviceIn(dataDir: string): Promise<TestService> {
  return TestService.start({
    DATABASE_URL: '',
    ROLLCALL_DATA_DIR: dataDir,
    ROLLCALL_BOOTSTRAP_CLIENT_ID: client.id,
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: client.secret,
  });
}

test('a request that needs a damaged page gets 503, and the log names the file', async () => {
  const dataDir = await embeddedDirectory();
  const before = await serviceIn(dataDir);
  const { serial } = await before.givenUser();
  const { rows } = await before.database.pool.query(`SELECT pg_relation_filepath('users') AS path`);
  await before.stop();
  flipByte(join(dataDir, 'postgres', rows[0].path), 5_000);

  const service = await serviceIn(dataDir);
  onTestFinished(() => service.stop());
  const reply = await service.get(`/service/users/${serial}`);
  expect([reply.status, reply.json.errorCode]).toEqual([503, 10901]);
  expect(reply.json.detail).toContain('cannot read some of its files');
  expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
  expect(service.logs).toContain(
    `the database is damaged: invalid page in block 0 of relation \\"${rows[0].path}\\"`,
  );
  expect((await service.get('/healthz')).status).toBe(200);
});

/** A small disk of its own, which only root can mount. */
function smallDisk(megabytes: number): string | undefined {
  const directory = temporaryDirectory();
  const mounted = spawnSync('mount', [
    '-t',
    'tmpfs',
    '-o',
    `size=${megabytes}m,mode=0700`,
    'tmpfs',
    directory,
  ]);
  if (mounted.status !== 0) return undefined;
  onTestFinished(() => void spawnSync('umount', ['--lazy', directory]));
  return directory;
}

const canMount = process.getuid?.() === 0 && process.platform === 'linux';
if (!canMount)
  console.warn('The test of a full disk is skipped: only root can mount a small file system on Linux.');

test.skipIf(!canMount)(
  'a full disk: 503 until there is space, and no acknowledged write is lost',
  async ({ skip }) => {
    const disk = smallDisk(160);
    if (disk === undefined) return skip('a small file system cannot be mounted here');
    const dataDir = join(disk, 'data');
    await copyEmptyDatabase(dataDir);
    const service = await serviceIn(dataDir);
    await service.database.pool.query('SET synchronous_commit = on');
    const kept = await service.givenUser();

    const filler = join(disk, 'filler');
    fill(filler, disk);
    const acknowledged = [kept.employeeID];
    const statuses = new Set<number>();
    for (let call = 0; call < 12; call++) {
      const reply = await service.createBulk(Array.from({ length: 500 }, () => aUser({ name: newId('N') })));
      statuses.add(reply.status);
      if (reply.status === 200) {
        for (const { payload } of reply.json.data.successItems) acknowledged.push(payload.employeeID);
        for (const { error } of reply.json.data.failedItems)
          expect([10901, 10902]).toContain(error.errorCode);
        continue;
      }
      expect([10901, 10902]).toContain(reply.json.errorCode);
      expect(reply.headers.get('retry-after')).toMatch(/^\d+$/);
    }
    expect(statuses).toContain(503);

    rmSync(filler);
    await expect.poll(async () => (await service.post('/service/users', aUser())).status).toBe(201);
    await service.stop();
    const database = await openEmbedded(dataDir);
    await migrate(database);
    const { rows } = await database.pool.query('SELECT employee_id FROM users');
    await database.close();
    const stored = new Set(rows.map(({ employee_id }) => employee_id));
    expect(acknowledged.filter((employeeID) => !stored.has(employeeID))).toEqual([]);
  },
);

function fill(path: string, disk: string): void {
  const { bavail, bsize } = statfsSync(disk);
  const file = openSync(path, 'w');
  const block = Buffer.alloc(bsize);
  try {
    for (let written = 0; written < bavail; written++) writeSync(file, block);
  } catch {
    // full
  } finally {
    closeSync(file);
  }
}

test('a database that cannot be opened is rejected with a readable reason', async () => {
  const dataDir = await embeddedDirectory();
  const elsewhere = join(temporaryDirectory(), 'cluster');
  renameSync(join(dataDir, 'postgres'), elsewhere);
  symlinkSync(elsewhere, join(dataDir, 'postgres'));
  const refused = await openEmbedded(dataDir, 'leave').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartupError);
  expect((refused as Error).message).toContain('cannot be opened: ErrnoError 44.');
});
