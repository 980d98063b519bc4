import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { readConfig } from '../../../src/config.js';
import { writeBackup } from '../../../src/domain/backups/format/backup-stream.js';
import { dumpContent } from '../../../src/domain/backups/make-backup.js';
import { differences, moveData } from '../../../src/domain/backups/move-data.js';
import { appliedMigrations } from '../../../src/storage/applied-migrations.js';
import { dumpTable } from '../../../src/storage/backups/dump.js';
import { hasOurTables } from '../../../src/storage/backups/load.js';
import { openSnapshot } from '../../../src/storage/backups/snapshot.js';
import { backedUpTables, leftOutTables } from '../../../src/storage/backups/tables.js';
import type { Database } from '../../../src/storage/database.js';
import { migrate, migrationNames } from '../../../src/storage/migrate.js';
import { openDatabase } from '../../../src/storage/open-database.js';
import {
  backupOf,
  collected,
  digestsOf,
  emptyTarget,
  fillEmpty,
  fillInSteps,
  opened,
  restored,
  restoreInto,
} from '../../support/backups.js';
import { embeddedDirectory } from '../../support/embedded-directory.js';
import { untilIndexed } from '../../support/index-checks.js';
import { createSchema, insertUsers } from '../../support/old-database.js';
import { givenPlan } from '../../support/planned-calls.js';
import { anItem, aUser, createDatabase, TestService, useOwnService } from '../../support/service.js';

const service = useOwnService();
const isPostgres = inject('engine') === 'postgres';

/** Something in most tables, with values that are hard to write as text. */
async function givenData(): Promise<void> {
  const odd = aUser({ name: 'Some "quotes", \\N, \\. and 🎉', tagSerials: ['{', 'a,b', '"', '\\'] });
  await service.givenUser(odd);
  // No field accepts control characters, but a later one may.
  await service.request('PUT', '/service/organizations/ORG1', { body: { displayName: 'x' } });
  await service.database.pool.query('UPDATE organizations SET display_name = $1', ['a\tb\n\\.\nc\r\v']);
  const users = Array.from({ length: 200 }, () => aUser());
  await service.createBulk(users);
  await service.updateBulk(users.map((user) => anItem(user, { newEmployeeID: `${user.employeeID}x` })));
  await service.givenUser({ password: 'correct horse battery staple' });
}

test('every table is in a backup, or left out on purpose', async () => {
  const { rows } = await service.database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...backedUpTables, ...leftOutTables].sort());
});

test('a restored service has every row, goes on where it was, and finds its users', async () => {
  await givenData();
  await untilIndexed(service.database.pool);
  const before = await digestsOf(service.database);
  const index = await indexOf(service.database);
  const lastSeq = await maxOf(service.database, 'seq', 'changes');
  const settings = await restored(await backupOf(service.database));
  const second = await TestService.start({
    ...settings,
    ROLLCALL_SECRET_KEY: readFileSync(join(service.dataDir, 'secret.key'), 'utf8').trim(),
    ROLLCALL_BOOTSTRAP_CLIENT_ID: 'restored',
    ROLLCALL_BOOTSTRAP_CLIENT_SECRET: 'of-the-restored-service',
  });
  try {
    await untilIndexed(second.database.pool); // it counts users again
    const changedByStart = ['secret_keys', 'signing_keys', 'clients', 'client_secrets', 'access_events'];
    expect(
      differences(before, await digestsOf(second.database)).filter((name) => !changedByStart.includes(name)),
    ).toEqual([]);
    expect(await indexOf(second.database)).toEqual(index);
    await second.givenUser();
    expect(await maxOf(second.database, 'seq', 'changes')).toBe(lastSeq + 1);
    const found = await second.get(`/service/users?search=${encodeURIComponent('quotes')}`);
    expect(found.json.data.items).toHaveLength(1);
  } finally {
    await second.stop();
  }
});

/** What lists and searches read. */
async function indexOf({ pool }: Database) {
  const { rows } = await pool.query(
    `SELECT user_search.serial, words, user_listing.name, tag_serials FROM user_search FULL JOIN user_listing USING (serial)
     ORDER BY 1`,
  );
  return rows;
}

