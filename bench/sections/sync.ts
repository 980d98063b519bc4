import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CommandRun, runCommand } from '../commands.js';
import { type Figures, ratio, shown } from '../figures.js';
import { interleaved } from '../interleaved.js';
import { itemsPerCall, newPhonesRate, Phones, writeUsersFile } from '../phones.js';
import { rateTable } from '../rate-table.js';
import type { Section } from '../section.js';
import { progress, type Stage } from '../stage.js';
import { userCount } from '../users.js';

const rounds = 5;
const manyRows = 1_000_000;
const rateMin = 0.6;
const peakMaxMb = 150;

const variants = [
  'the bulk endpoint',
  'sync, all rows change',
  'sync, a tenth changes',
  'sync, nothing changes',
] as const;
type Rates = Partial<Record<(typeof variants)[number], Figures>>;

/** `rollcall sync` from start to end, compared with the bulk calls it is made of. */
export async function sync(stage: Stage): Promise<Section> {
  const directory = mkdtempSync(join(tmpdir(), 'rollcall-bench-'));
  try {
    const rates = await measureRates(stage, directory);
    const many = stage.options.quick ? undefined : await syncMany(stage, directory);
    return reportOf(rates, many);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function measureRates(stage: Stage, directory: string): Promise<Rates> {
  const service = await stage.startService({ databaseUrl: await stage.users(userCount) });
  const phones = new Phones(userCount);
  const path = join(directory, 'users.csv');
  const synced = async (every: number | undefined) => {
    if (every !== undefined) phones.change(every);
    writeUsersFile(path, phones);
    const { ms, stdout } = await runCommand(service, ['sync', path, '--json']);
    const { updated } = JSON.parse(stdout) as { updated: number };
    const expected = every === undefined ? 0 : userCount / every;
    if (updated !== expected) throw new Error(`${updated} of ${expected} rows were updated`);
    return (userCount / ms) * 1_000;
  };
  const measures: Record<(typeof variants)[number], () => Promise<number>> = {
    'the bulk endpoint': () => newPhonesRate(service, phones),
    'sync, all rows change': () => synced(1),
    'sync, a tenth changes': () => synced(10),
    'sync, nothing changes': () => synced(undefined),
  };
  progress(
    `${userCount.toLocaleString('en')} users with sync, and with calls of ${itemsPerCall.toLocaleString('en')}`,
  );
  if (!stage.options.quick) await interleaved(1, measures);
  const rates = await interleaved(stage.options.quick ? 1 : rounds, measures);
  await service.stop();
  return rates;
}

interface Many {
  readonly synced: CommandRun;
  readonly exported: CommandRun;
}

async function syncMany(stage: Stage, directory: string): Promise<Many> {
  const service = await stage.startService({ databaseUrl: await stage.users(manyRows) });
  const phones = new Phones(manyRows);
  phones.change(1);
  const path = join(directory, 'many.csv');
  writeUsersFile(path, phones);
  progress(`${manyRows.toLocaleString('en')} rows with sync and a report`);
  const synced = await runCommand(service, ['sync', path, '--report', join(directory, 'report.csv')]);
  progress(`${manyRows.toLocaleString('en')} users with export`);
  const exported = await runCommand(service, ['export', '--output', join(directory, 'export.csv')]);
  await service.stop();
  return { synced, exported };
}

function reportOf(rates: Rates, many: Many | undefined): Section {
  const share = ratio(rates['sync, all rows change'], rates['the bulk endpoint']);
  const peakMb = many?.synced.peakMb;
  return {
    title: 'Sync',
    intro: `\`rollcall sync\` with ${userCount.toLocaleString('en')} users, from the start of the command to its end, including reading, lookups, comparison
and the journal. The bulk endpoint receives the same new phone numbers in calls of ${itemsPerCall.toLocaleString('en')} items from a client with minimal overhead.`,
    tables: [rateTable(variants, rates)],
    notes: many
      ? [
          `Syncing ${manyRows.toLocaleString('en')} changed rows with a full report: ${told(many.synced)}.`,
          `Exporting ${manyRows.toLocaleString('en')} users as CSV: ${told(many.exported)}.`,
        ]
      : [],
    targets: [
      {
        target: `sync: at least ${rateMin * 100}% of the rate of the bulk endpoint`,
        measured: `${shown(share * 100)}%`,
        met: share >= rateMin,
      },
      {
        target: `sync of ${manyRows.toLocaleString('en')} rows: less than ${peakMaxMb} MB`,
        measured: peakMb === undefined ? 'not measured' : `${shown(peakMb)} MB`,
        met: peakMb === undefined ? undefined : peakMb < peakMaxMb,
      },
    ],
    data: { rates, many: many && { synced: figuresOnly(many.synced), exported: figuresOnly(many.exported) } },
  };
}

function told({ ms, peakMb }: CommandRun): string {
  const memory = peakMb === undefined ? 'memory unknown' : `at most ${shown(peakMb)} MB`;
  return `${shown(ms / 1_000)} s, ${memory}`;
}

function figuresOnly({ ms, peakMb }: CommandRun) {
  return { ms, peakMb };
}
