import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, type TestFeed } from '../../support/feeds.js';
import { newId, useService } from '../../support/service.js';

const service = useService({ ...eagerFeeds, ROLLCALL_WEBHOOK_TARGETS: 'any' });

const folder = () => join(service.dataDir, 'feeds');
beforeAll(() => void mkdirSync(folder(), { recursive: true }));

const scheduledFeed = (path: string): Promise<TestFeed> =>
  givenFeed(service, {
    source: { type: 'folder', path },
    schedule: { cron: '0 0 1 1 *', until: '06:00' },
  });

/** Lets the time of the schedule come. The run may wait for its file for so many minutes. */
async function makeDue({ key }: TestFeed, minutes: number): Promise<string> {
  const { rows } = await service.database.pool.query<{ until: Date }>(
    `UPDATE feeds SET due_at = now(), due_until = now() + make_interval(mins => $2) WHERE key = $1
     RETURNING due_until AS until`,
    [key, minutes],
  );
  return rows[0]?.until.toISOString() ?? '';
}

async function dueOf({ key }: TestFeed) {
  const { rows } = await service.database.pool.query<{ at: Date; until: Date | null }>(
    'SELECT due_at AS at, due_until AS until FROM feeds WHERE key = $1',
    [key],
  );
  return { at: rows[0]?.at.getTime() ?? 0, until: rows[0]?.until?.toISOString() };
}

async function openRuns({ key }: TestFeed): Promise<number> {
  const { rowCount } = await service.database.pool.query(
    `SELECT FROM feed_runs WHERE feed_key = $1 AND state IN ('queued', 'running')`,
    [key],
  );
  return rowCount ?? 0;
}

const runsOf = async ({ path }: TestFeed) => (await service.get(`${path}/runs`)).json.data.items;

test('a run that is due waits for its file, until the end of its window and no longer', async () => {
  const feed = await scheduledFeed(`${newId()}.csv`);
  const until = await makeDue(feed, 60);
  const inAnHour = Date.now() + 3_600_000;
  // A time within the hour, and the end of the same window.
  await expect
    .poll(async () => (await dueOf(feed)).at, { interval: 20 })
    .toSatisfy((at: number) => {
      return at > Date.now() && at < inAnHour;
    });
  expect((await dueOf(feed)).until).toBe(until);
  expect(await runsOf(feed)).toEqual([]);

  await makeDue(feed, 1); // the next look would come too late
  await expect.poll(async () => (await runsOf(feed))[0]?.state, { interval: 20 }).toBe('failed');
  expect(await runsOf(feed)).toMatchObject([
    { trigger: 'schedule', problem: { code: 'SOURCE_FILE_MISSING' }, startedBy: null },
  ]);
  expect((await dueOf(feed)).at, 'the next time of the schedule').toBeGreaterThan(inAnHour);
});

test('a scheduled run syncs the file, and leaves the same file alone the next time', async () => {
  const path = `${newId()}.csv`;
  const file = join(folder(), path);
  const user = await service.givenUser();
  writeFileSync(file, csvOf([aRow(user.employeeID, 'As in the file')]));
  utimesSync(file, 0, 0);
  const feed = await scheduledFeed(path);
  for (const state of ['done', 'unchanged']) {
    await makeDue(feed, 1);
    await expect.poll(async () => (await runsOf(feed))[0]?.state, { interval: 20 }).toBe(state);
  }
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'As in the file' });
});

test('a scheduled run reads the same file again if the settings have changed, or if a later file was applied in part', async () => {
  const path = `${newId()}.csv`;
  const [first, second] = [await service.givenUser(), await service.givenUser()];
  const write = (name: string) => {
    const rows = [first, second].map(({ employeeID }) => aRow(employeeID, name, { phone: '+49 30 1' }));
    writeFileSync(join(folder(), path), csvOf(rows));
    utimesSync(join(folder(), path), 0, 0);
  };
  const feed = await scheduledFeed(path);
  const runs = async (count: number, state: string) => {
    await makeDue(feed, 1);
    await expect.poll(async () => (await runsOf(feed)).length, { interval: 20 }).toBe(count);
    await expect.poll(async () => (await runsOf(feed))[0]?.state, { interval: 20 }).toBe(state);
  };
  write('Right');
  await runs(1, 'done');
  await feed.patch({ mapping: mappingOf(['employeeID', 'name', 'email', 'phone']) });
  await runs(2, 'done');
  expect(await service.readUser(first.serial)).toMatchObject({ phone: '+49 30 1' });
  await runs(3, 'unchanged');

  write('Wrong');
  await runs(4, 'done');
  await service.database.pool.query(`UPDATE feed_runs SET state = 'cancelled' WHERE id = $1`, [
    (await runsOf(feed))[0].id, // as if somebody had stopped it after these rows
  ]);
  write('Right');
  await runs(5, 'done');
  expect(await service.readUser(first.serial)).toMatchObject({ name: 'Right' });
});

describe('a source that is down', () => {
  /** Nothing listens there. */
  const url = 'https://127.0.0.1:1/staff.csv';

  test('is asked again until the end of the window, and then the run fails', async () => {
    const feed = await givenFeed(service, {
      source: { type: 'https', url },
      schedule: { cron: '0 0 1 1 *', until: '06:00' },
    });
    const until = await makeDue(feed, 60);
    const inAnHour = Date.now() + 3_600_000;
    await expect
      .poll(async () => (await dueOf(feed)).at, { interval: 20 })
      .toSatisfy((at: number) => at > Date.now() && at < inAnHour);
    expect((await dueOf(feed)).until).toBe(until);
    expect(await runsOf(feed)).toEqual([]);
    await makeDue(feed, 1);
    await expect.poll(async () => (await runsOf(feed))[0]?.state, { interval: 20 }).toBe('failed');
  });

  test('is reported once a day where new files are looked for, and asked every few minutes', async () => {
    const feed = await givenFeed(service, {
      source: { type: 'https', url },
      schedule: { onNewFile: true },
    });
    const look = async () => {
      await service.database.pool.query('UPDATE feeds SET due_at = now(), due_until = NULL WHERE key = $1', [
        feed.key,
      ]);
      await expect.poll(async () => (await dueOf(feed)).at > Date.now(), { interval: 20 }).toBe(true);
      await expect.poll(() => openRuns(feed), { interval: 20 }).toBe(0);
      return (await runsOf(feed)).map(({ state }: { state: string }) => state);
    };
    expect(await look()).toEqual(['failed']);
    expect(await look()).toEqual(['failed']);
    await service.database.pool.query(
      `UPDATE feed_runs SET created_at = now() - interval '25 hours' WHERE feed_key = $1`,
      [feed.key],
    );
    expect(await look()).toEqual(['failed', 'failed']);
  });
});