async function maxOf({ pool }: Database, column: string, table: string): Promise<number> {
  const { rows } = await pool.query<{ max: string }>(`SELECT max(${column}) AS max FROM ${table}`);
  return Number(rows[0]?.max);
}

test('rows with long values are read a few megabytes at a time, however many a page refers to', async () => {
  const tx = await service.database.pool.connect();
  onTestFinished(async () => {
    await tx.query('ROLLBACK');
    tx.release();
  });
  await tx.query('BEGIN');
  await tx.query(
    `INSERT INTO idempotency_keys (actor, key, fingerprint, answer)
     SELECT 'long', n::text, '', to_json((SELECT string_agg(gen_random_uuid()::text, '') FROM generate_series(1, 10000) WHERE n > 0))
     FROM generate_series(1, 30) AS n`,
  );
  const batches: number[] = [];
  const table = { name: 'idempotency_keys', columns: [{ name: 'answer', type: 'json' }] };
  for await (const lines of dumpTable(tx, table)) batches.push(Buffer.concat(lines).length);
  expect(Math.max(...batches)).toBeLessThan(4_000_000);
  expect(batches.reduce((sum, each) => sum + each, 0)).toBeGreaterThan(30 * 360_000);
});

test('what may have ended since the backup does not go on by itself', async () => {
  const user = await service.givenUser();
  const items = [anItem(user, { isActive: false })];
  const due = await givenPlan(service, items, 'effectiveAt=2098-01-01T00:00:00Z');
  const later = await givenPlan(service, items, 'effectiveAt=2099-01-01T00:00:00Z');
  // A database without a service, which would run the call.
  const source = await opened(await restored(await backupOf(service.database)));
  await source.pool.query("UPDATE planned_calls SET due_at = now() - interval '1 hour' WHERE call_id = $1", [
    due,
  ]);
  await source.pool.query(
    `INSERT INTO sessions (token_hash, user_serial, expires_at) VALUES ('hash', $1, now() + interval '1 hour')`,
    [user.serial],
  );
  const { pool } = await opened(await restored(await backupOf(source)));
  const { rows } = await pool.query(
    'SELECT call_id AS id, needs_takeover AS held, state FROM planned_calls JOIN calls ON id = call_id ORDER BY due_at',
  );
  expect(rows).toEqual([
    { id: due, held: true, state: 'planned' },
    { id: later, held: false, state: 'planned' },
  ]);
  expect((await pool.query('SELECT FROM sessions')).rowCount).toBe(0);
});

test.runIf(isPostgres)('a forged backup is refused without quoting its values', async () => {
  const facts = {
    ...{ rollcallVersion: '0.3.0', createdAt: '2026-01-01T00:00:00.000Z', engine: 'postgres' as const },
    ...{ secretKeyIds: [], migrations: await appliedMigrations(service.database.pool) },
  };
  const forged = async (content: string) => {
    const bytes = await collected(writeBackup(facts, one(Buffer.from(content))));
    return restoreInto(await emptyTarget(), bytes).then(
      () => 'restored',
      ({ message }: Error) => message,
    );
  };
  const row = (columns: string, line: string) =>
    forged(`{"table":"users","columns":[${columns}]}\n${line}\n\\.\n{"rows":{"users":1},"sequences":{}}\n`);
  expect(await row('"serial"', 'Ada')).toMatch(/damaged .*: a row does not fit the table users\./);
  expect(await row('"serial","name"', 'Ada')).toMatch(/a row does not fit the table users\./);
  expect(await row('"serial\\"); DROP TABLE users; --"', 'Ada')).toMatch(/users has no column/);
  expect(await forged('{"rows":{},"sequences":{"theirs":{"lastValue":"1","isCalled":true}}}\n')).toMatch(
    /there is no sequence "theirs"/,
  );
});

async function* one(bytes: Buffer) {
  yield bytes;
}

