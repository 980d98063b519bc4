import { updateOverHttp } from '../bulk-calls.js';
import { shown } from '../figures.js';
import { peakDuring } from '../peak-memory.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { Users, userCount } from '../users.js';

const idleMaxMb = 120;
const aboveIdleMaxMb = 150;
const peakCalls = 10;
const flatCalls = 1_000;
const looks = 20;
/** How much the memory in the last quarter of the calls may exceed that in the second. */
const flatMax = 1.1;

/** Resident memory of the service's process, in MB. */
interface Memory {
  readonly idle: number;
  readonly peak: number;
  readonly flat: { readonly calls: number; readonly items: number; readonly quarters: readonly number[] };
}

export async function memory(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const users = await Users.read(await stage.connect(databaseUrl));
  // A new service, because memory left over from an earlier large call would count as idle.
  const service = await stage.startService({ databaseUrl });
  for (let call = 0; call < 10; call++) await updateOverHttp(service, users.changes(100, 'mixed'));
  await service.collectGarbage();
  const idle = service.residentMb();
  if (idle === undefined) return notMeasured();

  progress(`${peakCalls} calls of 10,000 items`);
  const peak = await peakDuring(service, async () => {
    for (let call = 0; call < peakCalls; call++)
      await updateOverHttp(service, users.changes(10_000, 'mixed'));
  });
  const { long, quick } = stage.options;
  const calls = quick ? looks : flatCalls;
  const items = long ? 10_000 : 1_000;
  progress(`${calls.toLocaleString('en')} calls of ${items.toLocaleString('en')} items`);
  const quarters = await quartersOf(service, users, calls, items);
  await service.stop();
  return reportOf({ idle, peak, flat: { calls, items, quarters } });
}

/** The mean memory after garbage collection, for each quarter of the calls. */
async function quartersOf(service: Service, users: Users, calls: number, items: number): Promise<number[]> {
  const left: number[] = [];
  for (let call = 1; call <= calls; call++) {
    await updateOverHttp(service, users.changes(items, 'phones'));
    if (call % Math.ceil(calls / looks) !== 0) continue;
    await service.collectGarbage();
    left.push(service.residentMb() ?? Number.NaN);
  }
  const each = Math.ceil(left.length / 4);
  return [0, 1, 2, 3].map((quarter) => mean(left.slice(quarter * each, (quarter + 1) * each)));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

function reportOf({ idle, peak, flat }: Memory): Section {
  const [, second = Number.NaN, , last = Number.NaN] = flat.quarters;
  const calls = `${flat.calls.toLocaleString('en')} calls of ${flat.items.toLocaleString('en')} items`;
  return {
    title: 'Memory',
    intro: `Memory of the service process, in MB: idle after startup and ten small calls, the peak during ${peakCalls} back-to-back calls with
10,000 items, and, after garbage collection, in the course of ${calls}.`,
    tables: [
      {
        caption: 'Resident memory, MB',
        head: ['idle', 'peak', 'above idle'],
        rows: [[shown(idle), shown(peak), shown(peak - idle)]],
      },
      {
        caption: `Mean of each quarter of ${calls}, MB`,
        head: ['first', 'second', 'third', 'last'],
        rows: [flat.quarters.map(shown)],
      },
    ],
    notes: [],
    targets: [
      { target: `idle: less than ${idleMaxMb} MB`, measured: `${shown(idle)} MB`, met: idle < idleMaxMb },
      {
        target: `back-to-back calls with 10,000 items: at most ${aboveIdleMaxMb} MB above idle`,
        measured: `${shown(peak - idle)} MB`,
        met: peak - idle <= aboveIdleMaxMb,
      },
      {
        target: `${calls}: the last quarter at most ${flatMax} × the second`,
        measured: `${shown(last / second)} ×`,
        met: last / second <= flatMax,
      },
    ],
    data: { idle, peak, flat },
  };
}

function notMeasured(): Section {
  return {
    title: 'Memory',
    intro: "Not measured: this platform doesn't report the memory of a process.",
    tables: [],
    notes: [],
    data: null,
  };
}
