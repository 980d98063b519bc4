import { mkdirSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { moveData } from '../../src/domain/backups/move-data.js';
import type { Database } from '../../src/storage/database.js';
import { appliedMigrations, migrate, migrationNames } from '../../src/storage/migrate.js';
import { openDatabase } from '../../src/storage/open-database.js';
import { digestsOf, emptyTarget, fillInSteps, opened } from '../support/backups.js';
import { anItem, aUser, createDatabase, TestService } from '../support/service.js';

type Settings = Record<string, string>;

/** The database of a service that has stopped. */
let template = '';

beforeAll(async () => {
  const DATABASE_URL = await createDatabase();
  const service = await TestService.start({ DATABASE_URL });
  const users = Array.from({ length: 200 }, () => aUser());
  await service.createBulk(users);
  await service.updateBulk(users.map((user) => anItem(user, { newEmployeeID: `${user.employeeID}x` })));
  await service.givenUser({ password: 'correct horse battery staple' });
  await service.stop();
  template = new URL(DATABASE_URL).pathname.slice(1);
});

async function aSource(): Promise<Database> {
  return opened({ DATABASE_URL: await createDatabase(template) });
}

/** Moves until this many rows were copied. */
async function interrupted(source: Database, settings: Settings, rows: number) {
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

async function resumed(source: Database, settings: Settings) {
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

for (const [engine, options] of [
  ['postgres', {}],
  ['embedded', { tags: 'release' }],
] as const) {
  const name = `an interrupted move to ${engine} continues where it stopped, and no service starts on half of the rows`;
  test(name, options, async () => {
    const source = await aSource();
    const settings = await emptyTarget(engine);
    const copied = await interrupted(source, settings, 100);
    await expect(serve(settings)).rejects.toThrow('a move that has not finished');
    const { before, total, after } = await resumed(source, settings);
    expect([before, after]).toEqual([copied, total - copied]);
    if (engine === 'embedded') await interruptAdoption(source, settings);
    const target = await opened(settings);
    expect(await digestsOf(target)).toEqual(await digestsOf(source));
    expect(await nextChangeNumber(target)).toBe(await nextChangeNumber(source));
  });
}

/** The adoption of the files, interrupted after the first of two renames, is repeated by the next move. */
async function interruptAdoption(source: Database, settings: Settings): Promise<void> {
  const directory = settings.ROLLCALL_DATA_DIR ?? '';
  mkdirSync(join(directory, 'moving'));
  renameSync(join(directory, 'postgres.initialised'), join(directory, 'moving', 'postgres.initialised'));
  // What a database that was there before has left.
  writeFileSync(join(directory, 'postgres.files'), '{"PG_VERSION":1,"missing":1}');
  await resumed(source, settings);
  expect(readdirSync(directory).sort()).toEqual(['postgres', 'postgres.initialised']);
}

test('an interrupted move starts over if the source has changed since', { tags: 'release' }, async () => {
  const source = await aSource();
  const settings = await emptyTarget('postgres');
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

test('a move is refused while the source changes, and completed once it no longer does', async () => {
  const source = await aSource();
  const settings = await emptyTarget('postgres');
  const change = () =>
    void source.pool.query("UPDATE users SET name = name || '!' WHERE employee_id = 'admin'");
  const moving = fillInSteps(settings, async (target) => {
    await moveData(source, target, { onRows: change });
  });
  await expect(moving).rejects.toThrow('The source changed while it was copied');
  await resumed(source, settings);
  expect(await digestsOf(await opened(settings))).toEqual(await digestsOf(source));
});

test('a move ends if another one into the same target begins', { tags: 'release' }, async () => {
  const [first, second] = [await aSource(), await aSource()];
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

async function nextChangeNumber({ pool }: Database): Promise<number> {
  return (await pool.query("SELECT nextval('change_numbers')::integer AS next")).rows[0].next;
}

/** What starting a service does first. */
async function serve(settings: Settings): Promise<void> {
  const database = await openDatabase(readConfig(settings));
  await migrate(database).finally(() => database.close());
}
