import { join } from 'node:path';
import type pg from 'pg';
import { bulkOverHttp } from '../bulk-calls.js';
import { type Figures, ratio, shown, spread } from '../figures.js';
import { interleaved, type Measure } from '../interleaved.js';
import type { Section, Target } from '../section.js';
import { install } from './install.js';
import type { Change, User } from './peer.js';
import { record } from './rollcall.js';
import { type BulkKind, bulkRate, createRate, patchRate, type ScimService } from './scim-load.js';
import { scimmy, startScimmy } from './scimmy.js';
import {
  createDatabase,
  type Progress,
  postgresVersion,
  type Surroundings,
  withSurroundings,
} from './surroundings.js';
import { changesFor, filledCount, firstUsers, newUser } from './users.js';

const clients = 32;
const requestsPerRound = 800;
const bulkOperations = 1_000;
const rounds = 7;
const warmUpRounds = 2;

const kinds = ['create', 'PATCH', 'Bulk POST', 'Bulk PUT', 'Bulk PATCH'] as const;
type Kind = (typeof kinds)[number];

const singlesAtLeast = 5;
const bulkAtLeast = 30;

const variants = ['Rollcall', 'Rollcall without SCIM', 'SCIMMY'] as const;
type Variant = (typeof variants)[number];

/** In users per second. */
type Rates = Partial<Record<Variant, Figures>>;

interface Entry {
  readonly service: ScimService;
  readonly database: pg.Client;
  stop(): Promise<void>;
}

/** The SCIM interface next to SCIMMY, and the same changes by the bulk calls of the API. */
export function compareScim(
  progress: Progress,
  { quick }: { readonly quick: boolean },
): Promise<{ readonly postgres: string; readonly section: Section }> {
  return withSurroundings(progress, async (surroundings) => {
    const entries: Entry[] = [];
    try {
      progress('starting and filling');
      const ours = await enterRollcall(surroundings);
      entries.push(ours);
      const theirs = await enterScimmy(surroundings);
      entries.push(theirs);
      for (const { service, database } of entries) await fill(service, database);
      const measured: { kind: Kind; rates: Rates }[] = [];
      for (const kind of kinds) {
        progress(kind);
        const measures = measuresOf(kind, ours, theirs);
        await interleaved(quick ? 1 : warmUpRounds, measures);
        measured.push({ kind, rates: await interleaved(quick ? 3 : rounds, measures) });
      }
      return { postgres: await postgresVersion(surroundings.databaseUrl), section: sectionOf(measured) };
    } finally {
      for (const { stop, database } of entries) {
        await stop();
        await database.end().catch(() => {});
      }
    }
  });
}

interface OurEntry extends Entry {
  /** Sends items to a bulk call of the API. Returns users per second. */
  bulk(path: string, items: readonly object[]): Promise<number>;
}

async function enterRollcall({ databaseUrl: server, startService }: Surroundings): Promise<OurEntry> {
  const { databaseUrl, database } = await createDatabase(server, 'rollcall');
  const rollcall = await startService({ databaseUrl, environment: { NODE_ENV: 'production' } });
  const { url, token } = rollcall;
  return {
    service: { url, path: '/scim/v2', token, hasEmployeeNumbers: true, ids: new Map() },
    database,
    stop: () => rollcall.stop(),
    bulk: async (path, items) => (items.length / (await bulkOverHttp(rollcall, path, items)).ms) * 1_000,
  };
}

async function enterScimmy({ databaseUrl: server, home, signal }: Surroundings): Promise<Entry> {
  const folder = join(home, 'scimmy');
  await install(scimmy, folder, signal);
  const { databaseUrl, database } = await createDatabase(server, 'scimmy');
  const { url, token, program } = await startScimmy({ databaseUrl, folder, signal });
  return {
    service: { url, path: '/scim', token, hasEmployeeNumbers: false, ids: new Map() },
    database,
    stop: () => program.stop(),
  };
}

