import { setTimeout as pause } from 'node:timers/promises';
import { type AfterUndo, readsAfterUndo } from '../after-undo.js';
import { bulkOverHttp, itemOf, updateOverHttp } from '../bulk-calls.js';
import { type Figures, figuresOf, quantile, shown, spread } from '../figures.js';
import { createRate } from '../http-load.js';
import { type NewUser, newUsers } from '../new-users.js';
import { startProbe } from '../probe-thread.js';
import type { Section, Target } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { type User, Users, type Workload } from '../users.js';

const itemsPerCall = 10_000;
const readWaitMaxMs = 250;
const createWaitMaxMs = 500;

interface Speed {
  readonly what: string;
  readonly unit: 'ms' | 'per second';
  readonly figures: Figures;
}

/** What single requests took, in ms. */
interface Waits {
  readonly p95: number;
  readonly max: number;
}

interface Waiting {
  /** What they waited for. */
  readonly behind: string;
  readonly ms: number;
  readonly health: Waits;
  readonly reads: Waits;
  readonly creates: Waits;
  /** Whether it has to be one transaction, so that nothing else can run meanwhile. */
  readonly isAtomic: boolean;
}

interface Measured {
  readonly users: number;
  readonly speeds: readonly Speed[];
  readonly waiting: readonly Waiting[];
  readonly afterUndo: AfterUndo;
}

/** For information only: there is no bare SQL to compare with, because nothing else can open the embedded database. */
export async function embedded(stage: Stage): Promise<Section> {
  const { quick } = stage.options;
  const users = quick ? 20_000 : 100_000;
  const service = await stage.startService({ databaseUrl: null });
  const waiting: Waiting[] = [];
  const newcomers: NewUser[] = [];
  progress(`embedded: creating ${users.toLocaleString('en')} users`);
  while (newcomers.length < users) {
    const created = newUsers(itemsPerCall);
    await bulkOverHttp(service, '/service/users/create-bulk', created);
    newcomers.push(...created);
  }
  const someone = await firstUser(service);
  const measureWaits = async (
    behind: string,
    work: () => Promise<unknown>,
    isAtomic = false,
  ): Promise<void> => {
    waiting.push(await waitsBehind(service, someone, behind, work, isAtomic));
  };
  await measureWaits(`the indexer, after ${users.toLocaleString('en')} creates`, () => untilIndexed(service));
  await measureWaits('nothing, for 3 s', () => pause(3_000));
  const population = Users.of(newcomers.map(userOf));
  for (const [name, run, isAtomic] of operations(service, population)) {
    if (!wanted.test(name)) continue;
    await untilIndexed(service);
    await measureWaits(name, run, isAtomic);
  }
  await untilIndexed(service);
  progress('embedded: searches after an undo');
  const afterUndo = await readsAfterUndo(service, quick ? 10_000 : 30_000, quick ? 5 : 40, () =>
    untilIndexed(service),
  );
  const times = (count: number) => (quick ? 1 : count);
  const speeds = [
    await speedOf('10,000 items', 'ms', times(4), () =>
      updateOverHttp(service, population.changes(10_000, 'mixed')),
    ),
    await speedOf('1,000 items', 'ms', times(12), () =>
      updateOverHttp(service, population.changes(1_000, 'mixed')),
    ),
    await speedOf('creates, 1 concurrent', 'per second', times(5), () => createRate(service, 100, 1)),
    await speedOf('creates, 32 concurrent', 'per second', times(5), () => createRate(service, 400, 32)),
  ];
  await service.stop();
  return reportOf({ users, speeds, waiting, afterUndo });
}

/** To measure some of them, for example `BENCH_EMBEDDED='undo|backup'`. */
const wanted = new RegExp(process.env.BENCH_EMBEDDED ?? '');

type Operation = readonly [name: string, run: () => Promise<unknown>, isAtomic?: boolean];

