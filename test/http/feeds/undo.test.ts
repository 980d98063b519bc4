import { describe, expect, onTestFinished, test } from 'vitest';
import { startFeeds } from '../../../src/domain/feeds/feed-worker.js';
import { readCall } from '../../support/calls.js';
import { aRow, csvOf, eagerFeeds, givenFeed, mappingOf, type TestFeed } from '../../support/feeds.js';
import { givenColleague } from '../../support/planned-calls.js';
import { newId, silentLogger, useOwnService } from '../../support/service.js';

/** It works on runs only while a test lets it. Calls may affect a fifth of its users. */
const service = useOwnService({
  ...eagerFeeds,
  ROLLCALL_FEEDS_AT_ONCE: '0',
  ROLLCALL_SAFETY_LIMIT_PERCENT: '20',
});

function startWorker() {
  const worker = startFeeds(service.context, silentLogger);
  onTestFinished(() => worker.stop());
  return worker;
}

async function accessEventsAbout(runId: string): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    `SELECT kind, actor_id AS actor FROM access_events WHERE detail->>'runId' = $1 ORDER BY id`,
    [runId],
  );
  return rows.map(({ kind, actor }) => [kind, actor]);
}

async function eventsAbout(runId: string): Promise<unknown[]> {
  const { rows } = await service.database.pool.query(
    `SELECT kind, fields->>'state' AS state FROM changes WHERE request_id = $1 AND kind LIKE 'feed.%' ORDER BY seq`,
    [runId],
  );
  return rows.map(({ kind, state }) => [kind, state]);
}

test('more users than the safety limit allows are removed only if their number is confirmed', async () => {
  startWorker();
  const feed = await givenFeed(service, { rules: { approval: 'always' } });
  const colleague = await givenColleague(service);
  const ids = Array.from({ length: 40 }, () => newId());
  const { id } = await feed.synced(csvOf(ids.map((employeeID) => aRow(employeeID))));
  await feed.decide(id, 'approve', colleague.token);
  const approved = await feed.settled(id);
  const refused = await feed.decide(id, 'undo');
  expect([refused.status, refused.json]).toMatchObject([
    409,
    { message: 'CALL_EXCEEDS_SAFETY_LIMIT', data: { confirm: 40, removed: 40, deactivated: 0 } },
  ]);
  expect((await feed.decide(id, 'undo', undefined, '?dryRun=true')).status).toBe(409);
  expect((await feed.decide(id, 'undo', undefined, '?confirm=39')).status).toBe(409);
  expect((await feed.decide(id, 'undo', undefined, '?dryRun=true&confirm=40')).json.data).toMatchObject({
    users: 40,
  });
  expect((await feed.run(id)).state).toBe('done');
  const undone = await feed.decide(id, 'undo', undefined, '?confirm=40');
  expect(undone.status, undone.text).toBe(202);
  expect(await feed.settled(id)).toMatchObject({
    state: 'undone',
    approvedBy: { kind: 'client', id: colleague.clientId },
    approvedAt: approved.approvedAt,
    undoneBy: approved.startedBy,
  });
  expect(await accessEventsAbout(id)).toEqual([
    ['feed.file-uploaded', approved.startedBy.id],
    ['feed.run-approved', colleague.clientId],
    ['feed.run-undone', approved.startedBy.id],
  ]);
  expect(await eventsAbout(id)).toEqual([
    ['feed.waiting', 'waiting'],
    ['feed.ended', 'done'],
    ['feed.ended', 'undone'],
  ]);
});

describe('an undo', () => {
  test('withdraws what its run has planned, and nothing that others have', async () => {
    startWorker();
    const [one, two] = [await service.givenUser(), await service.givenUser()];
    const feed = await givenFeed(service, {
      mapping: mappingOf(['employeeID', 'name', 'email', 'effectiveDate']),
    });
    const later = ({ employeeID }: typeof one, effectiveDate: string) =>
      aRow(employeeID, 'Later', { effectiveDate });
    await feed.synced(csvOf([later(one, '2099-01-01')]));
    const [earlier] = await plannedBy(feed);
    const run = await feed.synced(csvOf([later(one, '2099-01-01'), later(two, '2099-02-01')]));
    const [, own] = await plannedBy(feed);
    expect((await feed.undone(run.id)).state).toBe('undone');
    expect(await plannedBy(feed)).toEqual([earlier]);
    expect((await readCall(service, earlier ?? '')).state).toBe('planned');
    expect((await readCall(service, own ?? '')).state).toBe('cancelled');
  });

  test('restores no sensitive values for someone who may not see them', async () => {
    const key = newId('salary').toLowerCase();
    await service.post('/service/attributes', { key, type: 'text' });
    const user = await service.givenUser();
    const feed = await givenFeed(service, { mapping: mappingOf(['employeeID', `attributes.${key}`]) });
    const worker = startWorker();
    const run = await feed.synced(csvOf([{ employeeID: user.employeeID, [`attributes.${key}`]: '7' }]));
    expect(run).toMatchObject({ state: 'done', counts: { updated: 1 } });
    await worker.stop();
    const token = await service.tokenFor('users:read', 'users:write');
    expect((await feed.decide(run.id, 'undo', token)).status).toBe(202);
    // Before a node begins with the undo.
    await service.request('PATCH', `/service/attributes/${key}`, { body: { isSensitive: true } });
    startWorker();
    await feed.settled(run.id);
    expect(await service.readUser(user.serial)).toMatchObject({ attributes: { [key]: '7' } });
  });
});

async function plannedBy({ key }: TestFeed): Promise<string[]> {
  const { rows } = await service.database.pool.query<{ ids: string[] }>(
    'SELECT call_ids AS ids FROM feed_plans WHERE feed_key = $1 ORDER BY day',
    [key],
  );
  return rows.flatMap(({ ids }) => ids);
}
