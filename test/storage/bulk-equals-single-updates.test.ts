import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { CallMode } from '../../src/contract/calls.js';
import { type Failure, quarantinedOf, takenAttributeOf, takenByOf } from '../../src/contract/errors.js';
import type { Role } from '../../src/contract/scopes.js';
import type { StoredUser } from '../../src/contract/users.js';
import type { Preview } from '../../src/domain/bulk/call-errors.js';
import type { ItemOutcome } from '../../src/domain/bulk/outcomes.js';
import type { ItemBlocks } from '../../src/domain/bulk/plan.js';
import { type CallRequest, type CallRun, completed } from '../../src/domain/bulk/run-call.js';
import type { Context } from '../../src/domain/context.js';
import type { Parsed } from '../../src/domain/read-fields.js';
import { createUsersBulk, previewCreates } from '../../src/domain/users/create-users-bulk.js';
import {
  type ChangeOptions,
  previewUpdates,
  updateUsersBulk,
  upsertUsersBulk,
} from '../../src/domain/users/update-users-bulk.js';
import {
  type BulkChange,
  type NewUser,
  parseBulkChange,
  parseNewUser,
  parseUpsert,
} from '../../src/domain/users/user-rules.js';
import { type Executor, transaction } from '../../src/storage/database.js';
import { faultyDatabase } from '../support/faulty-database.js';
import { definedAttributes, type FewAttributes } from '../support/few-attributes.js';
import { expectGuarded, type FewUser, requester, settle } from '../support/few-users.js';
import { newSerialOf, updateToFinalState } from '../support/final-state.js';
import { expectCompleted, expectReplayed, type UserRow, userRows } from '../support/log-replay.js';
import { usePlayground } from '../support/playground.js';
import { ReferenceModel, type Rules, type Step, takenOf } from '../support/reference-model.js';
import { callerOf, type RunCaller } from '../support/update-runs.js';

/**
 * Random calls full of renames, chains, cycles, duplicates, unknown users, taken names, managers who come later or
 * report to their reports, and invalid items, with so few names that nearly every call has conflicts. A failing call is
 * minimized and printed with its seed.
 */
const calls = inject('engine') === 'embedded' ? 12 : 20;
const itemsMax = 30;

const service = usePlayground();
let attributes: FewAttributes;

beforeAll(async () => {
  attributes = await definedAttributes(service.database);
});

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
const badges = ['1', '2', '3', '4'];

const lines = {
  managerEmployeeID: mostly(
    fc.oneof(absent, absent, kept, cleared, ...ids.map(fc.constant), fc.constantFrom('G', 'H')),
    fc.constantFrom<unknown>('é', 'Nobody', 7),
  ),
  attributes: mostly(
    fc.oneof(
      absent,
      item({
        badge: fc.oneof(absent, kept, cleared, ...badges.map(fc.constant)),
        note: fc.oneof(absent, kept, cleared, fc.constantFrom('old', 'new')),
      }),
    ),
    fc.constantFrom<unknown>(null, '', 7, [], { bagde: '1' }, { badge: 1 }),
  ),
};

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
    ...lines,
  }),
  fc.constantFrom<unknown>(null, 'x', 1, []),
  fc.constant({ employeeID: 'A', name: 'x', isActive: true, email: 'a@b.c' }),
);

const aCreate = mostly(
  item({
    employeeID: mostly(fc.constantFrom(...ids, 'G', 'H', 'I', 'J', 'K', 'L'), broken),
    name: mostly(fc.constantFrom('Ada', 'Bob'), broken),
    username: fc.oneof(absent, cleared, fc.constantFrom(...usernames, 'x', 'y', 'z', 'X', 'Y', 'Z')),
    email: mostly(
      fc.oneof(absent, cleared, fc.constant('a@b.c'), fc.constant('a@b.c'), fc.constant('a@b.c')),
      fc.constant('nobody'),
    ),
    phone: fc.oneof(absent, cleared, fc.constantFrom(...phones)),
    isActive: mostly(fc.boolean(), broken),
    tagSerials: fc.oneof(absent, kept, tags),
    ...lines,
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
    tagSerials: fc.oneof(absent, kept, tags),
    organizationSerial: fc.oneof(absent, cleared, fc.constantFrom('O1', 'O2')),
    ...lines,
  }),
  fc.constantFrom<unknown>(null, 'x', 1, []),
);

