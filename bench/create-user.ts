import pg from 'pg';
import { newSerial } from '../src/domain/serial.js';
import { textArray } from '../src/storage/sql-arrays.js';
import { type Figures, figuresOf, timedMs } from './figures.js';
import type { Service } from './processes.js';

export const concurrencies = [1, 32] as const;
export type Concurrency = (typeof concurrencies)[number];
/** In creates per second. */
export type CreateFigures = Record<Concurrency, { HTTP: Figures; 'bare SQL': Figures }>;

const rounds = 9;
export const createsPerRound: Record<Concurrency, number> = { 1: 200, 32: 1_000 };
/** The service's own default for its pool. */
const connectionsMax = 10;

interface NewPerson {
  readonly employeeID: string;
  readonly name: string;
  readonly username: string;
  readonly email: string;
  readonly phone: string;
  readonly isActive: boolean;
  readonly tagSerials: readonly string[];
  readonly organizationSerial: string;
}

type Create = (people: readonly NewPerson[], concurrency: Concurrency) => Promise<number>;

export async function measureCreateUser(service: Service, databaseUrl: string): Promise<CreateFigures> {
  const pools = { 1: openPool(databaseUrl, 1), 32: openPool(databaseUrl, connectionsMax) };
  const creates: Record<'HTTP' | 'bare SQL', Create> = {
    HTTP: (people, concurrency) => overHttp(service, people, concurrency),
    'bare SQL': (people, concurrency) => inBareSql(pools[concurrency], people, concurrency),
  };
  const rates = { 1: { HTTP: [], 'bare SQL': [] }, 32: { HTTP: [], 'bare SQL': [] } } as Record<
    Concurrency,
    Record<'HTTP' | 'bare SQL', number[]>
  >;
  for (let round = -1; round < rounds; round++) {
    for (const concurrency of concurrencies) {
      for (const variant of round % 2 === 0
        ? (['HTTP', 'bare SQL'] as const)
        : (['bare SQL', 'HTTP'] as const)) {
        const count = createsPerRound[concurrency];
        const ms = await creates[variant](newPeople(count), concurrency);
        const isWarmUp = round < 0;
        if (!isWarmUp) rates[concurrency][variant].push((count / ms) * 1_000);
      }
    }
  }
  await Promise.all(Object.values(pools).map((pool) => pool.end()));
  const figures = (concurrency: Concurrency) => ({
    HTTP: figuresOf(rates[concurrency].HTTP),
    'bare SQL': figuresOf(rates[concurrency]['bare SQL']),
  });
  return { 1: figures(1), 32: figures(32) };
}

function openPool(databaseUrl: string, max: number): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max });
  pool.on('error', () => {}); // PostgreSQL goes away first when the run is interrupted
  return pool;
}

let made = 0;

export function newPeople(count: number): NewPerson[] {
  return Array.from({ length: count }, () => {
    const number = ++made;
    return {
      employeeID: `N${number}`,
      name: 'Margaret Hamilton',
      username: `new${number}`,
      email: `new${number}@example.com`,
      phone: `+49 89 ${1_000_000 + number}`,
      isActive: true,
      tagSerials: [`TAG${number % 50}`, `TAG${(number + 1) % 50}`],
      organizationSerial: `ORG${number % 200}`,
    };
  });
}

async function overHttp(
  service: Service,
  people: readonly NewPerson[],
  concurrency: number,
): Promise<number> {
  const bodies = people.map((person) => JSON.stringify(person));
  return timedMs(() =>
    inParallel(bodies, concurrency, async (body) => {
      const { status, text } = await service.post('/service/users', body);
      if (status !== 201) throw new Error(`a create failed: ${text}`);
    }),
  );
}

async function inBareSql(pool: pg.Pool, people: readonly NewPerson[], concurrency: number): Promise<number> {
  return timedMs(() =>
    inParallel(people, concurrency, async (person) => {
      const { serial, createdAt } = newSerial();
      await pool.query({
        name: 'bare-insert',
        text: `WITH created AS (
                 INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
                                    organization_serial, tag_serials)
                 VALUES ($1, $2, $2, $3, $4, $5, $6, $7, $8, $9, $10))
               INSERT INTO changes (user_serial, version, employee_id, kind, fields)
               VALUES ($1, 1, $3, 'created', $11)`,
        values: [
          serial,
          createdAt,
          person.employeeID,
          person.name,
          person.username,
          person.email,
          person.phone,
          person.isActive,
          person.organizationSerial,
          textArray(person.tagSerials),
          JSON.stringify(person),
        ],
      });
    }),
  );
}

export async function inParallel<T>(
  list: readonly T[],
  concurrency: number,
  work: (entry: T) => Promise<void>,
): Promise<void> {
  const entries = list.values();
  const worker = async () => {
    for (const entry of entries) await work(entry);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}
