import { expect, test } from 'vitest';
import type { Caller } from '../../../src/domain/caller.js';
import { uploadFile } from '../../../src/domain/feeds/upload-file.js';
import { runHousekeeping } from '../../../src/domain/maintenance/housekeeping.js';
import { aRow, csvOf, eagerFeeds, givenFeed, type TestFeed } from '../../support/feeds.js';
import { newId, useService } from '../../support/service.js';

const service = useService(eagerFeeds);

const caller: Caller = {
  actor: { kind: 'client', id: 'uploader', scopes: new Set(['users:read', 'users:write']) },
  requestId: 'upload',
  address: '',
};

const kept = { accessEventsDays: 365, changesDays: 365, feedFilesDays: 0 };

async function uploadIdOf({ key }: TestFeed): Promise<string | undefined> {
  const { rows } = await service.database.pool.query<{ id: string }>(
    'SELECT id FROM feed_runs WHERE feed_key = $1 AND EXISTS (SELECT FROM feed_files WHERE run_id = id)',
    [key],
  );
  return rows[0]?.id;
}

/** More than what is stored at a time, in a column that nobody mapped. */
const firstPart = csvOf(
  Array.from({ length: 60 }, () => ({ ...aRow(newId()), 'attributes.note': 'x'.repeat(20_000) })),
);

test('a file that is being uploaded is no run yet, and stays until it is complete', async () => {
  const feed = await givenFeed(service);
  let complete = () => {};
  const completed = new Promise<void>((resolve) => {
    complete = resolve;
  });
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(firstPart);
    await completed;
    yield Buffer.from(
      csvOf([aRow(newId())])
        .split('\n')
        .slice(1)
        .join('\n'),
    );
  }
  const upload = { name: 'staff.csv', bytes: bytes(), isDryRun: true };
  const uploading = uploadFile(service.context, feed.key, upload, caller);
  await expect.poll(() => uploadIdOf(feed), { interval: 20 }).toBeDefined();
  const id = (await uploadIdOf(feed)) ?? '';
  expect((await service.get(`${feed.path}/runs`)).json.data.items).toEqual([]);
  expect(await feed.read()).toMatchObject({ lastRun: null, openRun: null, recentRuns: [] });
  const replay = await service.post(`${feed.path}/runs`, { dryRun: true, replay: id });
  for (const reply of [replay, await feed.decide(id, 'undo'), await feed.decide(id, 'cancel')]) {
    expect(reply.json.message).toBe('FEED_RUN_NOT_FOUND');
  }
  await runHousekeeping(service.context, kept);
  complete();
  expect(await uploading).toMatchObject({ ok: true, run: { id, state: 'queued' } });
  expect(await feed.settled(id)).toMatchObject({ state: 'done', rows: 61 });
});

test('a file whose upload was abandoned is deleted after a day', async () => {
  const feed = await givenFeed(service);
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield Buffer.from(firstPart);
    await new Promise(() => {}); // as if the node had died
  }
  void uploadFile(service.context, feed.key, { name: 'staff.csv', bytes: bytes(), isDryRun: true }, caller);
  await expect.poll(() => uploadIdOf(feed), { interval: 20 }).toBeDefined();
  await service.database.pool.query(
    `UPDATE feed_runs SET created_at = created_at - interval '25 hours' WHERE feed_key = $1`,
    [feed.key],
  );
  await runHousekeeping(service.context, kept);
  expect(await uploadIdOf(feed)).toBeUndefined();
});
