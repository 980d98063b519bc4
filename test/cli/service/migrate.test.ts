import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, inject, test } from 'vitest';
import { rollcall } from '../../support/command.js';
import { freePort } from '../../support/postgres-server.js';
import { createEmptyDatabase, useService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const isPostgres = inject('engine') === 'postgres';
const service = useService();
const migrations = readdirSync('migrations')
  .map((file) => file.replace(/\.sql$/, ''))
  .sort();

interface Row {
  readonly name: string;
  readonly state: string;
  readonly appliedAt: string | null;
}

/** The variables for an unused database. */
async function newDatabase(): Promise<Record<string, string>> {
  return isPostgres
    ? { DATABASE_URL: await createEmptyDatabase() }
    : { ROLLCALL_DATA_DIR: join(temporaryDirectory(), 'data') };
}

/** Pretends that a future version of Rollcall has migrated the database. */
async function migrateBeyond(connectionString: string): Promise<void> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(`INSERT INTO schema_migrations (version, name) VALUES (9999, '9999_far_away')`);
  await client.end();
}

describe('rollcall migrate', () => {
  test('applies all migrations to a new database, and none to an up-to-date one', async () => {
    const environment = await newDatabase();
    const before = await rollcall(['migrate', '--status', '--json'], environment);
    expect(before).toMatchObject({ code: 0 });
    expect(before.stderr).toBe(
      `${migrations.length} pending migrations. Run \`rollcall migrate\`, or start the service.\n`,
    );
    expect(JSON.parse(before.stdout)).toEqual(
      migrations.map((name) => ({ name, state: 'pending', appliedAt: null })),
    );
    if (!isPostgres) expect(existsSync(environment.ROLLCALL_DATA_DIR as string), 'only looked').toBe(false);

    const migrated = await rollcall(['migrate'], environment);
    expect(migrated).toMatchObject({ code: 0, stderr: '' });
    const [told, ...names] = migrated.stdout.trimEnd().split('\n');
    expect(told).toMatch(
      new RegExp(`^Applied ${migrations.length} migrations\\. The schema is up to date\\.$`),
    );
    expect(names.map((line) => line.replace(/ {2}\d+ ms$/, ''))).toEqual(
      migrations.map((name) => `  ${name}`),
    );

    const again = await rollcall(['migrate', '--json'], environment);
    expect(again).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(again.stdout)).toEqual({ applied: [] });

    const after = await rollcall(['migrate', '--status'], environment);
    expect(after).toMatchObject({ code: 0, stderr: 'The schema is up to date.\n' });
    expect(after.stdout).toMatch(/^migration +state +applied at\n0001_users +applied +20\d\d-.*Z\n/);
  });

  test.runIf(isPostgres)(
    'rejects a schema newer than this version of Rollcall (PostgreSQL only)',
    async () => {
      const environment = { DATABASE_URL: await createEmptyDatabase() };
      expect((await rollcall(['migrate'], environment)).code).toBe(0);
      await migrateBeyond(environment.DATABASE_URL);
      const refused = await rollcall(['migrate'], environment);
      expect(refused).toMatchObject({ code: 4, stdout: '' });
      expect(refused.stderr).toMatch(
        /^Could not migrate: The database has schema version 9999, and this Rollcall knows versions up to \d+\. Start the newer Rollcall that wrote it\.\n$/,
      );
      const newer = await rollcall(['migrate', '--status', '--json'], environment);
      expect(newer.code).toBe(4);
      expect(newer.stderr).toContain('The schema is newer than this version of Rollcall');
      expect((JSON.parse(newer.stdout) as Row[]).at(-1)).toMatchObject({
        name: '9999_far_away',
        state: 'unknown',
      });
    },
  );

  test.runIf(isPostgres)(
    'reports an unreachable database without showing its password (PostgreSQL only)',
    async () => {
      const port = await freePort();
      const DATABASE_URL = `postgres://rollcall:hunter2@127.0.0.1:${port}/people`;
      const [migrated, status] = await Promise.all([
        rollcall(['migrate'], { DATABASE_URL }),
        rollcall(['migrate', '--status', '--json'], { DATABASE_URL }),
      ]);
      expect(migrated).toEqual({
        code: 3,
        stdout: '',
        stderr: `Could not migrate: Cannot use postgres://127.0.0.1:${port}/people: connection refused (ECONNREFUSED). Check the host and port in DATABASE_URL, and that PostgreSQL is running there.\n`,
      });
      expect(status).toMatchObject({ code: 3, stdout: '' });
      expect(JSON.parse(status.stderr)).toMatchObject({ error: { exit: 'unreachable' } });
      expect(status.stderr).not.toContain('hunter2');
    },
  );

  test.runIf(!isPostgres)(
    'is rejected while a service uses the embedded database (embedded only)',
    async () => {
      const { dataDir } = service;
      const refused = await rollcall(['migrate', '--data-dir', dataDir]);
      expect(refused).toMatchObject({ code: 4, stdout: '' });
      expect(refused.stderr).toContain(
        `Could not migrate: The data directory ${dataDir} is in use by process ${process.pid} on `,
      );
    },
  );
});