/**
 * Calls whose managers may come later run as one transaction. So in some calls, there are no managers, or only managers
 * who do not come later.
 */
const callOf = (anyItem: fc.Arbitrary<unknown>): fc.Arbitrary<readonly unknown[]> =>
  fc
    .tuple(fc.array(anyItem, { maxLength: itemsMax, size: 'max' }), fc.constantFrom('none', 'earlier', 'any'))
    .map(([items, managers]) =>
      managers === 'any'
        ? items
        : items.map((each, at) => {
            if (!isObject(each)) return each;
            const { managerEmployeeID, ...fields } = each;
            const isLater = items
              .slice(at)
              .some(
                (later) =>
                  isObject(later) && [later.employeeID, later.newEmployeeID].includes(managerEmployeeID),
              );
            return managers === 'none' || isLater ? fields : each;
          }),
    );

function isObject(sent: unknown): sent is Record<string, unknown> {
  return typeof sent === 'object' && sent !== null && !Array.isArray(sent);
}

/** Calls that run lock-free, except for chunks that create users or change names: no renames, and each user once. */
const independentUpserts = callOf(anUpsert).map((items) => {
  const selected = new Set<unknown>();
  return items.flatMap((each) => {
    if (!isObject(each)) return [each];
    const { newEmployeeID: _, ...fields } = each;
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
          attributes: fc.record({
            badge: fc.option(fc.constantFrom(...badges), { freq: 2 }),
            note: fc.option(fc.constantFrom('old', 'new')),
          }),
          /** Only one who comes before is taken, so that nobody is their own. */
          manager: fc.option(fc.constantFrom(...ids), { freq: 2 }),
        }),
      ),
    ]),
  ),
);

type Population = Record<string, (FewUser & Required<Pick<FewUser, 'attributes'>>) | null>;

