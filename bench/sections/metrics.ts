import { updateOverHttp } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { createRate } from '../http-load.js';
import { untilIndexed } from '../indexed.js';
import { interleaved } from '../interleaved.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';
import { Users, userCount } from '../users.js';

const bulkItems = 10_000;
const createsPerRound = 800;
const concurrent = 32;
const rounds = 25;
/** Metrics may cost this much. */
const costMax = 0.02;

type Variant = 'off' | 'on';
type Measured = Partial<Record<Variant, Figures>>;

/** What metrics cost: the same service with and without them. */
export async function metrics(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(userCount);
  const client = await stage.connect(databaseUrl);
  const users = await Users.read(client);
  const off = await stage.startService({ databaseUrl });
  const token = { ROLLCALL_METRICS_TOKEN: 'a-token-for-the-benchmark' };
  const on = await stage.startService({ databaseUrl, environment: token });
  const { quick } = stage.options;
  const bothOf = (measure: (service: Service) => Promise<number>) => {
    // Either node may index what was written, so the next measurement waits for it.
    const measureAndWait = async (service: Service) => {
      const measured = await measure(service);
      await untilIndexed(client);
      return measured;
    };
    return { off: () => measureAndWait(off), on: () => measureAndWait(on) };
  };
  const measured = async (variants: ReturnType<typeof bothOf>) => {
    await interleaved(quick ? 1 : 5, variants);
    return interleaved(quick ? 2 : rounds, variants);
  };
  progress(`bulk updates of ${bulkItems.toLocaleString('en')} phone numbers`);
  const bulk = await measured(
    bothOf((service) => updateOverHttp(service, users.changes(bulkItems, 'phones'))),
  );
  progress(`creates, ${concurrent} concurrent`);
  const creates = await measured(bothOf((service) => createRate(service, createsPerRound, concurrent)));
  await off.stop();
  await on.stop();
  return reportOf(bulk, creates);
}

function reportOf(bulk: Measured, creates: Measured): Section {
  const rowsOf = (name: string, figures: Measured) =>
    Object.entries(figures).map(([variant, each]) => [
      name,
      variant,
      shown(each.median),
      spread(each),
      shown(ratio(each, figures.off)),
      String(each.rounds),
    ]);
  // Times for calls, rates for creates.
  const bulkCost = ratio(bulk.on, bulk.off) - 1;
  const createCost = 1 - ratio(creates.on, creates.off);
  return {
    title: 'Metrics',
    intro: `The service with and without metrics, alternately: bulk updates of ${bulkItems.toLocaleString('en')} phone numbers, in ms, and
single creates from ${concurrent} connections, per second.`,
    tables: [
      {
        caption: 'What metrics cost',
        head: ['what', 'metrics', 'median', 'p25 – p75', '× off', 'rounds'],
        rows: [...rowsOf('bulk update, ms', bulk), ...rowsOf('creates per second', creates)],
      },
    ],
    notes: [],
    targets: [['bulk updates', bulkCost] as const, ['creates', createCost] as const].map(([name, cost]) => ({
      target: `metrics cost at most ${costMax * 100}% of ${name}`,
      measured: `${shown(cost * 100)}%`,
      met: cost <= costMax,
    })),
    data: { bulk, creates },
  };
}
