import { describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.js';
import { type AttentionFacts, attentionFor } from '../../src/domain/maintenance/attention.js';
import { nodesOf } from '../../src/domain/maintenance/node-heartbeat.js';
import { cachedFigures } from '../../src/domain/maintenance/read-shared-figures.js';
import type { Heartbeat } from '../../src/storage/maintenance/node-heartbeats.js';
import { someFigures } from '../support/shared-figures.js';

function beat(id: string, secondsAgo: number, overrides: Partial<Heartbeat> = {}): Heartbeat {
  return {
    ...{ id, host: 'a', port: 8080, version: '1.0.0', secondsAgo },
    startedAt: `2026-11-16T08:00:0${id}.000Z`,
    lastSeenAt: new Date(Date.parse('2026-11-16T12:00:00Z') - secondsAgo * 1_000).toISOString(),
    ...overrides,
  };
}

describe('nodes', () => {
  test('are processes with the same host and port', () => {
    const nodes = nodesOf([beat('1', 5), beat('2', 3), beat('3', 1, { host: 'b' })]);
    expect(nodes.map(({ id, processes, isAlive }) => ({ id, processes, isAlive }))).toEqual([
      { id: 'a:8080', processes: 2, isAlive: true },
      { id: 'b:8080', processes: 1, isAlive: true },
    ]);
    expect(nodes[0]).toMatchObject({
      startedAt: '2026-11-16T08:00:01.000Z',
      lastSeenAt: '2026-11-16T11:59:57.000Z',
    });
  });

  test('forget processes that crashed once they run again', () => {
    expect(nodesOf([beat('1', 300, { version: '0.9.0' }), beat('2', 5)])).toMatchObject([
      { processes: 1, versions: ['1.0.0'], startedAt: '2026-11-16T08:00:02.000Z' },
    ]);
  });

  test('that are silent are shown as they were last seen', () => {
    expect(nodesOf([beat('1', 900), beat('2', 300)])).toMatchObject([
      { processes: 0, isAlive: false, startedAt: '2026-11-16T08:00:02.000Z' },
    ]);
  });
});

describe('attention', () => {
  const well: AttentionFacts = {
    engine: 'postgres',
    nodes: nodesOf([beat('1', 5)]),
    figures: { ...someFigures, deliveries: { ...someFigures.deliveries, parked: 0 } },
    migrationsPending: 0,
    lastBackup: null,
    nowMs: Date.parse('2026-11-16T12:00:00Z'),
  };
  const backup = { fileName: 'a', bytes: 1, users: 1, encrypted: false };
  const { figures } = well;

  test('is not needed while all is well', () => {
    expect(attentionFor(well)).toEqual([]);
  });

  test.each<[string, number, Partial<AttentionFacts>]>([
    ['nodeSilent', 1, { nodes: nodesOf([beat('1', 5), beat('2', 300, { host: 'b' })]) }],
    ['versionsDiffer', 2, { nodes: nodesOf([beat('1', 5), beat('2', 5, { version: '1.1.0' })]) }],
    ['migrationsPending', 2, { migrationsPending: 2 }],
    [
      'indexBuilding',
      1,
      { figures: { ...figures, indexing: { changesBehind: 9, secondsBehind: 99, isBuilding: true } } },
    ],
    [
      'indexingBehind',
      9,
      { figures: { ...figures, indexing: { changesBehind: 9, secondsBehind: 99, isBuilding: false } } },
    ],
    ['messagesParked', 7, { figures: someFigures }],
    ['messagesDelayed', 3, { figures: { ...figures, oldestDueDeliverySeconds: 301 } }],
    ['webhooksDisabled', 2, { figures: { ...figures, webhooks: { ...figures.webhooks, disabled: 2 } } }],
    ['webhooksFailing', 2, { figures: { ...figures, webhooks: { ...figures.webhooks, failing: 2 } } }],
    ['callsDelayed', 1, { figures: { ...figures, oldestDueCallSeconds: 301 } }],
    [
      'callsNeedTakeover',
      1,
      { figures: { ...figures, plannedCalls: { ...figures.plannedCalls, awaitingTakeover: 1 } } },
    ],
    [
      'callsNeedApproval',
      1,
      { figures: { ...figures, plannedCalls: { ...figures.plannedCalls, awaitingApproval: 1 } } },
    ],
    ['feedsWaiting', 2, { figures: { ...figures, feeds: { ...figures.feeds, waiting: 2 } } }],
    ['feedsFailed', 1, { figures: { ...figures, feeds: { ...figures.feeds, failed: 1 } } }],
    ['feedsDelayed', 1, { figures: { ...figures, oldestDueFeedSeconds: 301 } }],
    ['noBackup', 1, { engine: 'embedded' }],
    ['backupOld', 1, { lastBackup: { ...backup, finishedAt: '2026-11-14T11:59:00Z' } }],
  ])('is drawn to %s', (kind, count, facts) => {
    expect(attentionFor({ ...well, ...facts })).toEqual([{ kind, count }]);
  });

  test('is not drawn to a recent backup', () => {
    const lastBackup = { ...backup, finishedAt: '2026-11-15T12:00:00Z' };
    expect(attentionFor({ ...well, engine: 'embedded', lastBackup })).toEqual([]);
  });
});

describe('figures from the database', () => {
  test('are read once for concurrent and close questions', async () => {
    let reads = 0;
    let nowMs = 0;
    const figures = cachedFigures(
      async () => ({ ...someFigures, lastChange: ++reads }),
      () => nowMs,
    );
    expect((await Promise.all([figures(), figures()])).map((each) => each?.lastChange)).toEqual([1, 1]);
    nowMs = 4_999;
    expect((await figures())?.lastChange).toBe(1);
    nowMs = 5_000;
    expect((await figures())?.lastChange).toBe(2);
  });

  test('are missing while it is unavailable, and come back', async () => {
    let isDown = true;
    const figures = cachedFigures(async () => {
      if (isDown) throw new Error('down');
      return someFigures;
    });
    expect(await figures()).toBeUndefined();
    isDown = false;
    expect(await figures()).toBe(someFigures);
  });
});

describe('settings', () => {
  test.each([
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['monitoring.internal:80', { host: 'monitoring.internal', port: 80 }],
  ])('the address %s is %j', (value, address) => {
    expect(readConfig({ ROLLCALL_METRICS_ADDRESS: value }).metricsAddress).toEqual(address);
  });

  test.each(['', 'localhost:', '::1:9464', '127.0.0.1:70000', '[nonsense]:9464', 'a b:1', 'http://a:1'])(
    'the address "%s" is none',
    (value) => {
      if (value === '')
        expect(readConfig({ ROLLCALL_METRICS_ADDRESS: value }).metricsAddress).toBeUndefined();
      else expect(() => readConfig({ ROLLCALL_METRICS_ADDRESS: value })).toThrow('ROLLCALL_METRICS_ADDRESS');
    },
  );

  test('a short token is refused, and never shown', () => {
    expect(() => readConfig({ ROLLCALL_METRICS_TOKEN: 'short' })).toThrow(
      /^ROLLCALL_METRICS_TOKEN(?!.*short)/,
    );
  });
});
