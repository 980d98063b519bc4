import { itemOf } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { createRate, postAll } from '../http-load.js';
import { interleaved } from '../interleaved.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage, serveKnows } from '../stage.js';
import { Users, userCount } from '../users.js';

const rounds = 8;
const creates = 1_200;
const createsAtOnce = 32;
const calls = 12;
const callsAtOnce = 4;
const items = 1_000;

type Variant = 'one worker' | 'two workers';
type Rates = Partial<Record<Variant, Figures>>;

export async function workers(stage: Stage): Promise<Section> {
  if (!serveKnows('--workers')) return skipped();
  const databaseUrl = await stage.users(userCount);
  const users = await Users.read(await stage.connect(databaseUrl));
  const start = (count: number) =>
    stage.startService({ databaseUrl, entry: ['dist/cli.js', 'serve', '--workers', String(count)] });
  const one = await start(1);
  const two = await start(2);
  const count = stage.options.quick ? 1 : rounds;

  progress('creates with one and two workers');
  const created = await measured(count, one, two, (service) => createRate(service, creates, createsAtOnce));
  progress('bulk calls with one and two workers');
  const updated = await measured(count, one, two, (service) => itemRate(service, users));
  await one.stop();
  await two.stop();
  return reportOf(created, updated);
}

async function measured(
  count: number,
  one: Service,
  two: Service,
  measure: (service: Service) => Promise<number>,
): Promise<Rates> {
  const variants = { 'one worker': () => measure(one), 'two workers': () => measure(two) };
  await interleaved(2, variants);
  return interleaved(count, variants);
}

/** Items per second. */
async function itemRate(service: Service, users: Users): Promise<number> {
  const bodies = Array.from({ length: calls }, () =>
    JSON.stringify({ items: users.changes(items, 'phones').map(itemOf) }),
  );
  const ms = await postAll(service, '/service/users/update-bulk', bodies, {
    concurrency: callsAtOnce,
    expected: 200,
  });
  return ((calls * items) / ms) * 1_000;
}

function reportOf(created: Rates, updated: Rates): Section {
  const rows = (what: string, rates: Rates) =>
    Object.entries(rates).map(([variant, figures]) => [
      what,
      variant,
      shown(figures.median),
      spread(figures),
      shown(ratio(figures, rates['one worker'])),
    ]);
  return {
    title: 'Workers',
    intro: `The same service with one worker and with two, measured alternately on one PostgreSQL server. The load, the workers and the database share
the machine's cores, so two workers gain only what the database leaves.`,
    tables: [
      {
        caption: 'Per second',
        head: ['', 'variant', 'per second', 'p25 – p75', '× one worker'],
        rows: [
          ...rows(`creates, ${createsAtOnce} at once`, created),
          ...rows(`items in calls of ${items.toLocaleString('en')}, ${callsAtOnce} concurrent`, updated),
        ],
      },
    ],
    notes: [],
    data: { created, updated },
  };
}

function skipped(): Section {
  const reason = 'Skipped: this service has no --workers option.';
  process.stderr.write(`  ${reason}\n`);
  return { title: 'Workers', intro: reason, tables: [], notes: [], data: null };
}
