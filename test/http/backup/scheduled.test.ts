import { createReadStream, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { type BackupSchedule, makeDueBackup } from '../../../src/domain/backups/backup-worker.js';
import { inspectBackup } from '../../../src/domain/backups/restore-backup.js';
import { givenHolder } from '../../support/protected-users.js';
import { useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useOwnService();
const { signal } = new AbortController();

beforeEach(() => service.database.pool.query('DELETE FROM backups'));

function scheduleIn(directory: string, others: Partial<BackupSchedule> = {}): BackupSchedule {
  return { directory, everyHours: 24, keep: 2, passphrase: undefined, ...others };
}

async function records() {
  const { rows } = await service.database.pool.query(
    `SELECT file_name AS "fileName", bytes::integer, users::integer, encrypted, error,
            finished_at IS NOT NULL AS "isFinished" FROM backups ORDER BY started_at`,
  );
  return rows;
}

test('of all nodes, one makes the backup, and none makes another before it is due', async () => {
  const directory = join(temporaryDirectory(), 'backups');
  const schedule = scheduleIn(directory);
  const made = await Promise.all([1, 2, 3].map(() => makeDueBackup(service.context, schedule, signal)));
  const [backup, ...others] = made.filter((each) => each !== undefined);
  expect(others).toEqual([]);
  expect(await makeDueBackup(service.context, schedule, signal)).toBeUndefined();
  expect(readdirSync(directory)).toEqual([backup?.fileName]);
  const file = join(directory, backup?.fileName ?? '');
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600);
  const { rows } = await inspectBackup(createReadStream(file), undefined);
  expect(await records()).toEqual([
    {
      ...{ fileName: backup?.fileName, bytes: statSync(file).size, users: rows.users },
      ...{ encrypted: false, error: null, isFinished: true },
    },
  ]);
});

test('a new one replaces the oldest, and what another left unfinished', async () => {
  const directory = temporaryDirectory();
  const old = ['rollcall-20200101T000000Z.backup', 'rollcall-20200102T000000Z.backup'];
  const partial = 'rollcall-20200103T000000Z.backup.partial';
  for (const name of [...old, partial, 'mine.backup']) writeFileSync(join(directory, name), '');
  const passphrase = 'correct horse battery staple';
  const made = await makeDueBackup(service.context, scheduleIn(directory, { passphrase }), signal);
  expect(readdirSync(directory).sort()).toEqual(['mine.backup', old[1], made?.fileName].sort());
  const bytes = createReadStream(join(directory, made?.fileName ?? ''));
  expect((await inspectBackup(bytes, passphrase)).rows.users).toBeGreaterThan(0);
  expect((await records())[0].encrypted).toBe(true);
});

test('a file that cannot be deleted does not make the backup a failure', async () => {
  const directory = temporaryDirectory();
  const stuck = 'rollcall-20200101T000000Z.backup';
  mkdirSync(join(directory, stuck));
  const made = await makeDueBackup(service.context, scheduleIn(directory, { keep: 1 }), signal);
  expect(made?.undeleted).toEqual([stuck]);
  expect(await records()).toMatchObject([{ error: null, isFinished: true }]);
});

test('a failure is recorded, leaves nothing behind, and is not repeated at once', async () => {
  const directory = temporaryDirectory();
  const blocked = join(directory, 'file');
  writeFileSync(blocked, '');
  const schedule = scheduleIn(join(blocked, 'backups'));
  await expect(makeDueBackup(service.context, schedule, signal)).rejects.toThrow('ENOTDIR');
  expect(await records()).toMatchObject([
    { error: 'The file could not be written (ENOTDIR).', isFinished: true, bytes: null },
  ]);
  mkdirSync(join(directory, 'backups'));
  const good = scheduleIn(join(directory, 'backups'));
  expect(await makeDueBackup(service.context, good, signal)).toBeUndefined();
  await service.database.pool.query("UPDATE backups SET started_at = started_at - interval '16 minutes'");
  expect(await makeDueBackup(service.context, good, signal)).toBeDefined();
});

test('administrators are told of the first failure since a backup was made', async () => {
  const { serial } = await givenHolder(service);
  const directory = temporaryDirectory();
  const blocked = join(directory, 'file');
  writeFileSync(blocked, '');
  const failing = scheduleIn(join(blocked, 'backups'));
  const attempt = async (schedule: BackupSchedule, ending = signal) => {
    await makeDueBackup(service.context, schedule, ending).catch(() => {});
    await service.database.pool.query("UPDATE backups SET started_at = started_at - interval '2 days'");
    const { rowCount } = await service.database.pool.query(
      "SELECT FROM notices WHERE topic = 'backupFailed' AND user_serial = $1",
      [serial],
    );
    return rowCount;
  };
  expect(await attempt(scheduleIn(directory), AbortSignal.abort()), 'only stopped').toBe(0);
  expect(await attempt(failing)).toBe(1);
  expect(await attempt(failing)).toBe(1);
  expect(await attempt(scheduleIn(directory))).toBe(1);
  expect(await attempt(failing)).toBe(2);
});

test('a service that stops abandons its backup', async () => {
  const directory = temporaryDirectory();
  await expect(makeDueBackup(service.context, scheduleIn(directory), AbortSignal.abort())).rejects.toThrow();
  expect(readdirSync(directory)).toEqual([]);
  expect(service.database.pool.idleCount, 'the connection is returned').toBeGreaterThan(0);
});

test('a backup whose node died is made again', async () => {
  const directory = temporaryDirectory();
  await service.database.pool.query(
    `INSERT INTO backups (id, is_scheduled, encrypted, claimed_until) VALUES (gen_random_uuid(), true, false, now() + interval '1 minute')`,
  );
  expect(await makeDueBackup(service.context, scheduleIn(directory), signal)).toBeUndefined();
  await service.database.pool.query(
    "UPDATE backups SET started_at = now() - interval '16 minutes', claimed_until = now() - interval '1 second'",
  );
  expect(await makeDueBackup(service.context, scheduleIn(directory), signal)).toBeDefined();
  expect((await records()).map(({ error }) => error)).toEqual(['The node that made it stopped.', null]);
});
