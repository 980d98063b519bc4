import type pg from 'pg';
import { updateInBareSql } from '../bare-update.js';
import { updateOverHttp } from '../bulk-calls.js';
import { untilIndexed } from '../indexed.js';
import { interleaved, type Measure } from '../interleaved.js';
import { updateInNaiveLoop } from '../naive-update.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { limitSetting, progress, type Stage } from '../stage.js';
import { Users, userCount, type Workload } from '../users.js';
import { type BulkSize, type BulkVariant, bulkReport, type MeasuredBulk } from './bulk-report.js';
import { measureUpserts } from './upserts.js';

/**
 * What is measured for each workload. Small calls are short and noisy, so a round contains more of them. Workloads that
 * change every index come last, because afterwards everything costs more.
 */
const plans: readonly {
  workload: Workload;
  title: string;
  sizes: readonly BulkSize[];
  rounds: number;
}[] = [
  {
    workload: 'phones',
    title: 'Phone numbers',
    sizes: [100, 1_000, 10_000],
    rounds: 8,
  },
  { workload: 'nothing', title: 'Nothing changes', sizes: [10_000], rounds: 8 },
  { workload: 'tenth', title: 'A tenth of the items change', sizes: [10_000], rounds: 8 },
  {
    workload: 'mixed',
    title: 'Names, phones, status and tags, in turn',
    sizes: [100, 1_000, 10_000],
    rounds: 6,
  },
  { workload: 'renames', title: 'A new employee ID and username for each user', sizes: [10_000], rounds: 4 },
  {
    workload: 'chains',
    title: 'Employee IDs and usernames passed from one user to the next, in chains of 1,000',
    sizes: [10_000],
    rounds: 3,
  },
];
const callsPerRound: Record<BulkSize, number> = { 100: 6, 1000: 3, 10000: 1 };

interface Runs {
  readonly users: Users;
  readonly client: pg.Client;
  readonly shipped: Service;
  /** Undefined if the service never uses a second one. */
  readonly oneConnection: Service | undefined;
}

export async function bulk(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const client = await stage.connect(databaseUrl);
  const alone = limitSetting('bulkConnectionsMax', 1);
  const runs: Runs = {
    users: await Users.read(client),
    client,
    shipped: await stage.startService({ databaseUrl }),
    oneConnection: alone && (await stage.startService({ databaseUrl, environment: alone })),
  };
  const measured: MeasuredBulk[] = [];
  for (const { workload, title, sizes, rounds } of plans) {
    progress(`bulk updates: ${workload}`);
    await warmUp(runs, workload, sizes, stage.options.quick);
    for (const size of sizes) {
      const turns = stage.options.quick ? 2 : rounds * callsPerRound[size];
      measured.push({
        workload,
        title,
        size,
        figures: await interleaved(turns, variantsOf(runs, workload, size)),
      });
    }
  }
  await runs.oneConnection?.stop();
  progress('bulk upserts');
  const upserts = await measureUpserts(runs.shipped, runs.users, stage.options.quick);
  await runs.shipped.stop();
  return bulkReport(measured, upserts, alone !== undefined);
}

/**
 * From the sixth call on, PostgreSQL keeps one plan for a prepared statement; after some thousand runs, code is fully
 * optimized.
 */
async function warmUp(
  runs: Runs,
  workload: Workload,
  sizes: readonly BulkSize[],
  quick: boolean,
): Promise<void> {
  for (const size of [100, ...sizes] as const) {
    const { 'naive loop': _, ...worthIt } = variantsOf(runs, workload, size);
    await interleaved(size === 100 && !quick ? 40 : 2, worthIt);
  }
}

function variantsOf(
  { users, client, shipped, oneConnection }: Runs,
  workload: Workload,
  size: BulkSize,
): Partial<Record<BulkVariant, Measure>> {
  const changes = () => users.changes(size, workload);
  const isRecord = workload === 'phones' || workload === 'mixed';
  const variants: Partial<Record<BulkVariant, Measure>> = {
    ...(oneConnection && { 'one connection': () => updateOverHttp(oneConnection, changes()) }),
    'as shipped': () => updateOverHttp(shipped, changes()),
    ...(isRecord && {
      preview: () => updateOverHttp(shipped, users.drafts(size, workload), '?dryRun=true'),
    }),
    'bare SQL': () => updateInBareSql(client, changes(), workload),
    // Takes seconds for a large call, and the time is proportional to the number of items.
    ...(isRecord &&
      size < 10_000 && {
        'naive loop': async (round) => (round % 8 === 0 ? updateInNaiveLoop(client, changes()) : undefined),
      }),
  };
  for (const [variant, measure] of Object.entries(variants) as [BulkVariant, Measure][]) {
    variants[variant] = async (round) => {
      await untilIndexed(client);
      return measure(round);
    };
  }
  return variants;
}
