import pg from 'pg';
import { createBulkInBareSql, createInBareSql } from '../bare-create.js';
import { bulkOverHttp } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { createRate } from '../http-load.js';
import { interleaved } from '../interleaved.js';
import { newUsers } from '../new-users.js';
import type { Section, Target } from '../section.js';
import type { Service } from '../service.js';
import { limitSetting, progress, type Stage } from '../stage.js';
import { userCount } from '../users.js';

const concurrencies = [1, 32, 128] as const;
type Concurrency = (typeof concurrencies)[number];
const createsPerRound: Record<Concurrency, number> = { 1: 150, 32: 800, 128: 1_024 };
const rounds = 8;
const warmUpRounds: Record<Concurrency, number> = { 1: 20, 32: 3, 128: 3 };
/** The default of the service's pool. */
const connectionsMax = 10;
const bulkItems = 10_000;
const bulkRounds = 5;

type Variant = 'HTTP' | 'one INSERT per request' | 'bare INSERTs';
/** In creates per second. */
type CreateFigures = Partial<Record<Variant, Figures>>;
/** In ms per call. */
type BulkCreateFigures = Partial<Record<'HTTP' | 'bare SQL', Figures>>;

export async function creates(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const oneByOne = limitSetting('createsTogetherMax', 1);
  const shipped = await stage.startService({ databaseUrl });
  const apart = oneByOne && (await stage.startService({ databaseUrl, environment: oneByOne }));
  const { quick } = stage.options;

  const singles: { concurrency: Concurrency; figures: CreateFigures }[] = [];
  for (const concurrency of concurrencies) {
    progress(`creates, ${concurrency} concurrent`);
    const pool = openPool(databaseUrl, Math.min(concurrency, connectionsMax));
    const count = createsPerRound[concurrency];
    const variants = {
      HTTP: () => createRate(shipped, count, concurrency),
      ...(apart && { 'one INSERT per request': () => createRate(apart, count, concurrency) }),
      'bare INSERTs': async () =>
        (count / (await createInBareSql(pool, newUsers(count), concurrency))) * 1_000,
    };
    // Code that has run only a few times is slow: in the first thousand creates, by half.
    await interleaved(quick ? 1 : warmUpRounds[concurrency], variants);
    singles.push({ concurrency, figures: await interleaved(quick ? 2 : rounds, variants) });
    await pool.end();
  }
  await apart?.stop();

  progress(`bulk create of ${bulkItems.toLocaleString('en')} users`);
  const bulk = await measureBulk(stage, shipped, databaseUrl);
  await shipped.stop();
  return reportOf(singles, bulk, apart !== undefined);
}

function openPool(databaseUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max });
  pool.on('error', () => {}); // PostgreSQL stops first if the run is interrupted
  return pool;
}

async function measureBulk(stage: Stage, service: Service, databaseUrl: string): Promise<BulkCreateFigures> {
  const client = await stage.connect(databaseUrl);
  const variants = {
    HTTP: async () => (await bulkOverHttp(service, '/service/users/create-bulk', newUsers(bulkItems))).ms,
    'bare SQL': () => createBulkInBareSql(client, newUsers(bulkItems)),
  };
  await interleaved(1, variants);
  return interleaved(stage.options.quick ? 1 : bulkRounds, variants);
}

function reportOf(
  singles: readonly { concurrency: Concurrency; figures: CreateFigures }[],
  bulk: BulkCreateFigures,
  canBeApart: boolean,
): Section {
  const singleRows = singles.flatMap(({ concurrency, figures }) =>
    Object.entries(figures).map(([variant, each]) => [
      String(concurrency),
      variant,
      shown(each.median),
      spread(each),
      shown(ratio(each, figures['bare INSERTs'])),
      `${each.rounds} × ${createsPerRound[concurrency].toLocaleString('en')}`,
    ]),
  );
  const bulkRows = Object.entries(bulk).map(([variant, each]) => [
    variant,
    shown(each.median),
    spread(each),
    shown((each.median / bulkItems) * 1_000),
    shown(ratio(each, bulk['bare SQL'])),
    String(each.rounds),
  ]);
  return {
    title: 'Create',
    intro: `Single creates, each concurrent request on its own connection, and bare INSERTs on at most ${connectionsMax} connections, as many as
the service has. Each writes the user, the password message and the change log in one statement. The service combines waiting creates;
"one INSERT per request" is the same service without batching.`,
    tables: [
      {
        caption: 'Creates per second',
        head: ['concurrent', 'variant', 'per second', 'p25 – p75', '× bare INSERTs', 'creates'],
        rows: singleRows,
      },
      {
        caption: `Bulk create of ${bulkItems.toLocaleString('en')} users`,
        head: ['variant', 'ms', 'p25 – p75', 'µs per item', '× bare SQL', 'calls'],
        rows: bulkRows,
      },
    ],
    notes: canBeApart
      ? []
      : ['This service has no setting createsTogetherMax, so every create is one INSERT.'],
    targets: targetsOf(singles, bulk, canBeApart),
    data: { singles, bulk },
  };
}

function targetsOf(
  singles: readonly { concurrency: Concurrency; figures: CreateFigures }[],
  bulk: BulkCreateFigures,
  canBeApart: boolean,
): Target[] {
  const together = singles.map(({ concurrency, figures }) => {
    const min = concurrency === 1 ? 0.95 : 2;
    const times = ratio(figures.HTTP, figures['one INSERT per request']);
    return {
      target: `creates, ${concurrency} concurrent: at least ${min} × one INSERT per request`,
      measured: canBeApart ? `${shown(times)} ×` : 'it uses one INSERT per request',
      met: canBeApart ? times >= min : undefined,
    };
  });
  const times = ratio(bulk.HTTP, bulk['bare SQL']);
  return [
    ...together,
    {
      target: `bulk create of ${bulkItems.toLocaleString('en')} users: at most 1.4 × bare SQL`,
      measured: `${shown(times)} ×`,
      met: times <= 1.4,
    },
  ];
}
