import { setTimeout as pause } from 'node:timers/promises';
import { bulkOverHttp } from './bulk-calls.js';
import { quantile } from './figures.js';
import { newUsers } from './new-users.js';
import type { Service } from './service.js';

const itemsPerCall = 10_000;
const betweenRequestsMs = 50;

export interface ReadTimes {
  readonly medianMs: number;
  readonly slowestMs: number;
}

export interface AfterUndo {
  readonly undone: number;
  /** For how long users were read. */
  readonly seconds: number;
  readonly search: ReadTimes;
  readonly list: ReadTimes;
}

/** Creates users, undoes that, and searches and lists users for a while: the rows of removed users are still there. */
export async function readsAfterUndo(
  service: Service,
  users: number,
  seconds: number,
  untilIndexed: () => Promise<void>,
): Promise<AfterUndo> {
  const calls: (string | undefined)[] = [];
  for (let created = 0; created < users; created += itemsPerCall) {
    const { callId } = await bulkOverHttp(service, '/service/users/create-bulk', newUsers(itemsPerCall));
    calls.push(callId);
  }
  await untilIndexed();
  for (const call of calls) {
    const path = `/service/calls/${call}/undo?confirm=${itemsPerCall}`;
    const { status, text } = await service.post(path);
    if (status !== 200) throw new Error(`${path} returned ${status}: ${text.slice(0, 500)}`);
  }
  const times = { search: [] as number[], list: [] as number[] };
  const end = performance.now() + seconds * 1_000;
  while (performance.now() < end) {
    times.search.push(await timed(service, '/service/users?search=hamilton'));
    times.list.push(await timed(service, '/service/users?sort=name'));
    await pause(betweenRequestsMs);
  }
  return { undone: users, seconds, search: readTimes(times.search), list: readTimes(times.list) };
}

async function timed(service: Service, path: string): Promise<number> {
  const start = performance.now();
  const { status, text } = await service.get(path);
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text}`);
  return performance.now() - start;
}

function readTimes(times: readonly number[]): ReadTimes {
  const sorted = times.toSorted((a, b) => a - b);
  return { medianMs: quantile(sorted, 0.5), slowestMs: sorted.at(-1) ?? Number.NaN };
}
