import { get } from 'node:http';
import type pg from 'pg';
import { type Figures, ratio, shown, spread, timedMs } from '../figures.js';
import { interleaved } from '../interleaved.js';
import type { Section } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';

const rounds = 3;
const rateMin = 20_000;
const memoryGrowthMax = 1.1;
const rowsAtOnce = 1_000;

/** In changes per second. */
type Rates = Partial<Record<'stream' | 'bare SQL', Figures>>;

/** In MB; undefined if the memory of a process cannot be read. */
interface Memory {
  readonly idle: number;
  readonly firstHalf: number;
  readonly secondHalf: number;
}

/**
 * How fast a reader that is far behind catches up through the event stream, and how much memory that takes, compared
 * with reading the same rows directly.
 */
export async function events(stage: Stage): Promise<Section> {
  const { quick, long } = stage.options;
  const changes = quick ? 20_000 : long ? 1_000_000 : 250_000;
  const databaseUrl = await stage.users(10_000);
  const client = await stage.connect(databaseUrl);
  progress(`writing ${changes.toLocaleString('en')} changes`);
  await fillChanges(client, changes);
  const service = await stage.startService({ databaseUrl });
  await service.collectGarbage();
  const idle = service.residentMb();

  progress('reading the changes');
  const seen: number[] = [];
  const perSecond = (ms: number) => (changes / ms) * 1_000;
  await overHttp(service, changes, []); // until then, the heap grows to what a stream needs
  const rates = await interleaved(quick ? 1 : rounds, {
    stream: async () => perSecond(await timedMs(() => overHttp(service, changes, seen))),
    'bare SQL': async () => perSecond(await timedMs(() => inBareSql(client))),
  });
  await service.stop();
  const half = seen.length >> 1;
  return reportOf(
    changes,
    rates,
    idle === undefined
      ? undefined
      : {
          idle,
          firstHalf: Math.max(...seen.slice(0, half)),
          secondHalf: Math.max(...seen.slice(half)),
        },
  );
}

async function fillChanges(client: pg.Client, changes: number): Promise<void> {
  await client.query(
    `INSERT INTO changes (user_serial, version, employee_id, kind, fields, call_id, actor_kind, actor_id, request_id)
     SELECT gen_random_uuid(), 2, 'E' || i, 'updated',
            json_build_object('phone', json_build_object('before', '+49 30 ' || i, 'after', '+49 40 ' || i)),
            '0198c0de-7a11-7000-8000-5f1e2d3c4b5d', 'client', 'bench', 'nightly-2026-11-15'
     FROM generate_series(1, $1::int) AS i`,
    [changes],
  );
  await client.query('VACUUM ANALYZE changes');
}

async function inBareSql(client: pg.Client): Promise<void> {
  for (let after = 0, read = rowsAtOnce; read === rowsAtOnce; ) {
    const { rows } = await client.query({
      name: 'bare-feed',
      text: 'SELECT * FROM changes WHERE seq > $1 ORDER BY seq LIMIT $2',
      values: [after, rowsAtOnce],
      rowMode: 'array',
    });
    read = rows.length;
    after = Number(rows.at(-1)?.[0] ?? after);
  }
}

/** Counts the events in the stream until all have arrived, and samples the memory of the service. */
function overHttp(service: Service, changes: number, seen: number[]): Promise<void> {
  const looking = setInterval(() => seen.push(service.residentMb() ?? 0), 100);
  return new Promise<void>((resolve, reject) => {
    const headers = { authorization: `Bearer ${service.token}`, 'last-event-id': '0' };
    const reading = get(`${service.url}/service/events`, { headers }, (response) => {
      let events = 0;
      let rest = '';
      response.setEncoding('utf8').on('data', (text: string) => {
        const parts = (rest + text).split('\n\n');
        rest = parts.pop() ?? '';
        for (const part of parts) if (part.includes('\ndata: ')) events++;
        if (events < changes) return;
        reading.destroy();
        resolve();
      });
      response.on('end', () => reject(new Error(`the stream ended after ${events} events`)));
    });
    reading.on('error', reject);
  }).finally(() => clearInterval(looking));
}

function reportOf(changes: number, rates: Rates, memory: Memory | undefined): Section {
  const rate = rates.stream?.median ?? Number.NaN;
  const growth = memory && memory.secondHalf / memory.firstHalf;
  return {
    title: 'Events',
    intro: `A reader that is ${changes.toLocaleString('en')} changes behind catches up through the event stream, compared with reading the same rows in bare SQL.`,
    tables: [
      {
        caption: 'Changes per second',
        head: ['variant', 'per second', 'p25 – p75', '× bare SQL', 'rounds'],
        rows: Object.entries(rates).map(([name, each]) => [
          name,
          shown(each.median),
          spread(each),
          shown(ratio(each, rates['bare SQL'])),
          String(each.rounds),
        ]),
      },
      ...(memory
        ? [
            {
              caption: 'Memory of the service during the stream, MB',
              head: ['idle', 'peak in the first half', 'peak in the second half'],
              rows: [[shown(memory.idle), shown(memory.firstHalf), shown(memory.secondHalf)]],
            },
          ]
        : []),
    ],
    notes: [],
    targets: [
      {
        target: `at least ${rateMin.toLocaleString('en')} changes per second`,
        measured: shown(rate),
        met: rate >= rateMin,
      },
      {
        target: `memory stays flat: the second half at most ${memoryGrowthMax} × the first`,
        measured: growth === undefined ? 'not measured here' : `${shown(growth)} ×`,
        met: growth === undefined ? undefined : growth <= memoryGrowthMax,
      },
    ],
    data: { changes, rates, memory },
  };
}
