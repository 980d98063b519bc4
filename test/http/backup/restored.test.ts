import { randomBytes } from 'node:crypto';
import { exportJWK, generateKeyPair } from 'jose';
import { expect, onTestFinished, test } from 'vitest';
import { createSigningKey } from '../../../src/domain/access/signing-keys.js';
import { writeBackup } from '../../../src/domain/backups/format/backup-stream.js';
import { dumpContent } from '../../../src/domain/backups/make-backup.js';
import { inspectBackup } from '../../../src/domain/backups/restore-backup.js';
import { SecretCipher } from '../../../src/domain/secrets/secret-cipher.js';
import { dumpTable, openSnapshot } from '../../../src/storage/backups/dump.js';
import { hasOurTables } from '../../../src/storage/backups/load.js';
import { backedUpTables } from '../../../src/storage/backups/tables.js';
import type { Database } from '../../../src/storage/database.js';
import { appliedMigrations, migrationNames } from '../../../src/storage/migrate.js';
import {
  backupOf,
  collected,
  emptyTarget,
  fillEmpty,
  opened,
  restored,
  restoreInto,
} from '../../support/backups.js';
import { createSchema, insertUsers } from '../../support/old-database.js';
import { givenPlan } from '../../support/planned-calls.js';
import { anItem, useService } from '../../support/service.js';

/** What has to hold on both databases is in test/storage/backups. */
const service = useService();

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
    `SELECT call_id AS id, needs_takeover AS held, state FROM planned_calls JOIN calls ON id = call_id
     WHERE call_id = ANY ($1) ORDER BY due_at`,
    [[due, later]],
  );
  expect(rows).toEqual([
    { id: due, held: true, state: 'planned' },
    { id: later, held: false, state: 'planned' },
  ]);
  expect((await pool.query('SELECT FROM sessions')).rowCount).toBe(0);
});

test('a backup contains no key that signs tokens, not even one that an earlier version left unencrypted', async () => {
  const source = await opened(await restored(await backupOf(service.database)));
  const cipher = new SecretCipher(randomBytes(32));
  await createSigningKey(source.pool, cipher);
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  await source.pool.query("INSERT INTO signing_keys (kid, private_jwk) VALUES ('unencrypted', $1)", [
    JSON.stringify(await exportJWK(privateKey)),
  ]);
  const bytes = await backupOf(source);
  const { header } = await inspectBackup(one(bytes), undefined);
  expect(header.secretKeyIds, 'it needs no key to be restored').not.toContain(cipher.keyId);
  const { pool } = await opened(await restored(bytes));
  const { rows } = await pool.query('SELECT kid, private_jwk AS jwk, secret FROM signing_keys ORDER BY kid');
  expect(rows.filter(({ jwk, secret }) => 'd' in jwk || secret !== null)).toEqual([]);
  expect(rows.at(-1)).toMatchObject({ kid: 'unencrypted', jwk: await exportJWK(publicKey) });
});

test('a forged backup is refused without quoting its values', async () => {
  const facts = {
    ...{ rollcallVersion: '0.3.0', createdAt: '2026-01-01T00:00:00.000Z', engine: 'postgres' as const },
    ...{ secretKeyIds: [], migrations: await appliedMigrations(service.database.pool) },
  };
  const target = await emptyTarget(); // a restore that fails leaves it empty
  const forged = async (content: string) => {
    const bytes = await collected(writeBackup(facts, one(Buffer.from(content))));
    return restoreInto(target, bytes).then(
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

test('a backup of a newer version leaves nothing behind', async () => {
  const settings = await emptyTarget();
  const bytes = await backupAt(service.database, ['9999_future']);
  await expect(restoreInto(settings, bytes)).rejects.toThrow('made by a newer Rollcall');
  expect(await hasOurTables((await opened(settings)).pool, backedUpTables)).toBe(false);
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
test.each([7, 14])('a backup of schema version %i is migrated', async (version) => {
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
