/**
 * What access costs: the check of a token beside the same create without it, and sign-ins beside argon2id alone. Run it
 * with `npm run bench:access`.
 */
import { verify } from '@node-rs/argon2';
import pg from 'pg';
import { table } from '../src/cli/terminal.js';
import { PasswordHasher } from '../src/domain/passwords/password.js';
import { inParallel, newPeople } from './create-user.js';
import { figuresOf, shown, spread, timedMs } from './figures.js';
import { type Service, withPostgres } from './processes.js';

const createRounds = 30;
const createsPerRound = 600;
const createConcurrency = 32;
const signInRounds = 12;
/** Many, since at the end of a round the cores are not busy. */
const signInsPerRound = 400;
const signInConcurrency = 16;
const hashing = { memoryKib: 19_456, passes: 2, atOnce: 0, waitingMax: 256 };
const password = 'correct horse battery staple';

await withPostgres(async (bench) => {
  const service = await bench.startService();
  const entry = ['node_modules/.cache/bench/bench/service-variant.js'];
  const checked = await bench.startService({ entry });
  const unchecked = await bench.startService({ entry, environment: { TOKEN_CHECK: 'off' } });
  progress('creates with and without the check of the token');
  const creates = await interleaved(createRounds, {
    'with the check': () => createRate(checked),
    'without it': () => createRate(unchecked),
  });
  await checked.stop();
  await unchecked.stop();

  progress('sign-ins and argon2id alone');
  const usernames = await peopleWithPassword(bench.databaseUrl);
  const own = { spentMs: 0, count: 0 };
  const bare = { spentMs: 0, count: 0 };
  const signIns = await interleaved(signInRounds, {
    'sign-ins': () =>
      spending(
        own,
        () => service.processorMs() ?? Number.NaN,
        () => signInRate(service, usernames),
      ),
    'argon2id alone': () => spending(bare, ownProcessorMs, bareRate),
  });
  console.log(report(creates, signIns, bare.spentMs / bare.count / (own.spentMs / own.count)));
});

function progress(step: string): void {
  process.stderr.write(`… ${step}\n`);
}

type Rates<Name extends string> = Record<Name, number[]>;

/** Each in turn, first one and then the other first; the first round only warms up. */
async function interleaved<Name extends string>(
  count: number,
  variants: Record<Name, () => Promise<number>>,
): Promise<Rates<Name>> {
  const names = Object.keys(variants) as Name[];
  const rates = Object.fromEntries(names.map((name) => [name, []])) as unknown as Rates<Name>;
  for (let round = -1; round < count; round++) {
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const rate = await variants[name]();
      if (round >= 0) rates[name].push(rate);
    }
  }
  return rates;
}

async function createRate(service: Service): Promise<number> {
  const bodies = newPeople(createsPerRound).map((person) => JSON.stringify(person));
  return requestRate(service, '/service/users', bodies, createConcurrency, 201);
}

async function signInRate(service: Service, usernames: readonly string[]): Promise<number> {
  const bodies = usernames.map((username) => JSON.stringify({ username, password }));
  return requestRate(service, '/service/auth/sign-in', bodies, signInConcurrency, 200);
}

async function requestRate(
  service: Service,
  path: string,
  bodies: readonly string[],
  concurrency: number,
  expected: number,
): Promise<number> {
  const clients = await service.lightClients(concurrency);
  const left = bodies.values();
  const ms = await timedMs(async () => {
    const load = clients.map(async (client) => {
      for (const body of left) {
        const { status, text } = await client.post(path, body, service.token);
        if (status !== expected) throw new Error(`${path} failed: ${text}`);
      }
    });
    await Promise.all(load);
  });
  for (const client of clients) client.close();
  return perSecond(bodies.length, ms);
}

/** As fast as this machine can compare: as many at once as the thread pool has threads. */
async function bareRate(): Promise<number> {
  const known = await new PasswordHasher(hashing).hash(password);
  const ms = await timedMs(() =>
    inParallel(Array(signInsPerRound).fill(known), 4, async (each: string) => {
      if (!(await verify(each, password))) throw new Error('a comparison failed');
    }),
  );
  return perSecond(signInsPerRound, ms);
}

/** Adds up the processor time that a round of sign-ins or comparisons takes. */
async function spending(
  total: { spentMs: number; count: number },
  clockMs: () => number,
  work: () => Promise<number>,
): Promise<number> {
  const before = clockMs();
  const rate = await work();
  total.spentMs += clockMs() - before;
  total.count += signInsPerRound;
  return rate;
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

function perSecond(count: number, ms: number): number {
  return (count / ms) * 1_000;
}

/** Each signs in once a round: attempts of one name at the same time would be held for guesses. */
async function peopleWithPassword(databaseUrl: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const passwordHash = await new PasswordHasher(hashing).hash(password);
  const { rows } = await client.query<{ username: string }>(
    `WITH people AS (SELECT serial, username FROM users WHERE username <> 'admin' LIMIT $1),
          passwords AS (INSERT INTO credentials (user_serial, password_hash, must_change)
                        SELECT serial, $2, false FROM people)
     SELECT username FROM people`,
    [signInsPerRound, passwordHash],
  );
  await client.end();
  return rows.map(({ username }) => username);
}

function report(
  creates: Rates<'with the check' | 'without it'>,
  signIns: Rates<'sign-ins' | 'argon2id alone'>,
  processorShare: number,
): string {
  const rows = (rates: Record<string, number[]>) =>
    Object.entries(rates).map(([name, values]) => {
      const figures = figuresOf(values);
      return [name, shown(figures.median), spread(figures)];
    });
  const cost = 1 - medianRatio(creates['with the check'], creates['without it']);
  const share = medianRatio(signIns['sign-ins'], signIns['argon2id alone']);
  return `
Node ${process.version}. Rates per second, medians of ${createRounds} and ${signInRounds} rounds by turns; ratios are medians of
the rounds' own.

Creates, ${createConcurrency} at once
${table([['', 'per second', 'p25 – p75'], ...rows(creates)])}

Sign-ins, ${signInConcurrency} at once; PostgreSQL and the load take their part of the same cores
${table([['', 'per second', 'p25 – p75'], ...rows(signIns)])}

${table([
  ['target', 'measured', 'verdict'],
  ['a token costs at most 5% of the creates', `${(cost * 100).toFixed(1)}%`, cost <= 0.05 ? 'met' : 'MISSED'],
  ['sign-ins reach 90% of argon2id alone', `${(share * 100).toFixed(1)}%`, share >= 0.9 ? 'met' : 'MISSED'],
  ['of the processor time of the service, argon2id is', `${(processorShare * 100).toFixed(1)}%`, ''],
])}
`;
}

/** Of what was measured one after the other: a machine that slows down slows both. */
function medianRatio(a: readonly number[], b: readonly number[]): number {
  return figuresOf(a.map((value, round) => value / (b[round] as number))).median;
}
