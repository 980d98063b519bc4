import { bulkOverHttp, itemOf } from '../bulk-calls.js';
import { createLatency, type Latency } from '../create-latency.js';
import { type Figures, figuresOf, shown } from '../figures.js';
import { newUsers } from '../new-users.js';
import type { Halt } from '../preload.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { type UserChange, Users, userCount, type Workload } from '../users.js';

const items = 10_000;
const callsOfEach = 3;
const haltMaxMs = 50;
const latencyRatioMax = 8;

interface Halts {
  readonly call: string;
  /** In ms. */
  readonly took: Figures;
  /** Including the time in which the process waited for a core. */
  readonly halt: Figures;
  readonly held: Figures;
  readonly worst: number;
}

export async function loop(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const users = await Users.read(await stage.connect(databaseUrl));
  const service = await stage.startService({ databaseUrl });
  await bulkOverHttp(service, '/service/users/update-bulk', users.changes(1_000, 'phones').map(itemOf));
  progress('single creates, alone and during bulk calls');
  const latency = await createLatency(service, users, { items, rounds: stage.options.quick ? 1 : 3 });
  await service.watchLoop();
  const halts: Halts[] = [];
  for (const [call, run] of Object.entries(callsOf(service, users))) {
    progress(`the event loop during ${call}`);
    halts.push(await haltsDuring(service, call, run, stage.options.quick ? 1 : callsOfEach));
  }
  await service.stop();
  return reportOf(halts, latency);
}

/** Prepares a call and returns it, so that the preparation is not measured. */
type Prepare = () => Promise<() => Promise<unknown>>;

function callsOf(service: Service, users: Users): Record<string, Prepare> {
  const updates = (workload: Workload, query = ''): Prepare => {
    const isPreview = query.includes('dryRun');
    return async () => {
      const changes = isPreview ? users.drafts(items, workload) : users.changes(items, workload);
      return () => bulkOverHttp(service, `/service/users/update-bulk${query}`, changes.map(itemOf));
    };
  };
  return {
    phones: updates('phones'),
    mixed: updates('mixed'),
    'nothing changes': updates('nothing'),
    renames: updates('renames'),
    chains: updates('chains'),
    'mixed, ?mode=finalState': updates('mixed', '?mode=finalState'),
    'mixed, ?dryRun=true': updates('mixed', '?dryRun=true'),
    'create-bulk': async () => () => bulkOverHttp(service, '/service/users/create-bulk', newUsers(items)),
    'upsert-bulk, half new': async () => {
      const existing = users.changes(items / 2, 'mixed').map(itemOf);
      return () => bulkOverHttp(service, '/service/users/upsert-bulk', [...newUsers(items / 2), ...existing]);
    },
    'upsert-bulk, all new, ?mode=finalState': async () => () =>
      bulkOverHttp(service, '/service/users/upsert-bulk?mode=finalState', newUsers(items)),
    undo: async () => {
      const changes = users.changes(items, 'mixed');
      const { callId } = await bulkOverHttp(service, '/service/users/update-bulk', changes.map(itemOf));
      return () => undo(service, callId, users, changes);
    },
  };
}

async function undo(
  service: Service,
  callId: string | undefined,
  users: Users,
  changes: readonly UserChange[],
): Promise<void> {
  const { status, text } = await service.post(`/service/calls/${callId}/undo`);
  if (status !== 200) throw new Error(`an undo failed: ${text}`);
  users.takeBack(changes);
}

async function haltsDuring(service: Service, call: string, prepare: Prepare, times: number): Promise<Halts> {
  const took: number[] = [];
  const halts: Halt[] = [];
  for (let time = 0; time < times; time++) {
    const run = await prepare();
    await service.longestHalt(); // ignores what came before
    const start = performance.now();
    await run();
    took.push(performance.now() - start);
    halts.push(await service.longestHalt());
  }
  const held = halts.map((each) => each.held);
  return {
    call,
    took: figuresOf(took),
    halt: figuresOf(halts.map(({ halt }) => halt)),
    held: figuresOf(held),
    worst: Math.max(...held),
  };
}

function reportOf(
  halts: readonly Halts[],
  { alone, besideCalls }: { alone: Latency; besideCalls: Latency },
): Section {
  const worst = Math.max(...halts.map((each) => each.worst));
  const worstCall = halts.find((each) => each.worst === worst)?.call ?? '';
  const times = besideCalls.p99 / alone.p99;
  const latencyRow = (name: string, { median, p99 }: Latency) => [name, shown(median), shown(p99)];
  return {
    title: 'The event loop',
    intro: `How long a call with ${items.toLocaleString('en')} items blocks the service's event loop without interruption, and how long a concurrent single
create takes. Time spent waiting for a core is reported separately.`,
    tables: [
      {
        caption: 'Longest time a call blocks the event loop, ms',
        head: [
          'call',
          'duration of the call',
          'longest block, median',
          'worst',
          'including waiting for a core, median',
          'calls',
        ],
        rows: halts.map(({ call, took, held, worst, halt }) => [
          call,
          shown(took.median),
          shown(held.median),
          shown(worst),
          shown(halt.median),
          String(held.rounds),
        ]),
      },
      {
        caption: 'Single create, ms',
        head: ['', 'median', 'p99'],
        rows: [
          latencyRow('alone', alone),
          latencyRow(`during back-to-back calls with ${items.toLocaleString('en')} items`, besideCalls),
        ],
      },
    ],
    notes: [],
    targets: [
      {
        target: `no call blocks the event loop for more than ${haltMaxMs} ms at a time`,
        measured: `${shown(worst)} ms (${worstCall})`,
        met: worst <= haltMaxMs,
      },
      {
        target: `p99 of a create during bulk calls: less than ${latencyRatioMax} × alone`,
        measured: `${shown(times)} ×`,
        met: times < latencyRatioMax,
      },
    ],
    data: { halts, alone, besideCalls },
  };
}