describe('nothing is left behind by', () => {
  async function expectEmpty(settings: Record<string, string>): Promise<void> {
    if (settings.DATABASE_URL === undefined)
      return expect(
        readdirSync(settings.ROLLCALL_DATA_DIR ?? '').filter((name) => name !== 'lock.sock'),
      ).toEqual([]);
    const { pool } = await opened(settings);
    expect(await hasOurTables(pool, [...backedUpTables, ...leftOutTables])).toBe(false);
  }

  test('a damaged backup', async () => {
    const bytes = await backupOf(service.database);
    const at = bytes.length - 40; // after all rows
    bytes[at] = (bytes[at] as number) ^ 1;
    const settings = await emptyTarget();
    await expect(restoreInto(settings, bytes)).rejects.toThrow('damaged');
    await expectEmpty(settings);
  });

  test.runIf(isPostgres)('a backup of a newer version', async () => {
    const settings = await emptyTarget();
    await expect(restoreInto(settings, await backupAt(service.database, ['9999_future']))).rejects.toThrow(
      'made by a newer Rollcall',
    );
    await expectEmpty(settings);
  });
});

test('a database with data is never overwritten', async () => {
  const bytes = await backupOf(service.database);
  const settings = isPostgres
    ? { DATABASE_URL: await createDatabase(inject('postgresTemplate')) }
    : { ROLLCALL_DATA_DIR: await embeddedDirectory() };
  await expect(restoreInto(settings, bytes)).rejects.toThrow('never overwritten');
});

/** A backup as an earlier or later version would make it. */
async function backupAt(database: Database, names: readonly string[]): Promise<Buffer> {
  const snapshot = await openSnapshot(database);
  const appliedAt = '2026-01-01T00:00:00.000Z';
  const migrations = names.map((name) => ({ name, appliedAt }));
  const facts = {
    ...{ rollcallVersion: '0.2.0', createdAt: appliedAt, engine: database.kind, secretKeyIds: [] },
    migrations,
  };
  return collected(writeBackup(facts, dumpContent(snapshot)));
}

// 7 is the schema of 0.2.0. With 8, the change log got a second table and the index its state.
// A new embedded database takes seconds, and migrations are the same on both.
test.runIf(isPostgres).each([7, 14])('a backup of schema version %i is migrated', async (version) => {
  const settings = await emptyTarget();
  await fillEmpty(settings, async ({ pool }) => {
    await createSchema(pool, version);
    await insertUsers(pool, 50);
    await pool.query(
      `INSERT INTO changes (user_serial, version, employee_id, kind, fields)
       SELECT serial, 1, employee_id, 'created', '{}' FROM users`,
    );
  });
  const names = migrationNames.filter((name) => Number.parseInt(name, 10) <= version);
  const bytes = await backupAt(await opened(settings), names);
  const database = await opened(await restored(bytes));
  expect((await appliedMigrations(database.pool)).map(({ name }) => name)).toEqual(migrationNames);
  expect((await appliedMigrations(database.pool))[0]?.appliedAt).toBe('2026-01-01T00:00:00.000Z');
  const { rows } = await database.pool.query(
    `SELECT (SELECT count(*)::integer FROM users) AS users, (SELECT count(*)::integer FROM changes) AS changes,
            nextval('change_numbers')::integer AS next, built_to IS NOT NULL AS "isBuilding" FROM index_state`,
  );
  expect(rows).toEqual([{ users: 50, changes: 50, next: 51, isBuilding: true }]);
});

