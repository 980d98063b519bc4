import fc from 'fast-check';
import { describe, expect, inject, test } from 'vitest';
import type { Origin, Parsed } from '../../src/domain/read-fields.js';
import type { BulkResult } from '../../src/domain/users/bulk-run.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser } from '../../src/domain/users/user-rules.js';
import { type Database, type Executor, transaction } from '../../src/storage/database.js';
import { createOneByOne, type ReferenceOutcome, updateOneByOne } from '../support/one-by-one.js';
import { useOwnService } from '../support/service.js';

/**
 * Proof, not belief: random calls full of renames, chains, cycles, doubles, missing users, taken usernames and broken
 * items, over so few names that nearly every call collides. A failing call is printed with its seed and made small.
 */
const callsOfUpdates = 1_000;
const callsOfCreates = 500;
const itemsMax = 30;

const service = useOwnService();

const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'a', 'b'];
const usernames = ['u', 'U', 'v', 'V', 'w', 'x', 'y'];
const phones = ['123', '+44 1', '45-67'];
const serials = ['T1', 'T,2', 'T"3'];

const mostly = <T>(good: fc.Arbitrary<T>, ...others: fc.Arbitrary<unknown>[]): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 40, arbitrary: good }, ...others.map((arbitrary) => ({ weight: 1, arbitrary })));

/** Keys that `undefined` marks are left out, as a caller would. */
const item = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> =>
  fc
    .record(fields)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));

const absent = fc.constant(undefined);
const cleared = fc.constant(null);
const broken = fc.constantFrom<unknown>(7, '', ' ', 'ä!', true, {}, [], null);
const tags = fc.array(fc.constantFrom(...serials), { maxLength: 3 });