/** Each is a call of 10,000 items, or concerns all users. */
function operations(service: Service, population: Users): readonly Operation[] {
  const update = (workload: Workload, query = '') =>
    bulkOverHttp(
      service,
      `/service/users/update-bulk${query}`,
      population.changes(itemsPerCall, workload).map(itemOf),
    );
  const create = () => bulkOverHttp(service, '/service/users/create-bulk', newUsers(itemsPerCall));
  let updated: string | undefined;
  let created: string | undefined;
  const undo = (call: string | undefined) =>
    succeed(service, `/service/calls/${call}/undo?confirm=${itemsPerCall}`);
  const tomorrow = `effectiveAt=${new Date(Date.now() + 86_400_000).toISOString()}`;
  return [
    ['an update of phones', () => update('phones')],
    ['a mixed update', () => update('mixed')],
    ['an update that renames', () => update('renames')],
    [
      'a create',
      async () => {
        created = (await create()).callId;
      },
    ],
    [
      'an upsert, half of them new',
      () => {
        const known = population.changes(itemsPerCall / 2, 'phones').map(itemOf);
        return bulkOverHttp(service, '/service/users/upsert-bulk', [...known, ...newUsers(itemsPerCall / 2)]);
      },
    ],
    [
      'an update of all who match',
      () =>
        updateMatching(service, {
          filter: { tagSerial: ['TAG1', 'TAG2', 'TAG3'] },
          patch: { addTagSerials: ['T'] },
        }),
    ],
    [
      'a preview',
      () =>
        bulkOverHttp(
          service,
          '/service/users/update-bulk?dryRun=true',
          population.drafts(itemsPerCall, 'mixed').map(itemOf),
        ),
    ],
    [
      'planning an update',
      () =>
        bulkOverHttp(
          service,
          `/service/users/update-bulk?${tomorrow}`,
          population.drafts(itemsPerCall, 'mixed').map(itemOf),
        ),
    ],
    [
      'planning a create',
      () => bulkOverHttp(service, `/service/users/create-bulk?${tomorrow}`, newUsers(itemsPerCall)),
    ],
    [
      'an update by final state',
      async () => {
        updated = (await update('phones', '?mode=finalState')).callId;
      },
      true,
    ],
    ['undoing an update', () => undo(updated)],
    ['undoing a create', () => undo(created)],
    ['erasing 1,000 users', () => eraseSome(service, 1_000)],
    ['a backup', () => download(service), true],
  ];
}

async function updateMatching(service: Service, body: object): Promise<void> {
  const path = '/service/users/update-matching';
  const { text } = await service.post(path, JSON.stringify(body));
  const { data } = JSON.parse(text) as { data: { confirm: number } };
  await succeed(service, `${path}?confirm=${data.confirm}`, JSON.stringify(body));
}

