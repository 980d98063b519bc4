import { setTimeout as pause } from 'node:timers/promises';
import { bulkOverHttp, updateOverHttp } from '../bulk-calls.js';
import { type Figures, quantile, ratio, shown, spread } from '../figures.js';
import { interleaved } from '../interleaved.js';
import { newUsers } from '../new-users.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { Users } from '../users.js';

const slowdownMax = 0.2;
const itemsPerCall = 10_000;

type CallTimes = Partial<Record<'alone' | 'during a backup', Figures>>;

/** How much a backup slows down bulk calls, and how long the embedded database makes requests wait. */
export async function backup(stage: Stage): Promise<Section> {
  const users = stage.options.quick ? 20_000 : Number(process.env.BENCH_BACKUP_USERS ?? 1_000_000);
  const calls = await measureCalls(stage, users);
  const embeddedUsers = stage.options.quick ? 10_000 : 100_000;
  const waits = await measureWaits(stage, embeddedUsers);
  return reportOf({ users, calls, embeddedUsers, waits });
}

async function measureCalls(stage: Stage, users: number): Promise<CallTimes> {
  const databaseUrl = await stage.users(users);
  const population = await Users.read(await stage.connect(databaseUrl));
  const service = await stage.startService({ databaseUrl });
  progress(`bulk calls with and without a backup of ${users.toLocaleString('en')} users`);
  const call = () => updateOverHttp(service, population.changes(itemsPerCall, 'mixed'));
  const variants = {
    alone: call,
    'during a backup': async () => {
      const download = await startDownload(service);
      const ms = await call();
      return (await download.stop()) ? ms : undefined; // it must not have ended before the call
    },
  };
  await interleaved(1, variants);
  const times = await interleaved(stage.options.quick ? 2 : 10, variants);
  await service.stop();
  return times;
}

interface Download {
  /** Returns whether it was still running. */
  stop(): Promise<boolean>;
  readonly ended: Promise<number>;
}

/** Resolves once the first bytes have arrived. */
async function startDownload(service: Service): Promise<Download> {
  const leaving = new AbortController();
  const headers = { authorization: `Bearer ${service.token}` };
  const ask = () => fetch(`${service.url}/service/backup`, { headers, signal: leaving.signal });
  let response = await ask();
  // The service may not have noticed yet that the last download was cancelled.
  for (let tried = 1; response.status === 503 && tried < 50; tried++) {
    await pause(100);
    response = await ask();
  }
  if (!response.ok || !response.body) throw new Error(`no backup: ${response.status}`);
  const reader = response.body.getReader();
  await reader.read();
  let isRunning = true;
  const rest = async () => {
    let bytes = 0;
    for (let part = await reader.read(); !part.done; part = await reader.read()) bytes += part.value.length;
    isRunning = false;
    return bytes;
  };
  const ended = rest();
  ended.catch(() => {}); // aborted below
  return {
    ended,
    stop: async () => {
      const wasRunning = isRunning;
      leaving.abort();
      await ended.catch(() => {});
      return wasRunning;
    },
  };
}

interface Waits {
  readonly p50: number;
  readonly max: number;
}

/** The time that reading one user takes, again and again, alone and while a backup is made. */
async function measureWaits(
  stage: Stage,
  users: number,
): Promise<Record<'alone' | 'during a backup', Waits>> {
  progress(`reads of the embedded database during a backup of ${users.toLocaleString('en')} users`);
  const service = await stage.startService({ databaseUrl: null });
  for (let created = 0; created < users; created += itemsPerCall)
    await bulkOverHttp(service, '/service/users/create-bulk', newUsers(itemsPerCall));
  const { text } = await service.get('/service/users?limit=1');
  const path = `/service/users/${(JSON.parse(text) as { data: { items: { serial: string }[] } }).data.items[0]?.serial}`;
  const reads = async (isOver: () => boolean) => {
    const times: number[] = [];
    while (!isOver()) {
      const start = performance.now();
      await service.get(path);
      times.push(performance.now() - start);
    }
    const sorted = times.sort((a, b) => a - b);
    return { p50: quantile(sorted, 0.5), max: sorted.at(-1) ?? Number.NaN };
  };
  await untilEmbeddedIndexed(service);
  const until = performance.now() + 3_000;
  const alone = await reads(() => performance.now() > until);
  let isOver = false;
  const download = startDownload(service)
    .then(({ ended }) => ended)
    .finally(() => {
      isOver = true;
    });
  const during = await reads(() => isOver);
  await download;
  await service.stop();
  return { alone, 'during a backup': during };
}

/** Requests wait for the indexer, too. */
async function untilEmbeddedIndexed(service: Service): Promise<void> {
  for (;;) {
    const { text } = await service.get('/service/status');
    const { data } = JSON.parse(text) as { data: { queues: { indexing: { changesBehind: number } } } };
    if (data.queues.indexing.changesBehind === 0) return;
    await pause(500);
  }
}

interface Measured {
  readonly users: number;
  readonly calls: CallTimes;
  readonly embeddedUsers: number;
  readonly waits: Record<'alone' | 'during a backup', Waits>;
}

function reportOf(measured: Measured): Section {
  const { users, calls, embeddedUsers, waits } = measured;
  const slowdown = ratio(calls['during a backup'], calls.alone) - 1;
  return {
    title: 'Backups',
    intro: `Bulk calls of ${itemsPerCall.toLocaleString('en')} items while the same node sends a backup of ${users.toLocaleString('en')} users; PostgreSQL, the load and the reader of the
backup use the same cores. The embedded database reads a backup in one go, with ${embeddedUsers.toLocaleString('en')} users here: requests wait meanwhile.`,
    tables: [
      {
        caption: 'Bulk calls, ms',
        head: ['', 'median', 'p25 – p75', 'calls'],
        rows: Object.entries(calls).map(([name, figures]) => [
          ...[name, shown(figures.median), spread(figures), String(figures.rounds)],
        ]),
      },
      {
        caption: 'Reads of one user on the embedded database, ms',
        head: ['', 'median', 'longest'],
        rows: Object.entries(waits).map(([name, { p50, max }]) => [name, shown(p50), shown(max)]),
      },
    ],
    notes: [],
    targets: [
      {
        target: `a backup slows down bulk calls by at most ${slowdownMax * 100}%`,
        measured: `${(slowdown * 100).toFixed(0)}%`,
        met: slowdown <= slowdownMax,
      },
    ],
    data: measured,
  };
}