/** Every service creates its users by SCIM, so that it knows them as those of a provider. */
async function fill(service: ScimService, database: pg.Client): Promise<void> {
  const users = firstUsers();
  for (let from = 0; from < filledCount; from += bulkOperations) {
    await bulkRate(service, 'POST', users.slice(from, from + bulkOperations));
  }
  await database.query('VACUUM ANALYZE');
}

function measuresOf(kind: Kind, ours: OurEntry, theirs: Entry): Partial<Record<Variant, Measure>> {
  if (kind === 'create') {
    const measure = (service: ScimService) => () => createRate(service, newOnes(requestsPerRound), clients);
    return { Rollcall: measure(ours.service), SCIMMY: measure(theirs.service) };
  }
  if (kind === 'PATCH') {
    const measure = (entry: Entry) => () =>
      checked(entry, changesFor(requestsPerRound), (changes) => patchRate(entry.service, changes, clients));
    return { Rollcall: measure(ours), SCIMMY: measure(theirs) };
  }
  const bulk = kind.slice('Bulk '.length) as BulkKind;
  const users = () => (bulk === 'POST' ? newOnes(bulkOperations) : changesFor(bulkOperations));
  const measure = (entry: Entry) => () =>
    checked(entry, users(), (each) => bulkRate(entry.service, bulk, each));
  const without = () =>
    checked(ours, users(), (each) =>
      bulk === 'POST'
        ? ours.bulk('/service/users/create-bulk', each.map(record))
        : ours.bulk(
            '/service/users/update-bulk',
            each.map(({ employeeID, name, phone }) => ({ employeeID, name, phone, isActive: true })),
          ),
    );
  return { Rollcall: measure(ours), 'Rollcall without SCIM': without, SCIMMY: measure(theirs) };
}

function newOnes(count: number): User[] {
  return Array.from({ length: count }, newUser);
}

/** Checks afterwards, outside the measured time, that the database contains what was sent. */
async function checked(
  { database }: Entry,
  changes: readonly Change[],
  measure: (changes: readonly Change[]) => Promise<number>,
): Promise<number> {
  const rate = await measure(changes);
  const { rowCount } = await database.query('SELECT FROM users WHERE phone = ANY ($1)', [
    changes.map(({ phone }) => phone),
  ]);
  if (rowCount !== changes.length) throw new Error(`${rowCount} of ${changes.length} users were written`);
  return rate;
}

function sectionOf(measured: readonly { readonly kind: Kind; readonly rates: Rates }[]): Section {
  const rows = measured.flatMap(({ kind, rates }) =>
    variants.flatMap((variant) => {
      const figures = rates[variant];
      if (!figures) return [];
      const times = ratio(figures, rates.SCIMMY);
      return [[kind, variant, shown(figures.median), spread(figures), shown(times), String(figures.rounds)]];
    }),
  );
  return {
    title: 'SCIM',
    intro: `The SCIM interface next to ${scimmy.name} ${scimmy.version}, measured alternately: single creates and PATCHes, with ${clients} clients at once, and
Bulk requests with ${bulkOperations.toLocaleString('en')} operations. A PUT and a PATCH change the name and the phone number. "Without SCIM" are the same changes
by the bulk calls of the API. Each service starts with ${filledCount.toLocaleString('en')} users.`,
    tables: [
      {
        caption: 'Users per second',
        head: ['', 'variant', 'per second', 'p25 – p75', '× SCIMMY', 'rounds'],
        rows,
      },
    ],
    notes: scimmy.remarks,
    targets: measured.map(({ kind, rates }): Target => {
      const min = kind.startsWith('Bulk') ? bulkAtLeast : singlesAtLeast;
      const times = ratio(rates.Rollcall, rates.SCIMMY);
      return {
        target: `${kind}: at least ${min} × SCIMMY`,
        measured: `${shown(times)} ×`,
        met: times >= min,
      };
    }),
    data: measured,
  };
}
