import { describe, expect, test } from 'vitest';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { patchUser } from '../../support/deliveries.js';
import { untilIndexed } from '../../support/index-checks.js';
import { type GivenUser, useOwnService } from '../../support/service.js';

// A service of its own: it erases whoever is inactive.
const service = useOwnService();
const pool = () => service.database.pool;
const days = 30;

const tidy = (eraseInactiveDays = days) =>
  runHousekeeping(service.context, { accessEventsDays: 365, changesDays: 730, eraseInactiveDays });

const statusOf = async ({ serial }: GivenUser) => (await service.get(`/service/users/${serial}`)).status;

/** Makes all deactivations so far this many days older. */
async function age(by: number): Promise<void> {
  await untilIndexed(pool());
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
    await untilIndexed(pool());
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
    await untilIndexed(pool());
    await tidy();
    expect(await Promise.all([twice, back].map(statusOf))).toEqual([200, 200]);
  });

  test('are not erased if the change log contradicts what is noted', async () => {
    const user = await service.givenUser();
    await deactivate(user);
    await age(days + 1);
    await activate(user);
    await deactivate(user);
    await untilIndexed(pool());
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
    await untilIndexed(pool());
    await tidy();
    expect(await statusOf(user)).toBe(410);
  });

  test('are erased in batches until nobody is left', async () => {
    const items = Array.from({ length: 120 }, (_, index) => ({
      employeeID: `B${index}`,
      name: 'Batch',
      email: 'b@example.com',
      isActive: false,
    }));
    expect((await service.createBulk(items)).json.data.failedItems).toEqual([]);
    await age(days + 1);
    await tidy();
    const { rows } = await pool().query(
      `SELECT count(*)::integer AS left FROM users WHERE employee_id LIKE 'B%'`,
    );
    expect(rows).toEqual([{ left: 0 }]);
  });
});
