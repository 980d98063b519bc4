import { existsSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, test } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { openBackup, writeBackup } from '../../../src/domain/backups/format/backup-stream.js';
import {
  type TableStart,
  writeContentEnd,
  writeTableStart,
  writtenTableEnd,
} from '../../../src/domain/backups/format/content.js';
import { differences, moveData } from '../../../src/domain/backups/move-data.js';
import type { TableDigest } from '../../../src/storage/backups/dump.js';
import { openDatabase } from '../../../src/storage/open-database.js';
import {
  backupOf,
  collected,
  digestsOf,
  emptyTarget,
  fillInSteps,
  opened,
  restoreInto,
} from '../../support/backups.js';
import { asFirstClient, type Ended, rollcall } from '../../support/command.js';
import { useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const isPostgres = inject('engine') === 'postgres';
const service = useOwnService();
const ROLLCALL_BACKUP_PASSPHRASE = 'correct horse battery staple';

/** What a command on the service's machine knows. */
function local(): Record<string, string> {
  const url = isPostgres ? new URL(inject('postgresUrl')) : undefined;
  if (url) url.pathname = new URL(service.database.description).pathname;
  return { ROLLCALL_DATA_DIR: service.dataDir, ...(url ? { DATABASE_URL: url.href } : {}) };
}

async function numberOfUsers(): Promise<number> {
  const { rows } = await service.database.pool.query('SELECT count(*)::integer AS users FROM users');
  return rows[0].users;
}

function succeeded({ code, stdout, stderr }: Ended): string {
  expect(code, stderr).toBe(0);
  return stdout;
}

test('a backup of a running service is verified, listed and restored, with its key', async () => {
  await service.givenUser();
  const cwd = temporaryDirectory();
  const secret = { ROLLCALL_BACKUP_PASSPHRASE };
  const made = await rollcall(
    ['backup', 'a.backup', '--encrypt', '--include-key', '--json'],
    { ...local(), ...asFirstClient(service), ...secret },
    { cwd },
  );
  const { bytes, isDownloaded, encrypted } = JSON.parse(succeeded(made));
  expect({ isDownloaded, encrypted }).toEqual({ isDownloaded: !isPostgres, encrypted: true });
  expect(readdirSync(cwd)).toContain('a.backup');
  expect(statSync(join(cwd, 'a.backup')).size).toBe(bytes);
  if (process.platform !== 'win32') expect(statSync(join(cwd, 'a.backup')).mode & 0o777).toBe(0o600);

  // Only there: verifying always uses an embedded database, which takes seconds to create.
  if (isPostgres) {
    const verified = await rollcall(['backup', 'verify', 'a.backup', '--json'], secret, { cwd });
    const facts = { encrypted: true, includesKeys: true, engine: service.database.kind };
    expect(JSON.parse(succeeded(verified))).toMatchObject(facts);
  }
  expect(succeeded(await rollcall(['backup', 'list', '.'], {}, { cwd }))).toMatch(
    /a\.backup .*\d{4}_\w+ +yes/,
  );

  const target = await emptyTarget();
  const restored = await rollcall(['restore', 'a.backup', '--json'], { ...target, ...secret }, { cwd });
  const key = join(target.ROLLCALL_DATA_DIR ?? '', 'secret.key');
  expect(JSON.parse(succeeded(restored))).toMatchObject({
    ...{ users: await numberOfUsers(), writtenTo: key, missingKeyIds: [] },
  });
  expect(readFileSync(key, 'utf8')).toBe(readFileSync(join(service.dataDir, 'secret.key'), 'utf8'));

  const again = await rollcall(['restore', 'a.backup'], { ...target, ...secret }, { cwd });
  expect(again.code).toBe(4);
  expect(again.stderr).toMatch(/never overwritten/);
});

/** A backup of the service with other content, but intact. */
async function forged(change: (start: TableStart, rows: string[]) => [TableStart, string[]] | undefined) {
  async function* bytes() {
    yield await backupOf(service.database);
  }
  const { header, parts } = await openBackup(bytes(), undefined);
  const tables: { start: TableStart; rows: string[] }[] = [];
  let sequences = {};
  for await (const part of parts) {
    if (part.kind === 'table') tables.push({ start: part.start, rows: [] });
    else if (part.kind === 'end') sequences = part.end.sequences;
    else tables.at(-1)?.rows.push(...part.bytes.toString().trimEnd().split('\n'));
  }
  async function* content() {
    const counts: Record<string, number> = {};
    for (const { start, rows } of tables) {
      const [changed, lines] = change(start, rows) ?? [];
      if (!changed || !lines) continue;
      counts[changed.table] = lines.length;
      yield writeTableStart(changed);
      yield Buffer.from(lines.map((line) => `${line}\n`).join(''));
      yield writtenTableEnd;
    }
    yield writeContentEnd({ rows: counts, sequences });
  }
  return collected(writeBackup(header, content()));
}

// Only there, for the same reason.
describe.runIf(isPostgres).each<[string, Parameters<typeof forged>[0], string]>([
  [
    'lacks a table',
    (start, rows) => (start.table === 'roles' ? undefined : [start, rows]),
    'it lacks the table roles',
  ],
  [
    'lacks a column',
    (start, rows) =>
      start.table === 'webhooks'
        ? [{ ...start, columns: start.columns.filter((name) => name !== 'url') }, []]
        : [start, rows],
    'its table webhooks lacks the column url',
  ],
  [
    'has a value of another type',
    (start, rows) =>
      start.table === 'users' ? [start, rows.map((row) => row.replace(/^[^\t]+/, 'Ada'))] : [start, rows],
    'a row does not fit the table users',
  ],
])('a backup that %s', (_, change, problem) => {
  test('is not restored', async () => {
    await service.givenUser();
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'c.backup'), await forged(change));
    const { code, stderr } = await rollcall(['restore', 'c.backup'], await emptyTarget(), { cwd });
    expect([code, stderr]).toEqual([4, expect.stringContaining(problem)]);
  });

  test('is not verified either', { tags: 'release' }, async () => {
    await service.givenUser();
    const cwd = temporaryDirectory();
    writeFileSync(join(cwd, 'c.backup'), await forged(change));
    const { code, stderr } = await rollcall(['backup', 'verify', 'c.backup'], {}, { cwd });
    expect([code, stderr]).toEqual([4, expect.stringContaining(problem)]);
  });
});

