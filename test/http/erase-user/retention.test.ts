import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepOutbox } from '../../../src/delivery/sweep-outbox.js';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { patchUser } from '../../support/deliveries.js';
import { untilIndexed } from '../../support/index-checks.js';
import { newId, useOwnService } from '../../support/service.js';

// A service of its own: it deletes what is old.
const service = useOwnService();
const pool = () => service.database.pool;
const kept = { accessEventsDays: 100, changesDays: 10 };

async function count(table: string): Promise<number> {
  const { rows } = await pool().query(`SELECT count(*)::integer AS count FROM ${table}`);
  return rows[0].count;
}

test('former names are kept as long as configured, and at least as long as the change log', async () => {
  const user = await service.givenUser();
  await patchUser(service, user.serial, { employeeID: newId() });
  await untilIndexed(pool());
  await pool().query(`UPDATE former_names SET held_until = now() - interval '9 days'`);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 1 });
  expect(await count('former_names'), 'in the change log').toBe(1);
  await pool().query(`UPDATE former_names SET held_until = now() - interval '50 days'`);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 0 });
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 60 });
  expect(await count('former_names')).toBe(1);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 49 });
  expect(await count('former_names')).toBe(0);
});

test('messages are kept as long as configured, or else as access events, but not while they wait', async () => {
  for (const state of ['sent', 'cancelled', 'parked', 'held', 'dormant', 'waiting']) {
    await pool().query(
      `INSERT INTO deliveries (id, user_serial, created_at, priority, kind, state)
       VALUES (gen_random_uuid(), gen_random_uuid(), now() - interval '50 days', 1, 'initial-password', $1)`,
      [state],
    );
  }
  const states = async () => {
    const { rows } = await pool().query(
      `SELECT state FROM deliveries WHERE created_at < now() - interval '1 day' ORDER BY state`,
    );
    return rows.map(({ state }) => state);
  };
  await runHousekeeping(service.context, kept);
  expect(await states()).toHaveLength(6);
  await runHousekeeping(service.context, { ...kept, deliveriesDays: 49 });
  expect(await states()).toEqual(['dormant', 'held', 'waiting']);
});

test('more rows than one statement deletes are deleted as well', async () => {
  await pool().query(
    `INSERT INTO access_events (id, at, kind)
     SELECT gen_random_uuid(), now() - interval '101 days', 'sign-out' FROM generate_series(1, 11000)`,
  );
  await runHousekeeping(service.context, kept);
  expect(await count(`access_events WHERE kind = 'sign-out'`)).toBe(0);
});

test('old files in the outbox are deleted, and other files are left alone', async () => {
  const directory = join(service.dataDir, 'outbox');
  mkdirSync(directory, { recursive: true });
  const id = '0198c0de-7a11-7000-8000-5f1e2d3c4b5a';
  const names = [
    `20260101T083000.123Z-${id}-1.eml`,
    `20260301T083000.123Z-${id}-1.sms.json`,
    `.20260101T083000.123Z-${id}-1.eml.unfinished`,
    'notes.txt',
  ];
  for (const name of names) writeFileSync(join(directory, name), '');
  await sweepOutbox(pool(), directory, new Date('2026-02-01T00:00:00Z'));
  expect(readdirSync(directory).sort()).toEqual([
    '20260301T083000.123Z-0198c0de-7a11-7000-8000-5f1e2d3c4b5a-1.sms.json',
    'notes.txt',
  ]);
  await sweepOutbox(pool(), join(directory, 'missing'), new Date());
});
