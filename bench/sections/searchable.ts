import { setTimeout as pause } from 'node:timers/promises';
import { bulkOverHttp } from '../bulk-calls.js';
import { quantile, shown } from '../figures.js';
import { untilIndexed } from '../indexed.js';
import { firstNames, lastNames } from '../names.js';
import { type NewUser, newUsers } from '../new-users.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { seededRandom } from '../users.js';

const itemsPerCall = 10_000;
const betweenSearchesMs = 50;
const untilCompleteMaxMs = 60_000;
const slowestMaxMs = 500;

interface Measured {
  readonly users: number;
  readonly createdMs: number;
  /** From the last create to the first search that found everyone. */
  readonly completeMs: number;
  /** From the last create until there was nothing left to index. */
  readonly indexedMs: number;
  /** Searches from the first create to the first complete one. */
  readonly searches: number;
  readonly failed: number;
  readonly medianMs: number;
  readonly slowestMs: number;
}

/** Creates users in one go, and searches them meanwhile: how soon does a search find all of them, and what until then? */
export async function searchable(stage: Stage): Promise<Section> {
  const { quick, long } = stage.options;
  const sizes = quick ? [20_000, 50_000] : [50_000, 100_000, 200_000, ...(long ? [1_000_000] : [])];
  const measured: Measured[] = [];
  for (const users of sizes) measured.push(await measure(stage, users));
  return reportOf(measured);
}

async function measure(stage: Stage, users: number): Promise<Measured> {
  const databaseUrl = await stage.users(0);
  const client = await stage.connect(databaseUrl);
  const service = await stage.startService({ databaseUrl });
  progress(`creating ${users.toLocaleString('en')} users`);
  const searches = startSearching(service);
  const start = performance.now();
  for (let created = 0; created < users; created += itemsPerCall)
    await bulkOverHttp(service, '/service/users/create-bulk', variousUsers(itemsPerCall));
  const end = performance.now();
  progress('waiting until a search finds all of them');
  const completeAt = await searches.completeAfter(end);
  await untilIndexed(client);
  const indexedAt = performance.now();
  await service.stop();
  const times = searches.times.toSorted((a, b) => a - b);
  return {
    users,
    createdMs: end - start,
    completeMs: completeAt - end,
    indexedMs: indexedAt - end,
    searches: times.length,
    failed: searches.failed(),
    medianMs: quantile(times, 0.5),
    slowestMs: times.at(-1) ?? Number.NaN,
  };
}

const random = seededRandom(3);
const oneOf = (names: readonly string[]) => names[Math.floor(random() * names.length)] as string;

function variousUsers(count: number): NewUser[] {
  return newUsers(count).map((user) => ({ ...user, name: `${oneOf(firstNames)} ${oneOf(lastNames)}` }));
}

interface Searches {
  readonly times: readonly number[];
  failed(): number;
  /** Stops with the first search that was sent after this time and was complete, and returns when it was answered. */
  completeAfter(time: number): Promise<number>;
}

/** Searches for a frequent name, two names, and part of a number, in turn. */
function startSearching(service: Service): Searches {
  const words = ['maria', 'maria müller', 'new77'];
  const times: number[] = [];
  let failed = 0;
  let lastCreate = Number.POSITIVE_INFINITY;
  const search = async () => {
    for (let place = 0; ; place++) {
      const start = performance.now();
      const { status, text } = await service.get(
        `/service/users?search=${encodeURIComponent(words[place % words.length] ?? '')}`,
      );
      const end = performance.now();
      times.push(end - start);
      const isComplete = status === 200 && !text.includes('"isComplete":false');
      if (status !== 200) failed++;
      if (isComplete && start > lastCreate) return end;
      await pause(betweenSearchesMs);
    }
  };
  const searching = search();
  return {
    times,
    failed: () => failed,
    completeAfter: (time) => {
      lastCreate = time;
      return searching;
    },
  };
}

function reportOf(measured: readonly Measured[]): Section {
  const largest = measured.at(-1) as Measured; // at least one size is measured
  const slowest = Math.max(...measured.map(({ slowestMs }) => slowestMs));
  const failed = measured.reduce((sum, each) => sum + each.failed, 0);
  return {
    title: 'Time until searchable',
    intro: `Users are created in calls of ${itemsPerCall.toLocaleString('en')}, one after the other, on PostgreSQL, and searched all the while. "Complete" is the time from the
last create to the first search that covers all of them; until then, searches say that they don't. "Indexed" is when the indexer is idle.`,
    tables: [
      {
        caption: 'Creating and searching at the same time',
        head: [
          'users',
          'created in, s',
          'complete after, s',
          'indexed after, s',
          ...['searches meanwhile', 'failed', 'median, ms', 'slowest, ms'],
        ],
        rows: measured.map((each) => [
          each.users.toLocaleString('en'),
          shown(each.createdMs / 1_000),
          shown(each.completeMs / 1_000),
          shown(each.indexedMs / 1_000),
          ...[String(each.searches), String(each.failed), shown(each.medianMs), shown(each.slowestMs)],
        ]),
      },
    ],
    notes: [],
    targets: [
      {
        target: `${largest.users.toLocaleString('en')} users: searches are complete within ${untilCompleteMaxMs / 1_000} s of the last create`,
        measured: `${shown(largest.completeMs / 1_000)} s`,
        met: largest.completeMs <= untilCompleteMaxMs,
      },
      { target: 'no search fails meanwhile', measured: `${failed}`, met: failed === 0 },
      {
        target: `a search meanwhile takes at most ${slowestMaxMs} ms`,
        measured: `${shown(slowest)} ms`,
        met: slowest <= slowestMaxMs,
      },
    ],
    data: measured,
  };
}