test('a damaged backup is refused before anything is written', async () => {
  const cwd = temporaryDirectory();
  succeeded(await rollcall(['backup', 'b.backup', '--remote'], asFirstClient(service), { cwd }));
  truncateSync(join(cwd, 'b.backup'), statSync(join(cwd, 'b.backup')).size - 1);
  const damaged = await rollcall(['backup', 'verify', 'b.backup'], {}, { cwd });
  expect([damaged.code, damaged.stderr]).toEqual([4, expect.stringContaining('its end is missing')]);
  const other = await emptyTarget();
  expect((await rollcall(['restore', 'b.backup'], other, { cwd })).code).toBe(4);
  if (!isPostgres) expect(readdirSync(other.ROLLCALL_DATA_DIR ?? '')).toEqual([]);
});

// Only there, because restoring takes seconds with the embedded database, and the key has nothing to do with it.
test.runIf(isPostgres)('without its key, a restore says which one is needed', async () => {
  const cwd = temporaryDirectory();
  await service.givenUser({ password: 'correct horse battery staple' }); // kept encrypted until it is sent
  succeeded(await rollcall(['backup', 'b.backup', '--remote'], asFirstClient(service), { cwd }));
  const { stderr } = await rollcall(['restore', 'b.backup'], await emptyTarget(), { cwd });
  expect(stderr).toMatch(/bring back the secret key [0-9a-f]{16}: copy secret\.key/);
});

test('a backup that fails leaves the file of before, and says what to do', async () => {
  const cwd = temporaryDirectory();
  const without = await rollcall(['backup', 'c.backup', '--encrypt'], local(), { cwd });
  expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('ROLLCALL_BACKUP_PASSPHRASE')]);
  writeFileSync(join(cwd, 'c.backup'), 'of yesterday');
  const credentials = { ...asFirstClient(service), ROLLCALL_CLIENT_SECRET: 'wrong' };
  const refused = await rollcall(['backup', 'c.backup', '--remote'], credentials, { cwd });
  expect(refused.code).toBe(4);
  expect(readFileSync(join(cwd, 'c.backup'), 'utf8')).toBe('of yesterday');
  const nowhere = await rollcall(
    ['backup', 'missing/c.backup'],
    { ...local(), ...asFirstClient(service) },
    { cwd },
  );
  expect([nowhere.code, nowhere.stderr]).toEqual([
    2,
    expect.stringContaining('Cannot use missing/c.backup (ENOENT)'),
  ]);
});

