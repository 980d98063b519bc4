/**
 * How fast the service is, beside what the database alone can do. Run it with `npm run bench`; `-- --json` prints the
 * figures for a machine. Settings of the service are taken from the environment, so that two of them can be compared:
 * `ROLLCALL_BULK_CHUNK_ITEMS=10000 npm run bench`.
 */
import pg from 'pg';
import { table } from '../src/cli/terminal.js';
import { type BulkFigures, bulkSizes, bulkVariants, measureBulkUpdate } from './bulk-update.js';
import { type CreateFigures, concurrencies, createsPerRound, measureCreateUser } from './create-user.js';
import { shown, spread } from './figures.js';
import { type MemoryFigures, measureMemory } from './memory.js';
import { fillUsers, People, peopleCount, type Workload, workloads } from './people.js';
import { withPostgres } from './processes.js';

interface Results {
  readonly node: string;
  readonly postgres: string;
  readonly people: number;
  /** In ms per call. */
  readonly bulkUpdate: Record<Workload, BulkFigures>;
  /** In creates per second. */
  readonly createUser: CreateFigures;
  /** In MB. */
  readonly memory: MemoryFigures | undefined;
  readonly targets: readonly Target[];
}

interface Target {
  readonly target: string;
  readonly measured: string;
  readonly met: boolean | undefined;
}

const bareSqlRatioMax = 1.6;
const naiveRatioMin = 8;
const memoryAboveIdleMaxMb = 150;

await withPostgres(async (bench) => {
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  client.on('error', () => {}); // PostgreSQL goes away first when the run is interrupted
  await client.connect();
  const fresh = await bench.startService();
  progress(`filling the table with ${peopleCount.toLocaleString('en')} users`);
  await fillUsers(client);
  const people = await People.read(client);

  progress('memory');
  const memory = await measureMemory(fresh, people);
  await fresh.stop();

  const service = await bench.startService();
  progress('bulk updates');
  const bulkUpdate = {
    phones: await measureBulkUpdate(service, client, people, 'phones'),
    mixed: await measureBulkUpdate(service, client, people, 'mixed'),
  };
  progress('creates');
  const createUser = await measureCreateUser(service, bench.databaseUrl);

  const { rows } = await client.query<{ server_version: string }>('SHOW server_version');
  await client.end();
  const results: Results = {
    node: process.version,
    postgres: rows[0]?.server_version ?? '',
    people: peopleCount,
    bulkUpdate,
    createUser,
    memory,
    targets: targetsOf(bulkUpdate, memory),
  };
  console.log(process.argv.includes('--json') ? JSON.stringify(results, null, 2) : report(results));
});

function progress(step: string): void {
  process.stderr.write(`… ${step}\n`);
}

function targetsOf(bulkUpdate: Record<Workload, BulkFigures>, memory: MemoryFigures | undefined): Target[] {
  const aboveIdle = memory && memory.peak - memory.idle;
  const ratios = workloads.flatMap((workload) => {
    const { HTTP: http, preview, 'bare SQL': bare, 'naive loop': naive } = bulkUpdate[workload][10_000];
    const toCall = preview.median / http.median;
    const toBare = http.median / bare.median;
    const toNaive = naive.median / http.median;
    return [
      {
        target: `10,000 items (${workload}) cost at most ${bareSqlRatioMax.toFixed(1)} times the bare SQL`,
        measured: `${shown(toBare)} times`,
        met: toBare <= bareSqlRatioMax,
      },
      {
        target: `10,000 items (${workload}) cost at least ${naiveRatioMin} times less than the naive loop`,
        measured: `${shown(toNaive)} times`,
        met: toNaive >= naiveRatioMin,
      },
      {
        target: `a preview of 10,000 items (${workload}) costs no more than the call`,
        measured: `${shown(toCall)} times`,
        met: toCall <= 1,
      },
    ];
  });
  return [
    ...ratios,
    {
      target: `such a call stays under ${memoryAboveIdleMaxMb} MB above idle`,
      measured: aboveIdle === undefined ? 'not measured here' : `${shown(aboveIdle)} MB`,
      met: aboveIdle === undefined ? undefined : aboveIdle < memoryAboveIdleMaxMb,
    },
  ];
}

function report({ node, postgres, people, bulkUpdate, createUser, memory, targets }: Results): string {
  const bulkTable = (figuresBySize: BulkFigures) => {
    const rows = bulkSizes.flatMap((size) =>
      bulkVariants.map((variant) => {
        const figures = figuresBySize[size][variant];
        return [
          size.toLocaleString('en'),
          variant,
          shown(figures.median),
          spread(figures),
          shown((figures.median / size) * 1_000),
          shown(figures.median / figuresBySize[size]['bare SQL'].median),
          shown(figuresBySize[size]['naive loop'].median / figures.median),
          String(figures.rounds),
        ];
      }),
    );
    return table([
      ['items', 'variant', 'ms', 'p25 – p75', 'µs per item', '× bare SQL', 'naive ÷ this', 'calls'],
      ...rows,
    ]);
  };
  const createRows = concurrencies.flatMap((concurrency) =>
    (['HTTP', 'bare SQL'] as const).map((variant) => {
      const figures = createUser[concurrency][variant];
      return [
        String(concurrency),
        variant,
        shown(figures.median),
        spread(figures),
        shown(createUser[concurrency]['bare SQL'].median / figures.median),
        `${figures.rounds} × ${createsPerRound[concurrency].toLocaleString('en')}`,
      ];
    }),
  );
  const memoryRows = memory
    ? [[shown(memory.idle), shown(memory.peak), shown(memory.peak - memory.idle)]]
    : [];
  const verdict = (met: boolean | undefined) => (met === undefined ? 'unknown' : met ? 'met' : 'MISSED');
  return `
Node ${node}, PostgreSQL ${postgres}, ${people.toLocaleString('en')} users. Times are medians.

Bulk update of phones, which no index holds
${bulkTable(bulkUpdate.phones)}

Bulk update of names, phones, status and tags by turns
${bulkTable(bulkUpdate.mixed)}

Create
${table([['at once', 'variant', 'per second', 'p25 – p75', '× bare SQL', 'creates'], ...createRows])}

Memory of the service in ten calls of 10,000 items, MB
${table([['idle', 'peak', 'above idle'], ...memoryRows])}

Targets
${table([
  ['target', 'measured', 'verdict'],
  ...targets.map(({ target, measured, met }) => [target, measured, verdict(met)]),
])}
`;
}
