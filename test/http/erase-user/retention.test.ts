import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { sweepOutbox } from '../../../src/delivery/outbox.js';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { patchUser } from '../../support/deliveries.js';
import { indexNow } from '../../support/index-checks.js';
import { aUser, type GivenUser, newId, useOwnService } from '../../support/service.js';

// A service of its own: it deletes what is old, and erases whoever is inactive.
const service = useOwnService();
const pool = () => service.database.pool;
const kept = { accessEventsDays: 100, changesDays: 10 };

async function count(table: string): Promise<number> {
  const { rows } = await pool().query(`SELECT count(*)::integer AS count FROM ${table}`);
  return rows[0].count;
}

test('former names are kept as long as configured, and at least as long as the change log', async () => {
  const user = await service.givenUser();
  const names = `former_names WHERE user_serial = '${user.serial}'`;
  await patchUser(service, user.serial, { employeeID: newId() });
  await indexNow(service);
  await pool().query(`UPDATE former_names SET held_until = now() - interval '9 days'`);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 1 });
  expect(await count(names), 'in the change log').toBe(1);
  await pool().query(`UPDATE former_names SET held_until = now() - interval '50 days'`);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 0 });
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 60 });
  expect(await count(names)).toBe(1);
  await runHousekeeping(service.context, { ...kept, formerNamesDays: 49 });
  expect(await count(names)).toBe(0);
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

const days = 30;

const tidy = (eraseInactiveDays = days) =>
  runHousekeeping(service.context, { accessEventsDays: 365, changesDays: 730, eraseInactiveDays });

const statusOf = async ({ serial }: GivenUser) => (await service.get(`/service/users/${serial}`)).status;

/** Makes all deactivations so far this many days older. */
async function age(by: number): Promise<void> {
  await indexNow(service);
  await pool().query('UPDATE inactive_users SET since = since - make_interval(days => $1)', [by]);
  await pool().query('UPDATE changes SET at = at - make_interval(days => $1)', [by]);
}

const deactivate = ({ serial }: GivenUser) => patchUser(service, serial, { isActive: false });
const activate = ({ serial }: GivenUser) => patchUser(service, serial, { isActive: true });

describe('users who have been inactive for too long', () => {
  test('are erased by the service, and nobody else is', async () => {
    const [active, long, recent, never] = [
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser(),
      await service.givenUser({ isActive: false }),
    ];
    await deactivate(long);
    await age(days + 1);
    await deactivate(recent);
    await indexNow(service);
    await tidy(0);
    expect(await statusOf(long), 'off by default').toBe(200);
    await Promise.all([tidy(), tidy()]);
    expect(await Promise.all([active, long, recent, never].map(statusOf))).toEqual([200, 410, 200, 410]);
    const { items } = (await service.get(`/service/users/${long.serial}/history`)).json.data;
    expect(items.map(({ kind, actor }: { kind: string; actor: unknown }) => [kind, actor === null])).toEqual([
      ['erased', true],
      ['updated', false],
      ['created', false],
    ]);
  });

  test('count from the last deactivation, however quickly it follows an activation', async () => {
    const [twice, back] = [await service.givenUser(), await service.givenUser()];
    for (const user of [twice, back]) await deactivate(user);
    await age(days + 1);
    await activate(twice);
    await deactivate(twice);
    await activate(back);
    await tidy(); // perhaps before the indexer has seen it
    await indexNow(service);
    await tidy();
    expect(await Promise.all([twice, back].map(statusOf))).toEqual([200, 200]);
  });

  test('are not erased if the change log contradicts what is noted', async () => {
    const user = await service.givenUser();
    await deactivate(user);
    await age(days + 1);
    await activate(user);
    await deactivate(user);
    await indexNow(service);
    // As a node of the previous version would have left it.
    await pool().query(
      `UPDATE inactive_users SET since = now() - interval '31 days' WHERE user_serial = $1`,
      [user.serial],
    );
    await tidy();
    expect(await statusOf(user)).toBe(200);
  });

  test('do not count anew with other changes', async () => {
    const user = await service.givenUser();
    await deactivate(user);
    await age(days + 1);
    await patchUser(service, user.serial, { name: 'Renamed meanwhile' });
    await indexNow(service);
    await tidy();
    expect(await statusOf(user)).toBe(410);
  });

  test('are erased in batches until nobody is left', async () => {
    const tag = newId('T');
    const items = Array.from({ length: 60 }, () => aUser({ isActive: false, tagSerials: [tag] }));
    expect((await service.createBulk(items)).json.data.failedItems).toEqual([]);
    await age(days + 1);
    await tidy();
    expect((await service.get(`/service/users?tagSerial=${tag}`)).json.data.items).toEqual([]);
  });
});