describe.runIf(isPostgres).each(['postgres', 'embedded'] as const)('an interrupted move to %s', (engine) => {
  /** Moves until this many rows were copied. */
  async function interrupted(source: Database, settings: Record<string, string>, rows: number) {
    let copied = 0;
    const moving = fillInSteps(settings, async (target) => {
      await moveData(source, target, {
        onRows: (more) => {
          copied += more;
          if (copied >= rows) throw new Error('interrupted');
        },
      });
    });
    await expect(moving).rejects.toThrow('interrupted');
    return copied;
  }

  async function resumed(source: Database, settings: Record<string, string>) {
    const seen = { before: 0, total: 0, after: 0 };
    await fillInSteps(settings, async (target) => {
      await moveData(source, target, {
        onStart: ({ total, copied }) => Object.assign(seen, { total, before: copied }),
        onRows: (more) => {
          seen.after += more;
        },
      });
    });
    return seen;
  }

  test('continues where it stopped, and no service starts on half of the rows', async () => {
    const source = await opened(await restored(await backupOf(service.database)));
    const settings = await emptyTarget(engine);
    const copied = await interrupted(source, settings, 100);
    await expect(serve(settings)).rejects.toThrow('a move that has not finished');
    const { before, total, after } = await resumed(source, settings);
    expect([before, after]).toEqual([copied, total - copied]);
    const target = await opened(settings);
    expect(await digestsOf(target)).toEqual(await digestsOf(source));
    expect(await nextChangeNumber(target)).toBe(await nextChangeNumber(source));
  });

  test('starts over if the source has changed since', async () => {
    const source = await opened(await restored(await backupOf(service.database)));
    const settings = await emptyTarget(engine);
    await interrupted(source, settings, 300); // after the users
    const { rows } = await source.pool.query(
      `UPDATE users SET serial = gen_random_uuid() WHERE serial IN (
         SELECT serial FROM users EXCEPT SELECT user_serial FROM credentials LIMIT 1) RETURNING serial`,
    );
    await source.pool.query("INSERT INTO roles (user_serial, role) VALUES ($1, 'viewer')", [rows[0].serial]);
    await source.pool.query("DELETE FROM access_events WHERE ctid = '(0,1)'");
    await resumed(source, settings);
    expect(await digestsOf(await opened(settings))).toEqual(await digestsOf(source));
  });

  test('is refused while the source changes, and completed once it no longer does', async () => {
    const source = await opened(await restored(await backupOf(service.database)));
    const settings = await emptyTarget(engine);
    const change = () =>
      void source.pool.query("UPDATE users SET name = name || '!' WHERE employee_id = 'admin'");
    const moving = fillInSteps(settings, async (target) => {
      await moveData(source, target, { onRows: change });
    });
    await expect(moving).rejects.toThrow('The source changed while it was copied');
    await resumed(source, settings);
    expect(await digestsOf(await opened(settings))).toEqual(await digestsOf(source));
  });
});

test.runIf(isPostgres)('a move ends if another one into the same target begins', async () => {
  const [first, second] = [
    await opened(await restored(await backupOf(service.database))),
    await opened(await restored(await backupOf(service.database))),
  ];
  const target = await opened(await emptyTarget('postgres'));
  let other: Promise<unknown> | undefined;
  const moving = moveData(first, target, {
    onRows: () => {
      other ??= moveData(second, target);
    },
  });
  await expect(moving).rejects.toThrow('Another move into the same target has begun');
  await other;
  expect(await digestsOf(target)).toEqual(await digestsOf(second));
  expect((await appliedMigrations(target.pool)).map(({ name }) => name)).toEqual(migrationNames);
});

test.runIf(isPostgres)('an adoption that was interrupted is repeated', async () => {
  const source = await opened(await restored(await backupOf(service.database)));
  const { ROLLCALL_DATA_DIR = '' } = await emptyTarget('embedded');
  const move = () =>
    fillInSteps({ ROLLCALL_DATA_DIR }, async (target) => {
      await moveData(source, target);
    });
  await move();
  // As it is after the first of two renames, next to what a database that was there before has left.
  mkdirSync(join(ROLLCALL_DATA_DIR, 'moving'));
  renameSync(
    join(ROLLCALL_DATA_DIR, 'postgres.initialised'),
    join(ROLLCALL_DATA_DIR, 'moving', 'postgres.initialised'),
  );
  writeFileSync(join(ROLLCALL_DATA_DIR, 'postgres.files'), '{"PG_VERSION":1,"missing":1}');
  await move();
  expect(readdirSync(ROLLCALL_DATA_DIR).sort()).toEqual(['postgres', 'postgres.initialised']);
  expect(await digestsOf(await opened({ ROLLCALL_DATA_DIR }))).toEqual(await digestsOf(source));
});

async function nextChangeNumber({ pool }: Database): Promise<number> {
  return (await pool.query("SELECT nextval('change_numbers')::integer AS next")).rows[0].next;
}

/** What starting a service does first. */
async function serve(settings: Record<string, string>): Promise<void> {
  const database = await openDatabase(readConfig(settings));
  await migrate(database).finally(() => database.close());
}
