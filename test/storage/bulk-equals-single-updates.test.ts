import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import type { CallMode } from '../../src/contract/calls.js';
import { type Failure, quarantinedOf, takenByOf } from '../../src/contract/errors.js';
import type { Role } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
import type { Preview } from '../../src/domain/bulk/call-errors.js';
import type { IdempotencyKey } from '../../src/domain/bulk/idempotency.js';
import type { ItemOutcome } from '../../src/domain/bulk/outcomes.js';
import type { CallResult } from '../../src/domain/bulk/run-call.js';
import type { Origin, Parsed } from '../../src/domain/read-fields.js';
import { createUsersBulk, previewCreates } from '../../src/domain/users/create-users-bulk.js';
import { previewUpdates, updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { upsertUsersBulk } from '../../src/domain/users/upsert-users-bulk.js';
import {
  type BulkChange,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import { type Database, type Executor, transaction } from '../../src/storage/database.js';
import { requester, settle } from '../support/few-people.js';
import { newSerialOf, updateToFinalState } from '../support/final-state.js';
import {
  createOneByOne,
  type ReferenceOutcome,
  type Rules,
  updateOneByOne,
  upsertOneByOne,
} from '../support/reference-model.js';
import { useOwnService } from '../support/service.js';
import { callerOf, type RunCaller } from '../support/update-runs.js';

/**
 * Random calls full of renames, chains, cycles, duplicates, unknown users, taken usernames and invalid items, with so
 * few names that nearly every call has conflicts. A failing call is minimized and printed with its seed.
 */
// The embedded database runs the same SQL but takes three times as long.
const isEmbedded = inject('engine') === 'embedded';
const callsOfUpdates = isEmbedded ? 30 : 100;
const callsOfCreates = isEmbedded ? 15 : 50;
const callsOfUpserts = isEmbedded ? 20 : 70;
const callsByTheirEnd = isEmbedded ? 15 : 50;
const itemsMax = 30;

const service = useOwnService();

const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'a', 'b'];
const usernames = ['u', 'U', 'v', 'V', 'w', 'x', 'y'];
const phones = ['123', '+44 1', '45-67'];
const serials = ['T1', 'T,2', 'T"3'];

const mostly = <T>(good: fc.Arbitrary<T>, ...others: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: good }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** Omits keys with the value `undefined`, as a caller would. */
const item = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc
    .record(fields)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));

const absent = fc.constant(undefined);
const kept = fc.constant(null);
const cleared = fc.constant('');
const broken = fc.constantFrom<unknown>(7, '', ' ', 'ä!', true, {}, [], null);
const tags = fc.array(fc.constantFrom(...serials), { maxLength: 3 });

const anItem = mostly(
  item({
    employeeID: mostly(fc.constantFrom(...ids), fc.constantFrom('Z'), broken),
    name: mostly(fc.constantFrom('Ada', 'Bob', 'Cem'), broken),
    newEmployeeID: mostly(
      fc.oneof(absent, kept, cleared, fc.constantFrom(...ids, 'G', 'H')),
      fc.constantFrom('é'),
    ),
    username: mostly(fc.oneof(absent, kept, cleared, fc.constantFrom(...usernames)), fc.constantFrom('é')),
    phone: mostly(
      fc.oneof(absent, kept, cleared, fc.constantFrom(...phones)),
      fc.constantFrom('x', 'x'.repeat(65)),
    ),
    isActive: mostly(fc.boolean(), broken),
    tagSerials: fc.oneof(absent, kept, tags),
    organizationSerial: fc.oneof(absent, kept, cleared, fc.constantFrom('O1', 'O2')),
    email: mostly(fc.oneof(absent, kept), fc.constant('a@b.c')),
  }),
  fc.constantFrom<unknown>(null, 'x', 1, []),
  fc.constant({ employeeID: 'A', name: 'x', isActive: true, email: 'a@b.c' }),
);

