import { describe, expect, test } from 'vitest';
import { addDays } from '../../../src/domain/statistics/days.js';
import { pruneChanges } from '../../../src/storage/changes/changes.js';
import { rebuildIndex } from '../../../src/storage/indexing/index-state.js';
import { givenUpdates, undone } from '../../support/calls.js';
import { expectFailure } from '../../support/expect-failure.js';
import { indexNow } from '../../support/index-checks.js';
import { anItem, useOwnService } from '../../support/service.js';

const service = useOwnService();

interface Day {
  day: string;
  users: { active: number; inactive: number };
  changes: Record<string, number>;
}

async function statistics(query = ''): Promise<{ users: Day['users']; days: Day[]; timeZone: string }> {
  const reply = await service.get(`/service/statistics${query}`);
  expect(reply.status, reply.text).toBe(200);
  return reply.json.data;
}

const todayOf = ({ days }: { days: readonly Day[] }) => days.at(-1) as Day;
const now = () => new Date().toISOString().slice(0, 10);

test('counts users and changes of today, by default at the end of 30 days', async () => {
  const before = await statistics();
  expect(before).toMatchObject({ timeZone: 'UTC' });
  expect(before.days.map(({ day }) => day)).toEqual(
    Array.from({ length: 30 }, (_, index) => addDays(now(), index - 29)),
  );
  expect(before.days.slice(0, -1).every(({ users }) => users.active === 0)).toBe(true);

  const leaver = await service.givenUser();
  const stayer = await service.givenUser();
  const call = await givenUpdates(service, [
    anItem(leaver, { isActive: false }),
    anItem(stayer, { name: 'Someone else' }),
  ]);
  const after = await statistics();
  expect(after.users).toEqual(todayOf(after).users);
  expect(after.users).toEqual({ active: before.users.active + 1, inactive: before.users.inactive + 1 });
  const { created = 0, updated = 0, deactivated = 0 } = todayOf(before).changes;
  expect(todayOf(after).changes).toMatchObject({
    ...{ created: created + 2, updated: updated + 2 },
    ...{ deactivated: deactivated + 1, reactivated: 0 },
  });

  await undone(service, call);
  expect((await statistics()).users.active).toBe(before.users.active + 2);
  expect(todayOf(await statistics()).changes).toMatchObject({ updated: updated + 4, reactivated: 1 });
});

test('keeps the numbers of days that are no longer in the log, even if the rest is counted again', async () => {
  const { pool } = service.database;
  await service.givenUser();
  await indexNow(service);
  await pool.query("UPDATE changes SET at = now() - interval '10 days'");
  await pool.query("UPDATE change_counts SET period = period - interval '10 days'");
  await service.givenUser();
  await indexNow(service);
  const before = await statistics();
  while (await pruneChanges(pool, 5));
  await rebuildIndex(pool);
  await indexNow(service);
  await expect.poll(async () => (await service.get('/service/statistics')).status).toBe(200);
  expect(await statistics()).toEqual(before);
});

describe('parameters', () => {
  test('choose the days', async () => {
    const to = addDays(now(), -1);
    const { days } = await statistics(`?from=${addDays(to, -2)}&to=${to}`);
    expect(days.map(({ day }) => day)).toEqual([addDays(to, -2), addDays(to, -1), to]);
    expect((await statistics(`?from=${now()}&to=2999-12-31`)).days).toHaveLength(1);
    expect((await statistics(`?from=${addDays(now(), -365)}`)).days).toHaveLength(366);
  });

  test.each([
    ['from=2026-02-30', /"from" must be a day such as 2026-11-15/],
    ['to=yesterday', /"to" must be a day/],
    ['to=0001-01-01', /from 1970 on/],
    ['from=2026-02-02&to=2026-02-01', /"from" must not be after the last day/],
    ['from=2999-01-01', /"from" must not be after the last day/],
    ['from=2020-01-01', /at most 365 days before/],
    ['days=7', /is unknown. Use from, to/],
  ])('%s fails', async (query, detail) => {
    const reply = await service.get(`/service/statistics?${query}`);
    expectFailure(reply, 400, 10005, 'REQUEST_PARAMETER_INVALID', detail);
  });
});
