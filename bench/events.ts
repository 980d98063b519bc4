/**
 * How fast a reader who is far behind catches up with the event stream, and how much memory that takes, beside reading
 * the same rows with nothing in between. Run it with `npm run bench:events`.
 */
import { get } from 'node:http';
import pg from 'pg';
import { table } from '../src/cli/terminal.js';
import { figuresOf, shown, spread, timedMs } from './figures.js';
import { type Service, withPostgres } from './processes.js';

const changes = 1_000_000;
const rounds = 3;
const rateMin = 20_000;
const memoryGrowthMax = 1.1;
const rowsAtOnce = 1_000;

await withPostgres(async (bench) => {
  const service = await bench.startService();
  const client = new pg.Client({ connectionString: bench.databaseUrl });
  client.on('error', () => {}); // PostgreSQL goes away first when the run is interrupted
  await client.connect();
  progress(`writing ${changes.toLocaleString('en')} changes`);
  await fillChanges(client);
  await service.collectGarbage();
  const idle = service.residentMb();
  const rates = { stream: [] as number[], 'bare SQL': [] as number[] };
  const memory: number[] = [];
  for (let round = 0; round < rounds; round++) {
    progress(`round ${round + 1} of ${rounds}`);
    rates['bare SQL'].push(perSecond(await timedMs(() => inBareSql(client))));
    rates.stream.push(perSecond(await timedMs(() => overHttp(service, memory))));
  }
  await client.end();
  const figures = { stream: figuresOf(rates.stream), 'bare SQL': figuresOf(rates['bare SQL']) };
  const half = memory.length >> 1;
  const [early, late] = [Math.max(...memory.slice(0, half)), Math.max(...memory.slice(half))];
  console.log(`
A reader ${changes.toLocaleString('en')} changes behind, medians of ${rounds} rounds
${table([
  ['variant', 'changes per second', 'p25 – p75'],
  ...Object.entries(figures).map(([name, each]) => [name, shown(each.median), spread(each)]),
])}

Memory of the service while it serves them, MB
${table([
  ['idle', 'highest of the first half', 'highest of the second half'],
  [shown(idle ?? Number.NaN), shown(early), shown(late)],
])}

Targets
${table([
  ['target', 'measured', 'verdict'],
  [
    `${rateMin.toLocaleString('en')} changes a second or more`,
    shown(figures.stream.median),
    figures.stream.median >= rateMin ? 'met' : 'MISSED',
  ],
  [
    `memory stays flat: the second half at most ${memoryGrowthMax} times the first`,
    idle === undefined ? 'not measured here' : `${shown(late / early)} times`,
    idle === undefined ? 'unknown' : late / early <= memoryGrowthMax ? 'met' : 'MISSED',
  ],
])}
`);
});

function progress(step: string): void {
  process.stderr.write(`… ${step}\n`);
}

function perSecond(ms: number): number {
  return (changes / ms) * 1_000;
}

async function fillChanges(client: pg.Client): Promise<void> {
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

/** Counts the events of the stream until all have come. */
function overHttp(service: Service, memory: number[]): Promise<void> {
  const looking = setInterval(() => memory.push(service.residentMb() ?? 0), 200);
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