const aCreate = mostly(
  item({
    employeeID: mostly(fc.constantFrom(...ids, 'G', 'H', 'I', 'J', 'K', 'L'), broken),
    name: mostly(fc.constantFrom('Ada', 'Bob'), broken),
    username: fc.oneof(absent, cleared, fc.constantFrom(...usernames, 'x', 'y', 'z', 'X', 'Y', 'Z')),
    email: fc.oneof(
      absent,
      cleared,
      fc.constantFrom('a@b.c'),
      fc.constantFrom('a@b.c'),
      fc.constantFrom('nobody'),
    ),
    phone: fc.oneof(absent, cleared, fc.constantFrom(...phones)),
    isActive: mostly(fc.boolean(), broken),
    tagSerials: fc.oneof(absent, cleared, tags),
  }),
  fc.constantFrom<unknown>(null, 'x', 1, []),
);

/** Twice as often an ID of the population as a missing one, so that calls create users and change them again. */
const anUpsert = mostly(
  item({
    employeeID: mostly(fc.constantFrom(...ids, 'G', 'H', 'I', 'J'), broken),
    name: mostly(fc.constantFrom('Ada', 'Bob', 'Cem'), broken),
    newEmployeeID: mostly(
      fc.oneof(absent, absent, cleared, fc.constantFrom(...ids, 'G', 'H')),
      fc.constantFrom('é', ''),
    ),
    username: mostly(fc.oneof(absent, cleared, fc.constantFrom(...usernames, 'z')), fc.constantFrom('', 'é')),
    email: mostly(
      fc.oneof(absent, cleared, fc.constantFrom('a@b.c', 'd@e.f')),
      fc.constantFrom('', 'nobody'),
    ),
    phone: mostly(fc.oneof(absent, cleared, fc.constantFrom(...phones)), fc.constantFrom('', 'x')),
    password: mostly(
      fc.oneof(absent, absent, absent, cleared, fc.constantFrom('given')),
      fc.constantFrom('', 7),
    ),
    isActive: mostly(fc.boolean(), broken),
    tagSerials: fc.oneof(absent, cleared, tags),
    organizationSerial: fc.oneof(absent, cleared, fc.constantFrom('O1', 'O2')),
  }),
  fc.constantFrom<unknown>(null, 'x', 1, []),
);

/** Calls that run lock-free, except for chunks that create users or change names: no renames, and each user once. */
const independentUpserts = fc.array(anUpsert, { maxLength: itemsMax }).map((items) => {
  const selected = new Set<unknown>();
  return items.flatMap((each) => {
    if (typeof each !== 'object' || each === null || Array.isArray(each)) return [each];
    const { newEmployeeID: _, ...fields } = each as Record<string, unknown>;
    if (selected.has(fields.employeeID)) return [];
    selected.add(fields.employeeID);
    return [fields];
  });
});

/** The users before the call, each with or without a username, email, phone and role. */
const population = fc.record(
  Object.fromEntries(
    ids.map((id) => [
      id,
      fc.option(
        fc.record({
          username: fc.option(fc.constantFrom(...usernames)),
          email: fc.boolean(),
          phone: fc.boolean(),
          isActive: fc.oneof({ weight: 5, arbitrary: fc.constant(true) }, fc.constant(false)),
          role: fc.constantFrom<Role | null>(
            null,
            null,
            'viewer',
            'operator',
            'administrator',
            'administrator',
          ),
        }),
      ),
    ]),
  ),
);

interface Person {
  readonly username: string | null;
  readonly email: boolean;
  readonly phone: boolean;
  readonly isActive: boolean;
  readonly role: Role | null;
}

type Population = Record<string, Person | null>;

let populations = 0;

/** In one transaction, like the reference model: separate statements would each wait for the disk. */
async function populate(database: Database, people: Population): Promise<void> {
  // The embedded database has no autovacuum to remove the dead rows of each population.
  if (++populations % 200 === 0)
    await database.pool.query('VACUUM users, roles, sessions, deliveries, changes, calls, call_parts');
  await transaction(database, async (tx) => {
    await replacePeople(tx, people);
    await endQuarantines(tx);
  });
}