/** In one transaction: separate statements would each wait for the disk. */
async function populate(users: Population): Promise<void> {
  await transaction(service.database, async (tx) => {
    await replaceUsers(tx, users);
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

/** If two users have the same username or badge, the first keeps it. */
async function replaceUsers(db: Executor, users: Population): Promise<void> {
  const taken = new Set<string>();
  const ifFree = (name: string | null) => {
    const isTaken = name === null || taken.has(name.toLowerCase());
    if (name !== null) taken.add(name.toLowerCase());
    return isTaken ? null : name;
  };
  const settled: Record<string, FewUser> = {};
  for (const [employeeID, user] of Object.entries(users)) {
    if (user === null) continue;
    settled[employeeID] = {
      ...user,
      username: ifFree(user.username),
      manager: user.manager && user.manager in settled ? user.manager : null,
      attributes: { ...user.attributes, badge: ifFree(user.attributes.badge) },
    };
  }
  await settle(db, settled, attributes.read);
}

/** Outcomes as a preview returns them: new users have no serial yet. */
function withoutNewSerials(outcomes: readonly ItemOutcome[], before: readonly UserRow[]): ItemOutcome[] {
  const known = new Set<string | null>(before.map(({ serial }) => serial));
  return outcomes.map((outcome) => {
    if (outcome.ok) {
      const ifKnown = (serial: unknown) => (known.has(serial as string) ? serial : null);
      const { managerSerial, ...fields } = outcome.effect?.fields ?? {};
      const managers = managerSerial && {
        managerSerial: { before: ifKnown(managerSerial.before), after: ifKnown(managerSerial.after) },
      };
      const effect = { kind: outcome.effect?.kind ?? 'unchanged', fields: { ...fields, ...managers } };
      return { ...outcome, serial: known.has(outcome.serial) ? outcome.serial : null, effect };
    }
    const { failure } = outcome;
    const takenBy = takenByOf(failure);
    const attribute = takenAttributeOf(failure);
    const quarantined = quarantinedOf(failure);
    const withData = (data: unknown) => ({ ok: false, failure: { ...failure, data } as Failure }) as const;
    if (takenBy && !known.has(takenBy.serial)) return withData({ takenBy: { ...takenBy, serial: null } });
    if (attribute && !known.has(attribute.serial)) return withData({ ...attribute, serial: null });
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

/**
 * A new or rehired user whom a later item deactivates is written as inactive, so the message is dormant from the start.
 * Sent one by one, it is still waiting, and becomes dormant when it is due.
 */
function comparable(
  { serial, user, session, message, password }: Omit<UserRow, 'version' | 'updatedAt'>,
  nameOf: (serial: string) => string,
  { rehire }: Rules,
) {
  const name = nameOf(serial);
  const managerSerial = user.managerSerial === null ? null : nameOf(String(user.managerSerial));
  const isDormant = (name !== serial || rehire) && message === 'waiting' && user.isActive === false;
  return {
    ...{ serial: name, user: { ...user, managerSerial }, session, password },
    message: isDormant ? 'dormant' : message,
  };
}

/** A call that was made. */
interface Made<T> {
  readonly items: readonly unknown[];
  readonly parsed: readonly Parsed<T>[];
  readonly before: readonly UserRow[];
  readonly after: readonly UserRow[];
  readonly outcomes: readonly ItemOutcome[];
  readonly by: RunCaller;
  readonly rules: Rules;
}

/** Serials of new users are random, so they are numbered in the order in which items create them. */
function serialNames(before: readonly UserRow[]): (serial: string | null) => string {
  const names = new Map(before.map(({ serial }) => [serial, serial]));
  return (serial) => {
    const name = names.get(serial ?? '') ?? `new ${names.size - before.length}`;
    names.set(serial ?? '', name);
    return name;
  };
}

function expectAsOneByOne(step: Step, { items, before, after, outcomes, by, rules }: Made<unknown>): void {
  const reference = new ReferenceModel(before, by, rules);
  const [inEngine, inReference] = [serialNames(before), serialNames(before)];
  const expected = reference.run(step, items);
  expect(
    outcomes.map((each) => {
      if (each.ok) return { serial: inEngine(each.serial) };
      const taken = takenOf(each.failure);
      const { error } = each.failure;
      return taken ? { error, taken: { ...taken, serial: inEngine(taken.serial) } } : { error };
    }),
  ).toEqual(
    expected.map((each) => {
      if ('serial' in each) return { serial: inReference(each.serial) };
      const { taken } = each;
      return taken ? { ...each, taken: { ...taken, serial: inReference(taken.serial) } } : each;
    }),
  );
  expect(after.map((row) => comparable(row, inEngine, rules))).toEqual(
    reference.rows.map((row) => comparable(row, inReference, rules)),
  );
}

/** Compares with a literal implementation of the rules of final-state mode. */
function expectFinalState({ parsed, before, after, outcomes, by, rules }: Made<BulkChange>): void {
  const stored = before.map(
    ({ serial, version, user: { role: _, ...user } }) => ({ serial, version, ...user }) as StoredUser,
  );
  const roles = new Map(
    before.flatMap(({ serial, user }) => (user.role ? [[serial, user.role as Role] as const] : [])),
  );
  const administrators = stored
    .filter(({ serial }) => roles.get(serial) === 'administrator')
    .map(({ serial, isActive, username }) => ({ serial, canSignIn: isActive && username !== null }));
  const protection = { roles, mayChangeProtected: by.isAdmin };
  const { verdicts, users, rehired } = updateToFinalState(parsed, stored, administrators, protection, rules);
  const was = new Map(stored.map((user) => [user.serial, user]));
  const names = new Map(
    after.map(({ serial, user }) => [
      serial,
      was.has(serial) ? serial : newSerialOf(user.employeeID as string),
    ]),
  );
  const nameOf = (serial: string | null) => names.get(serial ?? '') ?? serial;
  expect(
    outcomes.map((outcome) => {
      if (outcome.ok) return { serial: nameOf(outcome.serial) };
      const { error } = outcome.failure;
      const takenBy = takenByOf(outcome.failure) ?? takenOf(outcome.failure);
      return takenBy ? { error, takenBy: { ...takenBy, serial: nameOf(takenBy.serial) } } : { error };
    }),
  ).toEqual(verdicts);

  const ends = [...users.values()].toSorted((a, b) => (a.employeeID < b.employeeID ? -1 : 1));
  const wasActive = (serial: string) => was.get(serial)?.isActive === true;
  const isHeld = ({ serial, email, phone }: StoredUser) => {
    const earlier = was.get(serial);
    const isOwn = by.id === requester && earlier?.username !== null;
    const changesAddress = earlier?.email !== email || (email === null && earlier?.phone !== phone);
    return earlier !== undefined && !by.isAdmin && !isOwn && changesAddress;
  };
  const getsPassword = ({ serial, employeeID }: StoredUser) =>
    parsed.some((each) => {
      if (!each.ok) return false;
      const { targetEmployeeID, creation, rehire } = each.value;
      const known = was.get(serial);
      const given = known ? (creation ?? rehire) : creation;
      return targetEmployeeID === (known?.employeeID ?? employeeID) && given?.password != null;
    });
  expect(after.map((row) => comparable(row, (serial) => nameOf(serial) ?? '', rules))).toEqual(
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
}

/** The rows and the log agree, and nobody else was touched. */
async function expectLogged(
  { items, before, after, outcomes }: Made<unknown>,
  callId: string,
): Promise<void> {
  const succeeded = outcomes.filter(({ ok }) => ok).length;
  const counts = { items: items.length, succeeded, failed: items.length - succeeded };
  const log = await expectCompleted(service.database.pool, callId, counts);
  expectReplayed(before, log, after);
  const touched = new Set(log.map(({ serial }) => serial));
  const untouched = (rows: readonly UserRow[]) =>
    rows.flatMap(({ serial, updatedAt }) => (touched.has(serial) ? [] : [`${serial} ${updatedAt}`])).sort();
  expect(untouched(after)).toEqual(untouched(before));
}

type Request = CallRequest & ChangeOptions & { readonly rehire: boolean };

interface Operation<T> {
  readonly items: fc.Arbitrary<readonly unknown[]>;
  readonly mode: CallMode;
  readonly parse: (item: unknown, rules: Rules) => Parsed<T>;
  readonly preview: (context: Context, parsed: readonly Parsed<T>[], request: Request) => Promise<Preview>;
  readonly call: (context: Context, items: ItemBlocks<T>, request: Request) => CallRun;
  readonly check: (made: Made<T>) => void;
}

describe(`bulk calls are equivalent to sending their items one by one (${inject('engine')})`, () => {
  const aRun = fc.record({
    // Chunks of every size: the result must not depend on where a call is split into transactions.
    bulkChunkItems: fc.constantFrom(1, 2, 3, 7, 2_500),
    /** The number of transactions after which the call is interrupted and then resent with its key. */
    breakAfter: fc.option(fc.nat({ max: 6 }), { freq: 1 }),
    /** With or without access:admin, and as the requester of the messages or as someone else. */
    by: fc.record({ isAdmin: fc.boolean(), id: fc.constantFrom(requester, 'another') }),
    rules: fc.record({ rehire: fc.boolean(), quarantine: fc.boolean() }),
  });
  type Run = typeof aRun extends fc.Arbitrary<infer R> ? R : never;

  async function expectSame<T>(
    users: Population,
    items: readonly unknown[],
    run: Run,
    operation: Operation<T>,
  ) {
    const { by, rules, bulkChunkItems, breakAfter } = run;
    const days = rules.quarantine ? 30 : 0;
    const context = {
      ...service.context,
      quarantineDays: { employeeID: days, username: days },
      limits: { ...service.context.limits, bulkChunkItems },
    };
    const known = { ...rules, unique: attributes.unique, read: attributes.read };
    const parsed = items.map((each) => operation.parse(each, rules));
    const request: Request = {
      ...{ caller: callerOf(by), effects: true, mode: operation.mode, confirmed: undefined },
      ...{ hold: false, rehire: rules.rehire },
    };
    await populate(users);
    const before = await userRows(service.database.pool);
    const preview = await operation.preview(context, parsed, request);
    const key = breakAfter === null ? undefined : { key: randomUUID(), fingerprint: 'the same' };
    if (breakAfter !== null) {
      // The first transaction stores the key.
      const cutOff = (begun: number) => (begun > breakAfter ? 'no connection' : undefined);
      const broken = { ...context, database: faultyDatabase(service.database, cutOff) };
      await completed(operation.call(broken, [parsed], { ...request, key })).catch(() => {}); // nothing was committed
    }
    const result = await completed(operation.call(context, [parsed], { ...request, key }));
    if (!result.ok) throw new Error(result.failure.detail);
    const after = await userRows(service.database.pool);
    const made = { items, parsed, before, after, outcomes: result.outcomes, by, rules: known };
    operation.check(made);
    await expectGuarded(service.database.pool);
    expect(timeless(preview.ok && preview.outcomes)).toEqual(
      timeless(withoutNewSerials(result.outcomes, before)),
    );
    await expectLogged(made, result.callId);
  }

  function testOf<T>(title: string, operation: Operation<T>): void {
    test(`${calls} random ${title}`, async () => {
      await fc.assert(
        fc.asyncProperty(population, operation.items, aRun, (users, items, run) =>
          expectSame(users as Population, items, run, operation),
        ),
        { numRuns: calls, verbose: 1 },
      );
    });
  }

  const updates = {
    items: callOf(anItem),
    parse: (item: unknown) => parseBulkChange(item, {}, 'keep', attributes.read),
    preview: previewUpdates,
    call: updateUsersBulk,
  };
  const upserts = {
    items: callOf(anUpsert),
    parse: (item: unknown, rules: Rules) => parseUpsert(item, {}, rules, undefined, attributes.read),
    preview: previewUpdates,
    call: upsertUsersBulk,
  };
  // Only creates and upserts rehire.
  const withoutRehire = <T>(made: Made<T>) => ({ ...made, rules: { ...made.rules, rehire: false } });

  testOf<BulkChange>('bulk updates', {
    ...updates,
    mode: 'oneByOne',
    check: (made) => expectAsOneByOne('update', withoutRehire(made)),
  });
  testOf<BulkChange>('bulk updates in final-state mode', {
    ...updates,
    mode: 'finalState',
    check: (made) => expectFinalState(withoutRehire(made)),
  });
  testOf<BulkChange>('bulk upserts', {
    ...upserts,
    mode: 'oneByOne',
    items: fc.oneof(upserts.items, independentUpserts),
    check: (made) => expectAsOneByOne('upsert', made),
  });
  testOf<BulkChange>('bulk upserts in final-state mode', {
    ...upserts,
    mode: 'finalState',
    check: expectFinalState,
  });
  testOf<NewUser>('bulk creates', {
    items: callOf(aCreate),
    mode: 'oneByOne',
    parse: (item) => parseNewUser(item, {}, undefined, attributes.read),
    preview: previewCreates,
    call: createUsersBulk,
    check: (made) => expectAsOneByOne('create', made),
  });
});