const anItem = mostly(
  item({
    employeeID: mostly(fc.constantFrom(...ids), fc.constantFrom('Z'), broken),
    name: mostly(fc.constantFrom('Ada', 'Bob', 'Cem'), broken),
    newEmployeeID: mostly(
      fc.oneof(absent, cleared, fc.constantFrom(...ids, 'G', 'H')),
      fc.constantFrom('é', ''),
    ),
    username: mostly(fc.oneof(absent, cleared, fc.constantFrom(...usernames)), fc.constantFrom('', 'é')),
    phone: mostly(fc.oneof(absent, absent, cleared, fc.constantFrom(...phones)), fc.constantFrom('x')),
    isActive: mostly(fc.boolean(), broken),
    tagSerials: fc.oneof(absent, cleared, tags),
    organizationSerial: fc.oneof(absent, cleared, fc.constantFrom('O1', 'O2')),
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

/** Who is there before the call: each with a username, email, phone and role of their own, or without. */
const population = fc.record(
  Object.fromEntries(
    ids.map((id) => [
      id,
      fc.option(
        fc.record({
          username: fc.option(fc.constantFrom(...usernames)),
          email: fc.boolean(),
          phone: fc.boolean(),
          isActive: mostly(fc.constant(true), fc.constant(false)) as fc.Arbitrary<boolean>,
          isAdministrator: fc.boolean(),
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
  readonly isAdministrator: boolean;
}

type Population = Record<string, Person | null>;

let populations = 0;

/** In one transaction, like the reference: each statement alone would wait for the disk. */
async function populate(database: Database, people: Population): Promise<void> {
  // The embedded database has nobody who clears away the rows that each population leaves behind.
  if (++populations % 200 === 0) await database.pool.query('VACUUM users, roles, sessions, deliveries');
  await transaction(database, (tx) => replacePeople(tx, people));
}

async function replacePeople(db: Executor, people: Population): Promise<void> {
  const taken = new Set<string>();
  const rows = Object.entries(people).flatMap(([employeeID, person]) => {
    if (person === null) return [];
    const key = person.username?.toLowerCase() ?? '';
    const username = taken.has(key) ? null : person.username;
    taken.add(key);
    const email = person.email ? 'a@b.c' : null;
    const phone = person.phone || email === null ? '123' : null;
    const { isActive: is_active, isAdministrator: is_administrator } = person;
    return [{ employee_id: employeeID, username, email, phone, is_active, is_administrator }];
  });
  await db.query({
    name: 'remove-everybody', // and with them their sessions and roles
    text: 'WITH messages AS (DELETE FROM deliveries) DELETE FROM users',
  });
  await db.query({
    name: 'populate',
    text: `WITH people AS (
             SELECT md5(employee_id)::uuid AS serial, p.* FROM jsonb_to_recordset($1::jsonb)
               AS p (employee_id text, username text, email text, phone text, is_active boolean, is_administrator boolean)),
           new_users AS (
             INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active, tag_serials)
             SELECT serial, now(), now(), employee_id, 'Old', username, email, phone, is_active, '{T1}' FROM people),
           new_roles AS (
             INSERT INTO roles (user_serial, role) SELECT serial, 'administrator' FROM people WHERE is_administrator),
           new_sessions AS (
             INSERT INTO sessions (token_hash, user_serial, expires_at) SELECT serial, serial, 'infinity' FROM people)
           INSERT INTO deliveries (id, user_serial, priority, kind, state)
           SELECT serial, serial, 0, 'initial-password', 'dormant' FROM people`,
    values: [JSON.stringify(rows)],
  });
}

async function rowsLeft(db: Executor, withSerial: boolean): Promise<unknown[]> {
  const { rows } = await db.query(
    `SELECT ${withSerial ? 'serial,' : ''} employee_id, name, username, email, phone, is_active, tag_serials, organization_serial,
       EXISTS (SELECT FROM sessions WHERE user_serial = serial) AS session,
       (SELECT state FROM deliveries WHERE id = serial) AS message
     FROM users ORDER BY employee_id`,
  );
  return rows;
}

interface Twin<T> {
  readonly parse: (item: unknown, origin: Origin) => Parsed<T>;
  readonly engine: (parsed: Parsed<T>[]) => Promise<BulkResult>;
  readonly reference: (db: Executor, items: readonly unknown[]) => Promise<ReferenceOutcome[]>;
  readonly serialsAgree: boolean;
}

async function expectSame<T>(
  database: Database,
  people: Population,
  items: readonly unknown[],
  twin: Twin<T>,
) {
  await populate(database, people);
  const result = await twin.engine(items.map((each) => twin.parse(each, {})));
  const engineRows = await rowsLeft(database.pool, twin.serialsAgree);
  await populate(database, people);
  const expected = await transaction(database, (tx) => twin.reference(tx, items));
  const referenceRows = await rowsLeft(database.pool, twin.serialsAgree);

  const shown = (serial: string) => (twin.serialsAgree ? { serial } : 'created');
  expect(
    result.outcomes.map((outcome) => (outcome.ok ? shown(outcome.serial) : { error: outcome.failure.error })),
  ).toEqual(expected.map((outcome) => ('serial' in outcome ? shown(outcome.serial) : outcome)));
  expect(engineRows).toEqual(referenceRows);
}

describe(`bulk calls are as if their items were sent one by one (${inject('engine')})`, () => {
  // Chunks of every size: the meaning must not depend on where a long call is cut into transactions.
  const chunkSize = fc.constantFrom(1, 2, 3, 7, 2_500);
  const context = (bulkChunkItems: number) => ({
    ...service.context,
    limits: { ...service.context.limits, bulkChunkItems },
  });
  const delivery = { requestId: 'random', inBulk: true, hold: false };

  test(`${callsOfUpdates} random bulk updates`, { timeout: 240_000 }, async () => {
    const calls = fc.array(anItem, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(population, calls, chunkSize, (people, items, size) =>
        expectSame(service.database, people as Population, items, {
          parse: parseBulkChange,
          engine: (parsed) => updateUsersBulk(context(size), parsed),
          reference: updateOneByOne,
          serialsAgree: true,
        }),
      ),
      { numRuns: callsOfUpdates, verbose: 1 },
    );
  });

  test(`${callsOfCreates} random bulk creates`, { timeout: 240_000 }, async () => {
    const calls = fc.array(aCreate, { maxLength: itemsMax });
    await fc.assert(
      fc.asyncProperty(population, calls, chunkSize, (people, items, size) =>
        expectSame(service.database, people as Population, items, {
          parse: parseNewUser,
          engine: (parsed) => createUsersBulk(context(size), parsed, delivery),
          reference: createOneByOne,
          serialsAgree: false,
        }),
      ),
      { numRuns: callsOfCreates, verbose: 1 },
    );
  });
});