/** What earlier calls released is free for the next one. */
async function endQuarantines(db: Executor): Promise<void> {
  await db.query({
    name: 'end-quarantines',
    text: `INSERT INTO released_names (kind, name, seq)
           SELECT kind, name, last_value FROM change_numbers,
             (SELECT 'employeeID' AS kind, unnest($1::text[]) AS name
              UNION ALL SELECT 'username', unnest($2::text[])) AS names
           ON CONFLICT (kind, name) DO UPDATE SET seq = excluded.seq`,
    values: [
      [...ids, 'G', 'H', 'I', 'J', 'K', 'L', 'Z'],
      ['u', 'v', 'w', 'x', 'y', 'z'],
    ],
  });
}

/** If two users have the same username, the first keeps it. */
async function replacePeople(db: Executor, people: Population): Promise<void> {
  const taken = new Set<string>();
  const settled = Object.entries(people).flatMap(([employeeID, person]) => {
    if (person === null) return [];
    const key = person.username?.toLowerCase() ?? '';
    const username = taken.has(key) ? null : person.username;
    taken.add(key);
    return [[employeeID, { ...person, username }] as const];
  });
  await settle(db, Object.fromEntries(settled));
}

interface UserRow {
  readonly serial: string;
  readonly version: number;
  readonly updatedAt: string;
  readonly user: Readonly<Record<string, unknown>>;
  /** Whether they are still signed in, the state of their password message, and whether they have a password. */
  readonly session: boolean;
  readonly message: string | null;
  readonly password: boolean;
}

/** All users, sorted. */
async function allUsers(db: Executor): Promise<UserRow[]> {
  const { rows } = await db.query<UserRow>({
    name: 'all-users',
    text: `SELECT serial, version, updated_at::text AS "updatedAt",
             json_build_object('employeeID', employee_id, 'name', name, 'username', username, 'email', email, 'phone', phone,
               'isActive', is_active, 'tagSerials', tag_serials, 'organizationSerial', organization_serial,
               'role', (SELECT role FROM roles WHERE user_serial = serial)) AS user,
             EXISTS (SELECT FROM sessions WHERE user_serial = serial) AS session,
             (SELECT state FROM deliveries
              WHERE user_serial = serial AND kind = 'initial-password' AND state <> 'cancelled') AS message,
             EXISTS (SELECT FROM credentials WHERE user_serial = serial) AS password
           FROM users ORDER BY employee_id`,
  });
  return rows;
}

interface LoggedChange {
  readonly kind: string;
  /** Null in the row of the call itself, whose fields are its counts. */
  readonly serial: string | null;
  readonly version: number;
  readonly fields: Readonly<Record<string, { readonly before: unknown; readonly after: unknown }>>;
  /** Identifies the transaction that wrote the row. */
  readonly transaction: string;
}

async function changesOf(db: Executor, callId: string): Promise<LoggedChange[]> {
  const { rows } = await db.query<LoggedChange>({
    name: 'changes-of',
    text: `SELECT kind, user_serial AS serial, version, fields, xmin::text AS transaction FROM changes
           WHERE call_id = $1 ORDER BY seq`,
    values: [callId],
  });
  return rows;
}

const nobody = {
  ...{ employeeID: null, name: null, username: null, email: null, phone: null, isActive: null },
  ...{ tagSerials: [], organizationSerial: null, role: null },
};

type Known = Pick<UserRow, 'version' | 'user'>;

/** The users as the change log describes them. Each change must start from the result of the previous ones. */
function replay(before: readonly UserRow[], changes: readonly LoggedChange[]): Map<string, Known> {
  const known = new Map<string, Known>(
    before.map(({ serial, version, user }) => [serial, { version, user }]),
  );
  const seen = new Set<string>();
  for (const { kind, serial, version, fields, transaction } of changes) {
    if (serial === null) continue;
    const was = known.get(serial);
    expect(kind).toMatch(was ? /^(updated|rehired)$/ : /^created$/);
    expect(version).toBe((was?.version ?? 0) + 1);
    expect(seen, 'one row for each user and transaction').not.toContain(`${serial} ${transaction}`);
    seen.add(`${serial} ${transaction}`);
    // A user who is deactivated and rehired by one call may look unchanged, but has a new password.
    if (kind !== 'rehired') expect(Object.keys(fields)).not.toEqual([]);
    const [user, start] = [{ ...(was?.user ?? nobody) }, was?.user ?? {}];
    for (const [field, { before: from, after }] of Object.entries(fields)) {
      expect(from).toEqual(start[field] ?? null);
      expect(after).not.toEqual(from);
      user[field as keyof typeof nobody] = after as never;
    }
    known.set(serial, { version, user });
  }
  return known;
}

