import { createReadStream, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { type Figures, ratio, shown } from '../figures.js';
import { interleaved } from '../interleaved.js';
import { peakDuring } from '../peak-memory.js';
import { itemsPerCall, newPhonesRate, Phones, writeUsersFile } from '../phones.js';
import { rateTable } from '../rate-table.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { userCount } from '../users.js';

const rounds = 5;
const manyRows = 1_000_000;
const rateMin = 0.7;
const unchangedMaxSeconds = 60;
const aboveIdleMaxMb = 300;
const lookMs = 50;

const variants = ['the bulk endpoint', 'a feed, all rows change', 'a feed, one row changes'] as const;
type Rates = Partial<Record<(typeof variants)[number], Figures>>;

/** Runs of a feed from the upload of its file to their end, compared with the bulk calls they are made of. */
export async function feeds(stage: Stage): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  try {
    const rates = await measureRates(stage, join(directory, 'users.csv'));
    const many = stage.options.quick ? undefined : await measureMany(stage, join(directory, 'many.csv'));
    return reportOf(rates, many);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRates(stage: Stage, path: string): Promise<Rates> {
  const service = await stage.startService({ databaseUrl: await stage.users(userCount) });
  await createFeed(service);
  const phones = new Phones(userCount);
  const rowsPerSecond = async (every: number) => {
    phones.change(every);
    return (userCount / (await runMs(service, path, phones, userCount / every))) * 1_000;
  };
  const measures: Record<(typeof variants)[number], () => Promise<number>> = {
    'the bulk endpoint': () => newPhonesRate(service, phones),
    'a feed, all rows change': () => rowsPerSecond(1),
    'a feed, one row changes': () => rowsPerSecond(userCount),
  };
  progress(`${userCount.toLocaleString('en')} users with a feed, and with calls`);
  if (!stage.options.quick) await interleaved(1, measures);
  const rates = await interleaved(stage.options.quick ? 1 : rounds, measures);
  await service.stop();
  return rates;
}

interface ManyRows {
  readonly seconds: number;
  /** Undefined if there is no /proc. */
  readonly aboveIdleMb: number | undefined;
}

interface Many {
  readonly first: ManyRows;
  readonly second: ManyRows;
}

/**
 * The first run also notes which users the feed has. The second finds them noted, as on every night after, so the targets
 * are for it. One row changes, or there would be no run.
 */
async function measureMany(stage: Stage, path: string): Promise<Many> {
  const service = await stage.startService({ databaseUrl: await stage.users(manyRows) });
  await createFeed(service);
  const phones = new Phones(manyRows);
  const run = async (): Promise<ManyRows> => {
    phones.change(manyRows);
    await service.collectGarbage();
    const idle = service.residentMb();
    let ms = 0;
    const peak = await peakDuring(service, async () => {
      ms = await runMs(service, path, phones, 1);
    });
    return { seconds: ms / 1_000, aboveIdleMb: idle === undefined ? undefined : peak - idle };
  };
  progress(`${manyRows.toLocaleString('en')} rows for the first time`);
  const first = await run();
  progress(`${manyRows.toLocaleString('en')} rows again`);
  const second = await run();
  await service.stop();
  return { first, second };
}

const feedPath = '/service/feeds/bench';

/** A feed that takes any file, so that runs wait for nobody. */
async function createFeed(service: Service): Promise<void> {
  const columns = ['employeeID', 'name', 'phone', 'isActive'].map((field) => ({ field, columns: [field] }));
  const limits = Object.fromEntries(
    [
      'creates',
      'deactivations',
      'reactivations',
      'renames',
      'failures',
      'withdrawals',
      'changes',
      'emptied',
    ].map((kind) => [`${kind}Max`, manyRows]),
  );
  const { status, text } = await service.post(
    '/service/feeds',
    JSON.stringify({
      ...{ key: 'bench', name: 'Bench', source: { type: 'upload' }, mapping: { columns } },
      limits: { learn: false, ...limits },
    }),
  );
  if (status !== 201) throw new Error(`the feed was not created: ${text}`);
}

/** From the first byte of the upload to the end of the run. */
async function runMs(service: Service, path: string, phones: Phones, changes: number): Promise<number> {
  writeUsersFile(path, phones);
  const start = performance.now();
  const reply = await fetch(`${service.url}${feedPath}/file`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${service.token}`, 'content-type': 'text/csv' },
    body: Readable.toWeb(createReadStream(path)) as ReadableStream,
    duplex: 'half',
  } as RequestInit);
  const { data: run } = (await reply.json()) as { data?: { id: string } };
  if (!run) throw new Error(`no run was started: ${reply.status}`);
  for (;;) {
    const { data } = JSON.parse((await service.get(`${feedPath}/runs/${run.id}`)).text);
    if (!['queued', 'running'].includes(data.state)) {
      const ms = performance.now() - start;
      if (data.state !== 'done' || data.counts.updated !== changes)
        throw new Error(`${data.state}: ${JSON.stringify(data).slice(0, 1_000)}`);
      return ms;
    }
    await pause(lookMs);
  }
}

function reportOf(rates: Rates, many: Many | undefined): Section {
  const share = ratio(rates['a feed, all rows change'], rates['the bulk endpoint']);
  const rows = manyRows.toLocaleString('en');
  const { seconds, aboveIdleMb } = many?.second ?? {};
  return {
    title: 'Feeds',
    intro: `Runs of a feed with ${userCount.toLocaleString('en')} users, from the start of the upload to the end of the run. The bulk endpoint receives the
same new phone numbers in calls of ${itemsPerCall.toLocaleString('en')} items from a client with minimal overhead.`,
    tables: [rateTable(variants, rates)],
    notes: many
      ? [
          `${rows} rows, all but one unchanged: ${told(many.second)}. In the first run of the feed, which also notes who belongs to it: ${told(many.first)}.`,
        ]
      : [],
    targets: [
      {
        target: `a feed, all rows change: at least ${rateMin * 100}% of the rate of the bulk endpoint`,
        measured: `${shown(share * 100)}%`,
        met: share >= rateMin,
      },
      {
        target: `a feed of ${rows} unchanged rows: at most ${unchangedMaxSeconds} s`,
        measured: seconds === undefined ? 'not measured' : `${shown(seconds)} s`,
        met: seconds === undefined ? undefined : seconds <= unchangedMaxSeconds,
      },
      {
        target: `a feed of ${rows} unchanged rows: at most ${aboveIdleMaxMb} MB above idle`,
        measured: aboveIdleMb === undefined ? 'not measured' : `${shown(aboveIdleMb)} MB`,
        met: aboveIdleMb === undefined ? undefined : aboveIdleMb <= aboveIdleMaxMb,
      },
    ],
    data: { rates, many },
  };
}

function told({ seconds, aboveIdleMb }: ManyRows): string {
  const memory = aboveIdleMb === undefined ? 'memory unknown' : `at most ${shown(aboveIdleMb)} MB above idle`;
  return `${shown(seconds)} s and ${memory}`;
}