test('neither a mistyped URL nor a directory is taken for something else', async () => {
  const cwd = temporaryDirectory();
  const mistyped = await rollcall(['move', '--to', 'postgre://rollcall:secret@db/rollcall'], local(), {
    cwd,
  });
  expect([mistyped.code, mistyped.stderr]).toEqual([2, expect.not.stringContaining('secret')]);
  expect(readdirSync(cwd)).toEqual([]);
  const directory = await rollcall(['backup', 'verify', '.'], {}, { cwd });
  expect([directory.code, directory.stderr]).toEqual([2, 'Cannot use . (EISDIR).\n']);
});

test('rollcall move refuses a source in use', async () => {
  const to = (await emptyTarget('embedded')).ROLLCALL_DATA_DIR ?? '';
  const inUse = await rollcall(['move', '--to', to], local());
  expect([inUse.code, inUse.stderr]).toEqual([4, expect.stringMatching(/Stop it first/)]);
  expect(existsSync(join(to, 'postgres'))).toBe(false);
});

test.runIf(isPostgres)('rollcall move copies everything to another database, once', async () => {
  const cwd = temporaryDirectory();
  const source = { ...(await emptyTarget()), ROLLCALL_DATA_DIR: service.dataDir };
  await restoreInto(source, await backupOf(service.database));
  const elsewhere = temporaryDirectory();
  writeFileSync(join(elsewhere, 'secret.key'), `${Buffer.alloc(32, 7).toString('base64')}\n`);
  const otherKey = await rollcall(['move', '--to', elsewhere], source, { cwd });
  expect([otherKey.code, otherKey.stderr]).toEqual([4, expect.stringContaining('another installation')]);
  const { DATABASE_URL = '' } = await emptyTarget();
  succeeded(await rollcall(['move', '--to', DATABASE_URL], source, { cwd }));
  const twice = await rollcall(['move', '--to', DATABASE_URL], source, { cwd });
  expect([twice.code, twice.stderr]).toEqual([4, expect.stringContaining('never overwritten')]);
  const all = [await digestsOf(await opened(source)), await digestsOf(await opened({ DATABASE_URL }))];
  expect(differences(...(all as [TableDigest[], TableDigest[]]))).toEqual([]);
});

// Creating embedded databases takes seconds.
test.runIf(isPostgres)(
  'rollcall move copies everything to the embedded database, and back',
  {
    tags: 'release',
  },
  async () => {
    const cwd = temporaryDirectory();
    const source = { ...(await emptyTarget()), ROLLCALL_DATA_DIR: service.dataDir };
    await restoreInto(source, await backupOf(service.database));
    const to = (await emptyTarget('embedded')).ROLLCALL_DATA_DIR ?? '';
    await expect(interruptedMove(source, to)).rejects.toThrow('interrupted');
    const early = await rollcall(['serve'], { ROLLCALL_DATA_DIR: to }, { cwd });
    expect([early.code, early.stderr]).toEqual([4, expect.stringContaining('has not finished')]);
    const moved = await rollcall(['move', '--to', to, '--json'], source, { cwd });
    expect(moved.stderr).toMatch(/^Continuing an interrupted move: \d+ rows? copied before\.$/m);
    expect(JSON.parse(succeeded(moved)).users).toBeGreaterThan(0);
    expect(readdirSync(to).sort()).toEqual(['postgres', 'postgres.initialised', 'secret.key']);
    const twice = await rollcall(['move', '--to', to], source, { cwd });
    expect([twice.code, twice.stderr]).toEqual([4, expect.stringContaining('never overwritten')]);

    const { DATABASE_URL = '' } = await emptyTarget();
    succeeded(await rollcall(['move', '--to', DATABASE_URL], { ROLLCALL_DATA_DIR: to }, { cwd }));
    const all = [await digestsOf(await opened(source)), await digestsOf(await opened({ DATABASE_URL }))];
    expect(differences(...(all as [TableDigest[], TableDigest[]]))).toEqual([]);
  },
);

async function interruptedMove(from: Record<string, string>, to: string): Promise<void> {
  const source = await openDatabase(readConfig(from));
  const onRows = () => {
    throw new Error('interrupted');
  };
  await fillInSteps({ ROLLCALL_DATA_DIR: to }, async (target) => {
    await moveData(source, target, { onRows });
  }).finally(() => source.close());
}
