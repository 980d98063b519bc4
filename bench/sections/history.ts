import type pg from 'pg';
import { updateOverHttp } from '../bulk-calls.js';
import { type Figures, quantile, ratio, shown, spread, timedMs } from '../figures.js';
import { untilIndexed } from '../indexed.js';
import { interleaved } from '../interleaved.js';
import type { Section } from '../section.js';
import { progress, type Stage } from '../stage.js';
import { seededRandom, Users, userCount } from '../users.js';

const size = 10_000;
const ratioMax = 1.3;
const renamesPerUser = 2;
const lookups = 500;

/** Calls that name users as they were named earlier, and what became of an employee ID, years later. */
export async function history(stage: Stage): Promise<Section> {
  const calls = await callsAsOf(stage);
  const ids = await formerIds(stage);
  const asOfRatio = ratio(calls['as of earlier'], calls.now);
  return {
    title: 'Employee IDs over time',
    intro: `Updates of ${size.toLocaleString('en')} phones among ${userCount.toLocaleString('en')} users, with and without \`?asOf=\`, alternately. Below, \`GET /service/employee-ids/{id}\` for
random IDs of the past, one at a time, next to the two index lookups that it needs in plain SQL.`,
    tables: [
      {
        caption: 'Bulk updates, ms',
        head: ['', 'median', 'p25 – p75', '× without', 'calls'],
        rows: Object.entries(calls).map(([name, figures]) => [
          name === 'now' ? 'without `asOf`' : '`asOf` an hour before',
          shown(figures.median),
          spread(figures),
          shown(ratio(figures, calls.now)),
          String(figures.rounds),
        ]),
      },
      {
        caption: `${ids.users.toLocaleString('en')} users, ${ids.renames.toLocaleString('en')} renames in ten years, ms`,
        head: ['', 'median', 'p95', 'worst'],
        rows: [
          ['the service', ...figuresIn(ids.http)],
          ['bare SQL', ...figuresIn(ids.sql)],
        ],
      },
    ],
    notes: [],
    targets: [
      {
        target: `${size.toLocaleString('en')} items with asOf: at most ${ratioMax} × without`,
        measured: `${shown(asOfRatio)} ×`,
        met: asOfRatio <= ratioMax,
      },
    ],
    data: { calls, ids: { ...ids, http: figuresIn(ids.http), sql: figuresIn(ids.sql) } },
  };
}

async function callsAsOf(stage: Stage): Promise<Record<'now' | 'as of earlier', Figures>> {
  const databaseUrl = await stage.users(userCount);
  const client = await stage.connect(databaseUrl);
  const service = await stage.startService({ databaseUrl });
  const users = await Users.read(client);
  progress('as of an earlier time');
  // The log has to go back further than the calls do.
  await updateOverHttp(service, users.changes(size, 'phones'));
  await client.query("UPDATE changes SET at = at - interval '2 hours'");
  const asOf = encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString());
  const update = (query: string) => async () => {
    await untilIndexed(client);
    return updateOverHttp(service, users.changes(size, 'phones'), query);
  };
  const variants = { now: update(''), 'as of earlier': update(`?asOf=${asOf}`) };
  if (!stage.options.quick) await interleaved(3, variants);
  const figures = await interleaved(stage.options.quick ? 2 : 12, variants);
  await service.stop();
  return figures as Record<keyof typeof variants, Figures>;
}

interface FormerIds {
  readonly users: number;
  readonly renames: number;
  readonly http: readonly number[];
  readonly sql: readonly number[];
}

async function formerIds(stage: Stage): Promise<FormerIds> {
  const users = stage.options.quick ? 50_000 : 1_000_000;
  const databaseUrl = await stage.users(users);
  const client = await stage.connect(databaseUrl);
  progress(`${renamesPerUser} renames of each of ${users.toLocaleString('en')} users`);
  await fillFormerIds(client);
  const service = await stage.startService({ databaseUrl });
  const [reader] = await service.lightClients(1);
  if (!reader) throw new Error('no connection');
  const random = seededRandom(11);
  const http: number[] = [];
  const sql: number[] = [];
  for (let round = 0; round < lookups; round++) {
    const number = 1 + Math.floor(random() * users);
    const id = `F${1 + (round % renamesPerUser)}X${number}`;
    http.push(
      await timedMs(async () => {
        const { status, text } = await reader.get(`/service/employee-ids/${id}`, service.token);
        if (status !== 200 || !text.includes('formerHolders')) throw new Error(`${id}: ${text}`);
      }),
    );
    sql.push(await timedMs(() => lookUp(client, id)));
  }
  reader.close();
  await service.stop();
  await client.query('TRUNCATE former_names');
  // The first requests to a service are slow, whatever they are.
  return { users, renames: users * renamesPerUser, http: http.slice(50), sql: sql.slice(50) };
}

async function fillFormerIds(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO former_names (kind, name, user_serial, held_since, held_until, seq, next_name)
     SELECT 'employeeID', 'F' || n || 'X' || substr(employee_id, 2), serial,
            now() - make_interval(years => 10 - 4 * (n - 1)), now() - make_interval(years => 10 - 4 * n),
            -row_number() OVER (), CASE n WHEN $1 THEN employee_id ELSE 'F' || n + 1 || 'X' || substr(employee_id, 2) END
     FROM users, generate_series(1, $1::int) AS n`,
    [renamesPerUser],
  );
  await client.query('VACUUM ANALYZE former_names');
}

async function lookUp(client: pg.Client, id: string): Promise<void> {
  await client.query({
    name: 'former-holders',
    text: `SELECT user_serial FROM former_names WHERE kind = 'employeeID' AND name = $1
           UNION ALL SELECT serial FROM users WHERE employee_id = $1`,
    values: [id],
  });
}

function figuresIn(times: readonly number[]): string[] {
  const sorted = times.toSorted((a, b) => a - b);
  return [0.5, 0.95, 1].map((share) => shown(quantile(sorted, share)));
}
