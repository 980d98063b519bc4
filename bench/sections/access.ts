import { fileURLToPath } from 'node:url';
import { verify } from '@node-rs/argon2';
import type pg from 'pg';
import { PasswordHasher } from '../../src/domain/passwords/password.js';
import { type Figures, ratio, shown, spread, timedMs } from '../figures.js';
import { createRate, postAll } from '../http-load.js';
import { inParallel } from '../in-parallel.js';
import { interleaved } from '../interleaved.js';
import type { Section, SectionTable } from '../section.js';
import type { Service } from '../service.js';
import { progress, type Stage } from '../stage.js';

const createsPerRound = 600;
const createConcurrency = 32;
const signInConcurrency = 16;
const hashing = { memoryKib: 19_456, passes: 2, concurrency: 0, waitingMax: 256 };
const password = 'correct horse battery staple';
const tokenCostMax = 0.05;
const signInShareMin = 0.9;

/** In creates per second. */
type CreateRates = Partial<Record<'with token check' | 'without token check', Figures>>;
/** In sign-ins per second. */
type SignInRates = Partial<Record<'sign-ins' | 'argon2id alone', Figures>>;

/**
 * The cost of access: checking a token, compared with the same create without it, and sign-ins, compared with argon2id.
 */
export async function access(stage: Stage): Promise<Section> {
  const databaseUrl = await stage.users(10_000);
  const creates = await measureCreates(stage, databaseUrl);
  const { rates, processorShare } = await measureSignIns(stage, databaseUrl);
  return reportOf(creates, rates, processorShare);
}

function roundsOf({ options: { quick, long } }: Stage, usual: number, many: number): number {
  return quick ? 1 : long ? many : usual;
}

async function measureCreates(stage: Stage, databaseUrl: string): Promise<CreateRates> {
  progress('creates with and without token check');
  const entry = [fileURLToPath(new URL('../service-variant.js', import.meta.url))];
  const checked = await stage.startService({ databaseUrl, entry });
  const unchecked = await stage.startService({ databaseUrl, entry, environment: { TOKEN_CHECK: 'off' } });
  const variants = {
    'with token check': () => createRate(checked, createsPerRound, createConcurrency),
    'without token check': () => createRate(unchecked, createsPerRound, createConcurrency),
  };
  await interleaved(2, variants);
  const rates = await interleaved(roundsOf(stage, 8, 30), variants);
  await checked.stop();
  await unchecked.stop();
  return rates;
}

async function measureSignIns(
  stage: Stage,
  databaseUrl: string,
): Promise<{ rates: SignInRates; processorShare: number }> {
  progress('sign-ins and argon2id alone');
  const service = await stage.startService({ databaseUrl });
  // Many, because the cores are not busy at the end of a round.
  const count = stage.options.long ? 400 : 250;
  const usernames = await usersWithPassword(await stage.connect(databaseUrl), count);
  const own = { spentMs: 0 };
  const bare = { spentMs: 0 };
  const variants = {
    'sign-ins': () =>
      spending(
        own,
        () => service.processorMs() ?? Number.NaN,
        () => signInRate(service, usernames),
      ),
    'argon2id alone': () => spending(bare, ownProcessorMs, () => bareRate(count)),
  };
  const rates = await interleaved(roundsOf(stage, 3, 12), variants);
  await service.stop();
  return { rates, processorShare: bare.spentMs / own.spentMs };
}

async function signInRate(service: Service, usernames: readonly string[]): Promise<number> {
  const bodies = usernames.map((username) => JSON.stringify({ username, password }));
  const ms = await postAll(service, '/service/auth/sign-in', bodies, {
    concurrency: signInConcurrency,
    expected: 200,
  });
  return (bodies.length / ms) * 1_000;
}

/** As fast as this machine can verify passwords: as many at once as the thread pool has threads. */
async function bareRate(count: number): Promise<number> {
  const known = await new PasswordHasher(hashing).hash(password);
  const ms = await timedMs(() =>
    inParallel(Array(count).fill(known), 4, async (each: string) => {
      if (!(await verify(each, password))) throw new Error('a verification failed');
    }),
  );
  return (count / ms) * 1_000;
}

/** Adds up the processor time that rounds of sign-ins or verifications take. */
async function spending(
  total: { spentMs: number },
  clockMs: () => number,
  work: () => Promise<number>,
): Promise<number> {
  const before = clockMs();
  const rate = await work();
  total.spentMs += clockMs() - before;
  return rate;
}

function ownProcessorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Each user signs in once per round, because concurrent attempts for one username would count as guesses. */
async function usersWithPassword(client: pg.Client, count: number): Promise<string[]> {
  const passwordHash = await new PasswordHasher(hashing).hash(password);
  const { rows } = await client.query<{ username: string }>(
    `WITH chosen AS (SELECT serial, username FROM users WHERE username <> 'admin' AND is_active LIMIT $1),
          passwords AS (INSERT INTO credentials (user_serial, password_hash, must_change)
                        SELECT serial, $2, false FROM chosen)
     SELECT username FROM chosen`,
    [count, passwordHash],
  );
  return rows.map(({ username }) => username);
}

function reportOf(creates: CreateRates, signIns: SignInRates, processorShare: number): Section {
  const cost = 1 - ratio(creates['with token check'], creates['without token check']);
  const share = ratio(signIns['sign-ins'], signIns['argon2id alone']);
  const percent = (value: number) => `${(value * 100).toFixed(1)}%`;
  return {
    title: 'Access',
    intro: `How much checking a token adds to a create, and how close sign-ins come to the speed of argon2id, which is most of their work. PostgreSQL
and the load use the same cores.`,
    tables: [
      tableOf(`Creates, ${createConcurrency} concurrent`, creates),
      tableOf(`Sign-ins, ${signInConcurrency} concurrent`, signIns),
    ],
    notes: [`argon2id takes ${percent(processorShare)} of the service's processor time.`],
    targets: [
      {
        target: `checking tokens costs at most ${tokenCostMax * 100}% of the create rate`,
        measured: percent(cost),
        met: cost <= tokenCostMax,
      },
      {
        target: `sign-ins reach ${signInShareMin * 100}% of argon2id alone`,
        measured: percent(share),
        met: share >= signInShareMin,
      },
    ],
    data: { creates, signIns, processorShare },
  };
}

function tableOf(caption: string, rates: Partial<Record<string, Figures>>): SectionTable {
  return {
    caption,
    head: ['', 'per second', 'p25 – p75', 'rounds'],
    rows: Object.entries(rates).flatMap(([name, figures]) =>
      figures ? [[name, shown(figures.median), spread(figures), String(figures.rounds)]] : [],
    ),
  };
}