function expectLogTellsAll(
  before: readonly UserRow[],
  after: readonly UserRow[],
  changes: readonly LoggedChange[],
  outcomes: readonly ItemOutcome[],
): void {
  const succeeded = outcomes.filter(({ ok }) => ok).length;
  const failed = outcomes.length - succeeded;
  const counts = { items: outcomes.length, succeeded, failed, changes: changes.length - 1 };
  expect(changes.filter(({ serial }) => serial === null)).toMatchObject([{ kind: 'call', fields: counts }]);
  expect(replay(before, changes)).toEqual(
    new Map(after.map(({ serial, version, user }) => [serial, { version, user }])),
  );
  const touched = new Set(changes.map(({ serial }) => serial));
  const untouched = (rows: readonly UserRow[]) =>
    rows.flatMap(({ serial, updatedAt }) => (touched.has(serial) ? [] : [`${serial} ${updatedAt}`])).sort();
  expect(untouched(after)).toEqual(untouched(before));
}

/** The same database, but without a connection after the given number of transactions. */
function breakingOff(database: Database, transactions: number): Database {
  let left = transactions + 1; // the first one stores the key
  const connect = () => {
    if (left-- > 0) return database.pool.connect();
    throw Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });
  };
  const pool = new Proxy(database.pool, {
    get: (target, property) => {
      if (property === 'connect') return connect;
      const value = Reflect.get(target, property, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  return { ...database, pool };
}

/** Outcomes as a preview returns them: new users have no serial yet. */
function withoutNewSerials(outcomes: readonly ItemOutcome[], before: readonly UserRow[]): ItemOutcome[] {
  const known = new Set<string | null>(before.map(({ serial }) => serial));
  return outcomes.map((outcome) => {
    if (outcome.ok) return known.has(outcome.serial) ? outcome : { ...outcome, serial: null };
    const { failure } = outcome;
    const takenBy = takenByOf(failure);
    const quarantined = quarantinedOf(failure);
    const withData = (data: unknown) => ({ ok: false, failure: { ...failure, data } as Failure }) as const;
    if (takenBy && !known.has(takenBy.serial)) return withData({ takenBy: { ...takenBy, serial: null } });
    if (quarantined && !known.has(quarantined.serial))
      return withData({ quarantined: { ...quarantined, serial: null } });
    return outcome;
  });
}

/** Without the times of a quarantine, which begins when the call is planned. */
function timeless(outcomes: readonly ItemOutcome[] | false): unknown {
  if (!outcomes) return outcomes;
  return outcomes.map((outcome) => {
    const quarantined = outcome.ok ? undefined : quarantinedOf(outcome.failure);
    if (!quarantined) return outcome;
    const { field, value, serial, position } = quarantined;
    return { field, value, serial, position };
  });
}

/** Serials of new users are random, so they are numbered in the order in which items create them. */
function serialNames(before: readonly UserRow[]): (serial: string) => string {
  const names = new Map(before.map(({ serial }) => [serial, serial]));
  return (serial) => {
    if (!names.has(serial)) names.set(serial, `new ${names.size - before.length}`);
    return names.get(serial) as string;
  };
}

/**
 * A new or rehired user whom a later item deactivates is written as inactive, so the message is dormant from the start. Sent one by
 * one, it is still waiting, and becomes dormant when it is due.
 */
function comparable(
  { serial, user, session, message, password }: UserRow,
  name: (serial: string) => string,
  { rehire }: Rules,
) {
  const isNew = name(serial) !== serial;
  const isDormant = (isNew || rehire) && message === 'waiting' && user.isActive === false;
  return { serial: name(serial), user, session, password, message: isDormant ? 'dormant' : message };
}

interface Twin<T> {
  readonly rules: Rules;
  readonly parse: (item: unknown, origin: Origin) => Parsed<T>;
  readonly preview: (parsed: Parsed<T>[]) => Promise<Preview>;
  readonly engine: (parsed: Parsed<T>[]) => Promise<CallResult>;
  readonly reference: (db: Executor, items: readonly unknown[]) => Promise<ReferenceOutcome[]>;
}

async function expectSame<T>(
  database: Database,
  people: Population,
  items: readonly unknown[],
  twin: Twin<T>,
) {
  const parsed = items.map((each) => twin.parse(each, {}));
  await populate(database, people);
  const rowsBefore = await allUsers(database.pool);
  const preview = await twin.preview(parsed);
  const result = await twin.engine(parsed);
  const engineRows = await allUsers(database.pool);
  const changes = result.ok ? await changesOf(database.pool, result.callId) : [];
  await populate(database, people);
  const expected = await transaction(database, (tx) => twin.reference(tx, items));
  const referenceRows = await allUsers(database.pool);

  const [inEngine, inReference] = [serialNames(rowsBefore), serialNames(rowsBefore)];
  expect(
    result.ok &&
      result.outcomes.map((outcome) =>
        outcome.ok ? { serial: inEngine(outcome.serial as string) } : { error: outcome.failure.error },
      ),
  ).toEqual(
    expected.map((outcome) => ('serial' in outcome ? { serial: inReference(outcome.serial) } : outcome)),
  );
  expect(engineRows.map((row) => comparable(row, inEngine, twin.rules))).toEqual(
    referenceRows.map((row) => comparable(row, inReference, twin.rules)),
  );
  expect(timeless(preview.ok && preview.outcomes)).toEqual(
    timeless(result.ok && withoutNewSerials(result.outcomes, rowsBefore)),
  );
  expectLogTellsAll(rowsBefore, engineRows, changes, result.ok ? result.outcomes : []);
}

/** The same for a call in final-state mode, compared with a literal implementation of its rules. */
async function expectFinalState(
  database: Database,
  people: Population,
  items: readonly unknown[],
  run: {
    readonly by: RunCaller;
    readonly rules: Rules;
    readonly parse: (item: unknown, origin: Origin) => Parsed<BulkChange>;
    readonly preview: (parsed: Parsed<BulkChange>[]) => Promise<Preview>;
    readonly engine: (parsed: Parsed<BulkChange>[]) => Promise<CallResult>;
  },
) {
  const parsed = items.map((each) => run.parse(each, {}));
  await populate(database, people);
  const before = await allUsers(database.pool);
  const preview = await run.preview(parsed);
  const result = await run.engine(parsed);
  const after = await allUsers(database.pool);
  const changes = result.ok ? await changesOf(database.pool, result.callId) : [];

  const stored = before.map(
    ({ serial, version, user: { role: _, ...user } }) => ({ serial, version, ...user }) as StoredUser,
  );
  const roles = new Map(
    before.flatMap(({ serial, user }) => (user.role ? [[serial, user.role as Role] as const] : [])),
  );
  const administrators = stored
    .filter(({ serial }) => roles.get(serial) === 'administrator')
    .map(({ serial, isActive, username }) => ({ serial, canSignIn: isActive && username !== null }));
  const protection = { roles, mayChangeProtected: run.by.isAdmin };
  const { verdicts, users, rehired } = updateToFinalState(
    parsed,
    stored,
    administrators,
    protection,
    run.rules,
  );
  const was = new Map(stored.map((user) => [user.serial, user]));
  const names = new Map(
    after.map(({ serial, user }) => [
      serial,
      was.has(serial) ? serial : newSerialOf(user.employeeID as string),
    ]),
  );
  const nameOf = (serial: string | null) => names.get(serial ?? '') ?? serial;
  expect(
    result.ok &&
      result.outcomes.map((outcome) => {
        if (outcome.ok) return { serial: nameOf(outcome.serial) };
        const { error } = outcome.failure;
        const takenBy = takenByOf(outcome.failure);
        return takenBy ? { error, takenBy: { ...takenBy, serial: nameOf(takenBy.serial) } } : { error };
      }),
  ).toEqual(verdicts);
  expect(timeless(preview.ok && preview.outcomes)).toEqual(
    timeless(result.ok && withoutNewSerials(result.outcomes, before)),
  );

  const ends = [...users.values()].toSorted((a, b) => (a.employeeID < b.employeeID ? -1 : 1));
  const wasActive = (serial: string) => was.get(serial)?.isActive === true;
  const isHeld = ({ serial, email, phone }: StoredUser) => {
    const earlier = was.get(serial);
    const isOwn = run.by.id === requester && earlier?.username !== null;
    const changesAddress = earlier?.email !== email || (email === null && earlier?.phone !== phone);
    return earlier !== undefined && !run.by.isAdmin && !isOwn && changesAddress;
  };
  const getsPassword = ({ serial, employeeID }: StoredUser) =>
    parsed.some((each) => {
      if (!each.ok) return false;
      const { targetEmployeeID, creation, rehire } = each.value;
      const known = was.get(serial);
      const given = known ? (creation ?? rehire) : creation;
      return targetEmployeeID === (known?.employeeID ?? employeeID) && given?.password != null;
    });
  expect(after.map((row) => comparable(row, (serial) => nameOf(serial) ?? '', run.rules))).toEqual(
    ends.map((end) => {
      const { serial, version: _, ...user } = end;
      const role = wasActive(serial) && !user.isActive ? null : (roles.get(serial) ?? null);
      const isWoken = !wasActive(serial) && user.isActive;
      return {
        serial,
        user: { ...user, role },
        session: was.has(serial) && !rehired.has(serial) && (!wasActive(serial) || user.isActive),
        message: isHeld(end) && !rehired.has(serial) ? 'held' : isWoken ? 'waiting' : 'dormant',
        password: (!was.has(serial) || rehired.has(serial)) && getsPassword(end),
      };
    }),
  );
  expectLogTellsAll(before, after, changes, result.ok ? result.outcomes : []);
}

describe(`bulk calls are equivalent to sending their items one by one (${inject('engine')})`, () => {
  // Chunks of every size: the result must not depend on where a call is split into transactions.
  const chunkSize = fc.constantFrom(1, 2, 3, 7, 2_500);
  const context = (bulkChunkItems: number, { quarantine }: Rules) => ({
    ...service.context,
    quarantineDays: quarantine ? { employeeID: 30, username: 30 } : { employeeID: 0, username: 0 },
    limits: { ...service.context.limits, bulkChunkItems },
  });
  const someRules = fc.record({ rehire: fc.boolean(), quarantine: fc.boolean() });
  /**
   * The number of transactions after which the call is interrupted and then resent with its key; null for no
   * interruption.
   */
  const breaksAfter = fc.option(fc.nat({ max: 6 }), { freq: 1 });
  /** With or without access:admin, and as the requester of the messages or as someone else. */
  const aCaller = fc.record({ isAdmin: fc.boolean(), id: fc.constantFrom(requester, 'another') });
  const requestOf = (caller: RunCaller) => ({ caller: callerOf(caller), effects: true });
  const optionsOf = (mode: CallMode, caller: RunCaller) => ({
    mode,
    confirmed: undefined,
    ...requestOf(caller),
  });

  async function send(
    breakAfter: number | null,
    run: (database: Database, key: IdempotencyKey | undefined) => Promise<CallResult>,
  ): Promise<CallResult> {
    if (breakAfter === null) return run(service.database, undefined);
    const key = { key: randomUUID(), fingerprint: 'the same' };
    await run(breakingOff(service.database, breakAfter), key).catch(() => {}); // nothing was committed
    return run(service.database, key);
  }

  test(`${callsOfUpdates} random bulk updates`, async () => {
    const calls = fc.array(anItem, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(
        population,
        calls,
        chunkSize,
        breaksAfter,
        aCaller,
        someRules,
        (people, items, size, breakAfter, by, rules) =>
          expectSame(service.database, people as Population, items, {
            rules: { ...rules, rehire: false }, // only creates and upserts rehire
            parse: parseBulkChange,
            preview: (parsed) => previewUpdates(context(size, rules), parsed, optionsOf('oneByOne', by)),
            engine: (parsed) =>
              send(breakAfter, (database, key) =>
                updateUsersBulk({ ...context(size, rules), database }, parsed, {
                  ...optionsOf('oneByOne', by),
                  key,
                }),
              ),
            reference: (db, sent) => updateOneByOne(db, sent, by, rules),
          }),
      ),
      { numRuns: callsOfUpdates, verbose: 1 },
    );
  });

  test(`${callsOfCreates} random bulk creates`, async () => {
    const calls = fc.array(aCreate, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(
        population,
        calls,
        chunkSize,
        breaksAfter,
        someRules,
        (people, items, size, breakAfter, rules) =>
          expectSame(service.database, people as Population, items, {
            rules,
            parse: parseNewUser,
            preview: (parsed) =>
              previewCreates(context(size, rules), parsed, {
                ...rules,
                ...requestOf({ isAdmin: false, id: 'another' }),
              }),
            engine: (parsed) =>
              send(breakAfter, (database, key) =>
                createUsersBulk({ ...context(size, rules), database }, parsed, {
                  ...requestOf({ isAdmin: false, id: 'another' }),
                  rehire: rules.rehire,
                  hold: false,
                  key,
                }),
              ),
            reference: (db, sent) => createOneByOne(db, sent, rules),
          }),
      ),
      { numRuns: callsOfCreates, verbose: 1 },
    );
  });

  test(`${callsByTheirEnd} random bulk updates in final-state mode`, async () => {
    const calls = fc.array(anItem, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(
        population,
        calls,
        chunkSize,
        breaksAfter,
        aCaller,
        someRules,
        (people, items, size, breakAfter, by, rules) =>
          expectFinalState(service.database, people as Population, items, {
            by,
            rules: { ...rules, rehire: false }, // only creates and upserts rehire
            parse: parseBulkChange,
            preview: (parsed) => previewUpdates(context(size, rules), parsed, optionsOf('finalState', by)),
            engine: (parsed) =>
              send(breakAfter, (database, key) =>
                updateUsersBulk({ ...context(size, rules), database }, parsed, {
                  ...optionsOf('finalState', by),
                  key,
                }),
              ),
          }),
      ),
      { numRuns: callsByTheirEnd, verbose: 1 },
    );
  });

  test(`${callsOfUpserts} random bulk upserts`, async () => {
    const calls = fc.oneof(fc.array(anUpsert, { maxLength: itemsMax }), independentUpserts);
    await fc.assert(
      fc.asyncProperty(
        population,
        calls,
        chunkSize,
        breaksAfter,
        aCaller,
        someRules,
        (people, items, size, breakAfter, by, rules) =>
          expectSame(service.database, people as Population, items, {
            rules,
            parse: (item, origin) => parseUpsert(item, origin, rules),
            preview: (parsed) => previewUpdates(context(size, rules), parsed, optionsOf('oneByOne', by)),
            engine: (parsed) =>
              send(breakAfter, (database, key) =>
                upsertUsersBulk({ ...context(size, rules), database }, parsed, {
                  ...optionsOf('oneByOne', by),
                  hold: false,
                  key,
                }),
              ),
            reference: (db, sent) => upsertOneByOne(db, sent, by, rules),
          }),
      ),
      { numRuns: callsOfUpserts, verbose: 1 },
    );
  });

  test(`${callsByTheirEnd} random bulk upserts in final-state mode`, async () => {
    const calls = fc.array(anUpsert, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(
        population,
        calls,
        chunkSize,
        breaksAfter,
        aCaller,
        someRules,
        (people, items, size, breakAfter, by, rules) =>
          expectFinalState(service.database, people as Population, items, {
            by,
            rules,
            parse: (item, origin) => parseUpsert(item, origin, rules),
            preview: (parsed) => previewUpdates(context(size, rules), parsed, optionsOf('finalState', by)),
            engine: (parsed) =>
              send(breakAfter, (database, key) =>
                upsertUsersBulk({ ...context(size, rules), database }, parsed, {
                  ...optionsOf('finalState', by),
                  hold: false,
                  key,
                }),
              ),
          }),
      ),
      { numRuns: callsByTheirEnd, verbose: 1 },
    );
  });
});
