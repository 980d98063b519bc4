import type pg from 'pg';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { interleaved } from '../interleaved.js';
import type { LightClient } from '../light-client.js';
import { type Reading, readingsOf } from '../readings.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';

const rounds = 6;
/** Short, and compared with a target. */
const plainRounds = 15;
/** Enough requests per measurement that the clock resolution does not matter. */
const batchMs = 20;
const batchMax = 20;
/** Queries that take longer are cancelled. */
const patienceMs = 1_000;
const slowMs = 200;
const growthMax = 1.3;

type Variant = 'few' | 'few, bare SQL' | 'many' | 'many, bare SQL';

interface Measured {
  readonly name: string;
  readonly isPlain: boolean;
  /** In ms per request. */
  readonly figures: Partial<Record<Variant, Figures>>;
}

interface Library {
  readonly users: number;
  readonly service: Service;
  readonly reader: LightClient;
  readonly client: pg.Client;
  readonly readings: readonly Reading[];
}

export async function reading(stage: Stage): Promise<Section> {
  const fewUsers = 10_000;
  const manyUsers = stage.options.quick ? 50_000 : 1_000_000;
  // Filled before any connection is opened, because that takes longer than a connection may be idle.
  const urls = [await stage.users(fewUsers), await stage.users(manyUsers)] as const;
  const few = await openLibrary(stage, urls[0], fewUsers);
  const many = await openLibrary(stage, urls[1], manyUsers);
  progress('reading');
  // The first requests to a service are slow, whatever they are.
  for (const library of [few, many]) await readOverHttp(library, 1)(300);
  const measured: Measured[] = [];
  for (const [index, { name, isPlain }] of few.readings.entries()) {
    const count = stage.options.quick ? 1 : isPlain ? plainRounds : rounds;
    measured.push({ name, isPlain, figures: await measure(index, count, few, many) });
  }
  for (const { service, reader } of [few, many]) {
    reader.close();
    await service.stop();
  }
  return reportOf(measured, few.users, many.users);
}

async function openLibrary(stage: Stage, databaseUrl: string, users: number): Promise<Library> {
  const client = await stage.connect(databaseUrl);
  const service = await stage.startService({ databaseUrl });
  const [reader] = await service.lightClients(1);
  if (!reader) throw new Error('no connection');
  const readings = await readingsOf(client, users);
  await client.query(`SET statement_timeout = ${patienceMs}`);
  return { users, service, reader, client, readings };
}

async function measure(
  index: number,
  count: number,
  few: Library,
  many: Library,
): Promise<Measured['figures']> {
  const one = {
    few: readOverHttp(few, index),
    'few, bare SQL': readInBareSql(few, index),
    many: readOverHttp(many, index),
    'many, bare SQL': readInBareSql(many, index),
  };
  // Slow reads are measured less often, because a few results are enough.
  const variants: Partial<Record<Variant, (round: number) => Promise<number | undefined>>> = {};
  for (const [name, read] of Object.entries(one) as [Variant, Read][]) {
    const firstMs = await read(1);
    const guessMs = firstMs > slowMs ? firstMs : await read(5);
    const times = Math.max(1, Math.min(batchMax, Math.round(batchMs / guessMs)));
    const everyNth = guessMs > slowMs ? 3 : 1;
    variants[name] = async (round) => (round % everyNth === 0 ? read(times) : undefined);
  }
  return interleaved(count, variants);
}

/** Reads this many times in sequence. Returns ms per read. */
type Read = (times: number) => Promise<number>;

function readOverHttp({ readings, reader, service }: Library, index: number): Read {
  const { requests } = readings[index] as Reading;
  let next = 0;
  return async (times) => {
    const start = performance.now();
    for (let time = 0; time < times; time++) {
      const path = requests[next++ % requests.length]?.path ?? '';
      const { status, text } = await reader.get(path, service.token);
      if (status !== 200) throw new Error(`${path} failed: ${text}`);
    }
    return (performance.now() - start) / times;
  };
}

function readInBareSql({ readings, client }: Library, index: number): Read {
  const { requests, text } = readings[index] as Reading;
  let next = 0;
  return async (times) => {
    const start = performance.now();
    for (let time = 0; time < times; time++) {
      const values = [...(requests[next++ % requests.length]?.values ?? [])];
      const isBrokenOff = await client.query({ text, values }).then(
        () => false,
        (error: { code?: string }) => {
          if (error.code !== '57014') throw error;
          return true;
        },
      );
      if (isBrokenOff) return patienceMs;
    }
    return (performance.now() - start) / times;
  };
}

function reportOf(measured: readonly Measured[], few: number, many: number): Section {
  const growthOf = ({ figures }: Measured) => ratio(figures.many, figures.few);
  const cell = (figures: Figures | undefined) => {
    if (!figures) return '–';
    if (figures.median >= patienceMs) return `> ${shown(patienceMs)}`;
    return `${shown(figures.median)} (${spread(figures)})`;
  };
  const plain = measured.filter(({ isPlain }) => isPlain);
  const worst = plain.reduce((a, b) => (growthOf(b) > growthOf(a) ? b : a));
  const growing = measured.filter((each) => growthOf(each) > 2);
  const users = (count: number) => `${count.toLocaleString('en')} users`;
  return {
    title: 'Reading',
    intro: `One request at a time over one connection, with pages of 50 users. Times in ms: the median, and the range that contains half of the
measurements. Bare SQL is the query that a developer would write for the same task, on its own connection.`,
    tables: [
      {
        caption: 'Get, list and search, ms',
        head: ['', users(few), 'bare SQL', users(many), 'bare SQL', 'growth'],
        rows: measured.map((each) => [
          each.name,
          cell(each.figures.few),
          cell(each.figures['few, bare SQL']),
          cell(each.figures.many),
          cell(each.figures['many, bare SQL']),
          shown(growthOf(each)),
        ]),
      },
    ],
    notes:
      growing.length === 0
        ? []
        : [`More than twice as slow with ${users(many)}: ${growing.map(({ name }) => name).join('; ')}.`],
    targets: [
      {
        target: `a user and unfiltered pages with ${users(many)}: less than ${growthMax} × the time with ${users(few)}`,
        measured: `${shown(growthOf(worst))} × at most (${worst.name})`,
        met: growthOf(worst) < growthMax,
      },
    ],
    data: measured,
  };
}
