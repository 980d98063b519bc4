import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { differences } from '../../../src/domain/backups/move-data.js';
import { hasOurTables } from '../../../src/storage/backups/load.js';
import { backedUpTables, leftOutTables } from '../../../src/storage/backups/tables.js';
import type { Database } from '../../../src/storage/database.js';
import { backupOf, digestsOf, emptyTarget, opened, restored, restoreInto } from '../../support/backups.js';
import { untilIndexed } from '../../support/index-checks.js';
import { anItem, aUser, newId, TestService, useService } from '../../support/service.js';

/** What does not depend on the database is in test/http/backup, and interrupted moves are in test/reliability. */
const service = useService();

test('every table is in a backup, or left out on purpose', async () => {
  const { rows } = await service.database.pool.query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY 1`,
  );
  expect(rows.map(({ name }) => name)).toEqual([...backedUpTables, ...leftOutTables].sort());
});

test('a restored service has every row, goes on where it was, and finds its users', async () => {
  const word = newId('Quotes');
  // No field accepts control characters, but a later one may.
  const organization = newId('ORG');
  await service.request('PUT', `/service/organizations/${organization}`, { body: { displayName: 'x' } });
  await service.database.pool.query('UPDATE organizations SET display_name = $2 WHERE serial = $1', [
    organization,
    'a\tb\n\\.\nc\r\v',
  ]);
  const odd = aUser({ name: `"${word}", \\N, \\. and 🎉`, tagSerials: ['{', 'a,b', '"', '\\'] });
  await service.createBulk([odd, aUser({ password: 'correct horse battery staple' })]);
  await service.updateBulk([anItem(odd, { newEmployeeID: newId(), organizationSerial: organization })]);
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
    // Sessions end on purpose.
    const changedByStart = [
      'secret_keys',
      'signing_keys',
      'clients',
      'client_secrets',
      'access_events',
      'sessions',
    ];
    expect(
      differences(before, await digestsOf(second.database)).filter((name) => !changedByStart.includes(name)),
    ).toEqual([]);
    expect(await indexOf(second.database)).toEqual(index);
    const tokens = [service.token, second.token];
    for (const token of tokens) {
      expect((await second.get('/service/users?limit=1', { token })).status).toBe(200);
    }
    await second.givenUser();
    expect(await maxOf(second.database, 'seq', 'changes')).toBe(lastSeq + 1);
    const found = await second.get(`/service/users?search=${word}`);
    expect(found.json.data.items).toHaveLength(1);
  } finally {
    await second.stop();
  }
});

/** What lists and searches read. */
async function indexOf({ pool }: Database) {
  const { rows } = await pool.query(
    'SELECT serial, words, name, tag_serials FROM user_listing ORDER BY serial',
  );
  return rows;
}

async function maxOf({ pool }: Database, column: string, table: string): Promise<number> {
  const { rows } = await pool.query<{ max: string }>(`SELECT max(${column}) AS max FROM ${table}`);
  return Number(rows[0]?.max);
}

test('a damaged backup leaves nothing behind', async () => {
  const bytes = await backupOf(service.database);
  const at = bytes.length - 40; // after all rows
  bytes[at] = (bytes[at] as number) ^ 1;
  const settings = await emptyTarget();
  await expect(restoreInto(settings, bytes)).rejects.toThrow('damaged');
  if (settings.DATABASE_URL === undefined) {
    const files = readdirSync(settings.ROLLCALL_DATA_DIR ?? '');
    expect(files.filter((name) => name !== 'lock.sock')).toEqual([]);
  } else {
    const { pool } = await opened(settings);
    expect(await hasOurTables(pool, [...backedUpTables, ...leftOutTables])).toBe(false);
  }
});
