import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  renameSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { StartupError } from '../../src/storage/errors.js';
import { migrate } from '../../src/storage/migrate.js';
import { embeddedDirectory } from '../support/embedded-directory.js';
import { aUser, credentialsIn, issueToken } from '../support/service.js';
import { spawned } from '../support/service-process.js';
import { temporaryDirectory } from '../support/temporary-directory.js';

/** The paths in the directory, including itself, on which anyone but the owner has permissions. */
function openToOthers(path: string): string[] {
  const stats = lstatSync(path);
  const inside = stats.isDirectory() ? readdirSync(path).map((name) => join(path, name)) : [];
  return [...((stats.mode & 0o077) === 0 ? [] : [path]), ...inside.flatMap(openToOthers)];
}

const repairLines = (output: string) => output.match(/Removed the permissions of other users/g) ?? [];

test('an existing data directory becomes private to its owner at the first start', async () => {
  const dataDir = join(temporaryDirectory(), 'data');
  mkdirSync(dataDir);
  chmodSync(dataDir, 0o755);
  const first = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
  expect(repairLines(first.output)).toHaveLength(1);
  const token = await issueToken(first.url, credentialsIn(dataDir));
  const created = await fetch(`${first.url}/service/users`, {
    method: 'POST',
    headers: { authorization: token, 'content-type': 'application/json' },
    body: JSON.stringify(aUser({ password: 'a given password' })),
  });
  expect(created.status).toBe(201);
  await expect.poll(() => readdirSync(dataDir)).toContain('outbox');
  await expect
    .poll(() => readdirSync(join(dataDir, 'outbox')).filter((name) => name.endsWith('.eml')))
    .toHaveLength(1);
  expect(readdirSync(dataDir)).toEqual(
    expect.arrayContaining(['lock.sock', 'secret.key', 'first-credentials.json']),
  );
  expect(openToOthers(dataDir), 'while it runs').toEqual([]);
  await first.kill('SIGTERM');
  expect(openToOthers(dataDir), 'after it').toEqual([]);

  // Permissions left by an earlier version are removed, with one log line.
  const loosen = (path: string) => {
    const isDirectory = lstatSync(path).isDirectory();
    chmodSync(path, isDirectory ? 0o755 : 0o666);
    if (isDirectory) for (const name of readdirSync(path)) loosen(join(path, name));
  };
  loosen(dataDir);
  const second = await (await spawned({ ROLLCALL_DATA_DIR: dataDir })).ready();
  expect(repairLines(second.output)).toHaveLength(1);
  expect(openToOthers(dataDir)).toEqual([]);
});

test('files that the embedded database creates later are private to its owner, whatever the umask', async () => {
  const dataDir = temporaryDirectory();
  const before = process.umask(0);
  try {
    const database = await openEmbedded(dataDir);
    process.umask(0);
    await migrate(database);
    await database.pool.query(
      `CREATE TABLE later AS SELECT repeat('x', 1000) AS text FROM generate_series(1, 20000)`,
    );
    await database.pool.query('VACUUM FULL later');
    await database.pool.query('SELECT pg_switch_wal()');
    await database.pool.query('CHECKPOINT');
    expect(openToOthers(join(dataDir, 'postgres'))).toEqual([]);
    await database.close();
    expect(openToOthers(join(dataDir, 'postgres'))).toEqual([]);
  } finally {
    process.umask(before);
  }
});

test.each([
  ['the embedded database', {}],
  ['PostgreSQL', { DATABASE_URL: 'postgres://127.0.0.1:9/none' }],
])('a service with %s does not write emails through a planted symbolic link', async (_, database) => {
  const dataDir = temporaryDirectory();
  chmodSync(dataDir, 0o775);
  writeFileSync(join(dataDir, 'secret.key'), '', { mode: 0o644 });
  symlinkSync(temporaryDirectory(), join(dataDir, 'outbox'));
  const service = await spawned({ ROLLCALL_DATA_DIR: dataDir, ...database });
  expect(await service.exited).toBe(4);
  expect(service.output).toContain(`${join(dataDir, 'outbox')} is a symbolic link`);
  expect(lstatSync(dataDir).mode & 0o777, 'nothing is changed before a refusal').toBe(0o775);
});

test('a database that cannot be opened is rejected with a readable reason', async () => {
  const dataDir = await embeddedDirectory();
  const elsewhere = join(temporaryDirectory(), 'cluster');
  renameSync(join(dataDir, 'postgres'), elsewhere);
  symlinkSync(elsewhere, join(dataDir, 'postgres'));
  const refused = await openEmbedded(dataDir, 'leave').catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(StartupError);
  expect((refused as Error).message).toContain('cannot be opened: ErrnoError 44.');
});
