import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf } from '../support/feeds.js';
import { measures } from '../support/metrics.js';
import { newId, useOwnService } from '../support/service.js';
import { givenSignedInUser } from '../support/signed-in-users.js';
import { unusedOperations } from '../support/unused-operations.js';

const service = useOwnService({ ...eagerFeeds, ...measures });

const idOf = async (serial: string) => (await service.readUser(serial)).employeeID;

test('a feed fetches a file, creates, renames, updates and deactivates users, and its run is undone', async () => {
  const [organizationSerial, stays, leaves] = [newId('ORG'), newId(), newId()];
  const [kept, left] = [
    await service.givenUser({ organizationSerial, employeeID: stays }),
    await service.givenUser({ organizationSerial, employeeID: leaves }),
  ];
  const folder = join(service.dataDir, 'feeds');
  mkdirSync(folder, { recursive: true });
  const [renamed, created] = [newId(), newId()];
  const file = csvOf([
    aRow(renamed, 'Ada King', { renamedFrom: stays, organizationSerial }),
    aRow(created, 'Grace Hopper', { organizationSerial }),
  ]);
  writeFileSync(join(folder, 'staff.csv'), file);
  utimesSync(join(folder, 'staff.csv'), 0, 0); // a file that has just changed may be incomplete

  const feed = await givenFeed(service, {
    source: { type: 'folder', path: 'staff.csv' },
    mapping: mappingOf(['employeeID', 'renamedFrom', 'name', 'email', 'organizationSerial']),
    rules: { deactivateMissing: true, organizationSerials: [organizationSerial] },
  });
  const look = await feed.ran({ dryRun: true });
  expect(look).toMatchObject({ problem: null, state: 'done', counts: { created: 1 } });
  expect(await idOf(kept.serial)).toBe(stays);
  const run = await feed.ran();
  expect(run).toMatchObject({
    ...{ state: 'done', trigger: 'request', fileName: 'staff.csv', rows: 2 },
    counts: { created: 1, renamed: 1, deactivated: 1, failed: 0 },
  });
  expect(await feed.told(run.id)).toEqual([
    [2, 'renamed'],
    [3, 'created'],
    [null, 'deactivated'],
  ]);
  expect(await service.readUser(kept.serial)).toMatchObject({ employeeID: renamed, name: 'Ada King' });
  expect(await service.readUser(left.serial)).toMatchObject({ isActive: false });
  expect(await feed.read()).toMatchObject({ users: 2, lastRun: { id: run.id } });

  expect((await feed.undone(run.id)).state).toBe('undone');
  expect(await idOf(kept.serial)).toBe(stays);
  expect(await service.readUser(left.serial)).toMatchObject({ isActive: true });
  const lookup = await service.post('/service/users/lookup', { employeeIDs: [created] });
  expect(lookup.json.data.items).toEqual([]);
});

test('runs are approved or cancelled, and settings have versions, until the feed is deleted', async () => {
  const user = await service.givenUser();
  const feed = await givenFeed(service, { rules: { approval: 'always' } });
  const waiting = await feed.synced(csvOf([aRow(user.employeeID, 'First')]));
  expect(waiting.state).toBe('waiting');
  expect((await feed.decide(waiting.id, 'cancel')).json.data.state).toBe('cancelled');
  const next = await feed.synced(csvOf([aRow(user.employeeID, 'Second')]));
  expect(next.state).toBe('waiting');
  const { token } = await givenSignedInUser(service, 'operator');
  expect((await feed.decide(next.id, 'approve', token)).status).toBe(200);
  expect((await feed.settled(next.id)).state).toBe('done');
  expect(await service.readUser(user.serial)).toMatchObject({ name: 'Second' });

  expect((await feed.patch({ rules: { approval: 'never' } })).json.data.version).toBe(2);
  const versions = (await service.get(`${feed.path}/versions`)).json.data.items;
  expect(versions.map(({ version }: { version: number }) => version)).toEqual([2, 1]);
  const runs = (await service.get(`${feed.path}/runs`)).json.data.items;
  expect(runs.map(({ state }: { state: string }) => state)).toEqual(['done', 'cancelled']);
  const { items } = (await service.get('/service/feeds')).json.data;
  expect(items.map(({ key }: { key: string }) => key)).toContain(feed.key);
  expect((await service.request('DELETE', feed.path)).status).toBe(200);
  expect((await service.get(feed.path)).status).toBe(404);
});

test('every operation of feeds has succeeded above', async () => {
  expect(await unusedOperations(service, ['Feeds'])).toEqual([]);
});