/** Erases users that are created for it. */
async function eraseSome(service: Service, count: number): Promise<void> {
  await bulkOverHttp(service, '/service/users/create-bulk', newUsers(count));
  const items: { serial: string }[] = [];
  let cursor = '';
  while (items.length < count) {
    const { text } = await service.get(`/service/users?sort=-createdAt&limit=200${cursor}`);
    const { data } = JSON.parse(text) as { data: { items: { serial: string }[]; nextCursor: string } };
    items.push(...data.items.map(({ serial }) => ({ serial })));
    cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`;
  }
  await succeed(service, `/service/users/erase-bulk?confirm=${count}`, JSON.stringify({ items }));
}

async function succeed(service: Service, path: string, body = ''): Promise<void> {
  const { status, text } = await service.post(path, body);
  if (status !== 200) throw new Error(`${path} returned ${status}: ${text.slice(0, 500)}`);
}

async function download(service: Service): Promise<void> {
  const headers = { authorization: `Bearer ${service.token}` };
  const response = await fetch(`${service.url}/service/backup`, { headers });
  if (!response.ok) throw new Error(`no backup: ${response.status}`);
  await response.arrayBuffer();
}

async function firstUser(service: Service): Promise<string> {
  const { text } = await service.get('/service/users?limit=1');
  const { data } = JSON.parse(text) as { data: { items: { serial: string }[] } };
  return `/service/users/${data.items[0]?.serial}`;
}

/** The probes go on creating users, so there is always a bit to index. */
const indexedBehindMax = 500;

async function untilIndexed(service: Service): Promise<void> {
  for (;;) {
    const { text } = await service.get('/service/status');
    const { data } = JSON.parse(text) as { data: { queues: { indexing: { changesBehind: number } } } };
    if (data.queues.indexing.changesBehind < indexedBehindMax) return;
    await pause(250);
  }
}

let probes = 0;

async function waitsBehind(
  { url, token }: Service,
  path: string,
  behind: string,
  work: () => Promise<unknown>,
  isAtomic: boolean,
): Promise<Waiting> {
  progress(`embedded: waits behind ${behind}`);
  const stopHealth = await startProbe({ url, token, path: '/healthz' });
  const stopReads = await startProbe({ url, token, path });
  const stopCreates = await startProbe({ url, token, creates: `PROBE${++probes}X` });
  const start = performance.now();
  await work();
  const ms = performance.now() - start;
  const [health, reads, creates] = [
    waitsOf(await stopHealth()),
    waitsOf(await stopReads()),
    waitsOf(await stopCreates()),
  ];
  progress(
    `  a read waits up to ${shown(reads.max)} ms, a create ${shown(creates.max)} ms, in ${shown(ms)} ms`,
  );
  return { behind, ms, health, reads, creates, isAtomic };
}

function waitsOf(sorted: readonly number[]): Waits {
  return { p95: quantile(sorted, 0.95), max: sorted.at(-1) ?? Number.NaN };
}

function userOf({ employeeID, name, username, phone, isActive, tagSerials }: User): User {
  return { employeeID, name, username, phone, isActive, tagSerials };
}

async function speedOf(
  what: string,
  unit: Speed['unit'],
  times: number,
  run: () => Promise<number>,
): Promise<Speed> {
  progress(`embedded: ${what}`);
  await run();
  const values: number[] = [];
  for (let time = 0; time < times; time++) values.push(await run());
  return { what, unit, figures: figuresOf(values) };
}

function reportOf(measured: Measured): Section {
  const { users, speeds, waiting, afterUndo } = measured;
  return {
    title: 'The embedded database',
    intro: `The same service on the embedded database, with ${users.toLocaleString('en')} users. It has one session and syncs every commit to disk. Meanwhile,
one client reads a user and another creates users, one request at a time: what they wait for is a call of ${itemsPerCall.toLocaleString('en')} items,
unless it says otherwise.`,
    tables: [
      {
        caption: 'Speed',
        head: ['', 'unit', 'median', 'p25 – p75'],
        rows: speeds.map(({ what, unit, figures }) => [what, unit, shown(figures.median), spread(figures)]),
      },
      {
        caption: 'Waits behind other work, ms',
        head: [
          'behind',
          'takes',
          ...['read, p95', 'read, longest', 'create, p95', 'create, longest', 'GET /healthz, longest'],
        ],
        rows: waiting.map(({ behind, ms, health, reads, creates, isAtomic }) => [
          isAtomic ? `${behind} (one transaction)` : behind,
          shown(ms),
          ...[reads.p95, reads.max, creates.p95, creates.max, health.max].map(shown),
        ]),
      },
    ],
    notes: [
      `In the ${afterUndo.seconds} s after undoing ${afterUndo.undone.toLocaleString('en')} creates, a search takes ${shown(afterUndo.search.medianMs)} ms, ${shown(afterUndo.search.slowestMs)} at most, and a list by name ${shown(afterUndo.list.medianMs)} ms, ${shown(afterUndo.list.slowestMs)} at most.`,
    ],
    targets: [targetOf('read', readWaitMaxMs, waiting), targetOf('create', createWaitMaxMs, waiting)],
    data: measured,
  };
}

function targetOf(kind: 'read' | 'create', maxMs: number, waiting: readonly Waiting[]): Target {
  const split = waiting.filter(({ isAtomic }) => !isAtomic);
  const longest = Math.max(...split.map(({ reads, creates }) => (kind === 'read' ? reads : creates).max));
  return {
    target: `a ${kind} waits at most ${maxMs} ms behind anything that is not one transaction`,
    measured: `${shown(longest)} ms`,
    met: longest <= maxMs,
  };
}
