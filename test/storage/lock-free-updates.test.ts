import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import type { Role } from '../../src/contract/scopes.js';
import { canRunLockFree } from '../../src/domain/users/lock-free-updates.js';
import { previewUpdates } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange } from '../../src/domain/users/user-rules.js';
import { transaction } from '../../src/storage/database.js';
import { type Fault, faults, faultyDatabase } from '../support/faulty-database.js';
import { definedAttributes, type FewAttributes } from '../support/few-attributes.js';
import { expectGuarded, type FewUser, type FewUsers, requester, settle } from '../support/few-users.js';
import { expectCompleted, expectReplayed, type UserRow, userRows } from '../support/log-replay.js';
import { usePlayground } from '../support/playground.js';
import { plainRules, ReferenceModel, takenOf } from '../support/reference-model.js';
import { callerOf, type RunCaller, runUpdates, verdictsOf } from '../support/update-runs.js';

/**
 * Calls that run lock-free, at least up to the first chunk that changes names, unique attributes or managers: each user
 * occurs once, and none is renamed. The result must be the same as sending their items one by one, and as running the call with locks.
 */
const isEmbedded = inject('engine') === 'embedded';
const callsOfUpdates = isEmbedded ? 10 : 20;
const callsAmongAdministrators = isEmbedded ? 5 : 10;

const service = usePlayground();
let attributes: FewAttributes;

beforeAll(async () => {
  attributes = await definedAttributes(service.database);
});

const ids = ['A', 'B', 'C', 'D', 'E', 'F', 'a', 'b'];
/** So few that an administrator is often the last one. */
const few = ['A', 'B', 'C'];
const usernames = ['u', 'v', 'w', 'x'];
const badges = ['1', '2', '3', '4'];

const oneOf = fc.constantFrom;
const absent = fc.constant(undefined);
const cleared = fc.constant(null);

function weighed<T>(...choices: readonly (readonly [number, fc.Arbitrary<T>])[]): fc.Arbitrary<T> {
  return fc.oneof(...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}

const mostly = weighed([3, fc.constant(true)], [1, fc.constant(false)]);
const seldom = mostly.map((each) => !each);

const aLesserRole = weighed<Role | null>([2, fc.constant(null)], [1, oneOf<Role>('viewer', 'operator')]);
const mostlyAdministrators = weighed<Role | null>(
  [3, fc.constant('administrator')],
  [1, oneOf<Role | null>(null, 'viewer')],
);

/** Some of the given users, few of them without a username. */
const users = (among: string[], role: fc.Arbitrary<Role | null>): fc.Arbitrary<FewUsers> =>
  fc
    .tuple(
      fc.subarray(among, { minLength: 3 }),
      fc.shuffledSubarray([...usernames, 'U1', 'V1'], { minLength: 3 }),
      fc.array(
        fc.record({
          email: fc.boolean(),
          phone: fc.boolean(),
          isActive: mostly,
          role,
          note: fc.option(oneOf('old', 'new')),
          /** Of those who come before. */
          manager: fc.option(fc.nat({ max: 7 })),
        }),
        { minLength: among.length, maxLength: among.length },
      ),
      fc.shuffledSubarray([...badges, null, null, null, null]),
    )
    .map(([present, names, others, badgesHeld]) =>
      Object.fromEntries(
        present.map((id, at): [string, FewUser] => {
          const { note, manager, ...other } = others[at] as (typeof others)[0];
          return [
            id,
            {
              ...other,
              username: names[at] ?? null,
              manager: manager === null ? null : (present.slice(0, at)[manager] ?? null),
              attributes: { note, badge: badgesHeld[at] ?? null },
            },
          ];
        }),
      ),
    );

/** What an item does to its user's username. */
type NameChange = 'absent' | 'the own' | 'the own in other letters' | 'none' | string;

const harmless = oneOf<NameChange>('absent', 'absent', 'the own');
const touching = oneOf<NameChange>('the own in other letters', 'none', 'new', ...usernames, 'U', 'W');

const anItem = (names: fc.Arbitrary<NameChange>, isActive: fc.Arbitrary<boolean>) =>
  fc.record({
    name: oneOf('Old', 'Ada'),
    username: names,
    newEmployeeID: oneOf('absent', 'absent', 'null', 'the own'),
    phone: weighed<unknown>([3, absent], [1, cleared], [2, oneOf('123', '45-67')]),
    isActive,
    tagSerials: weighed<unknown>([3, absent], [1, cleared], [2, oneOf(['T1'], ['T,2', 'T"3'])]),
    organizationSerial: weighed<unknown>([3, absent], [1, cleared], [1, fc.constant('O1')]),
    managerEmployeeID: weighed<unknown>(
      [8, absent],
      [1, oneOf('', ...ids, 'Z1')],
      [1, fc.constant('the own')],
    ),
    attributes: weighed<unknown>(
      [6, absent],
      [4, oneOf({ note: 'new' }, { note: '' })],
      [1, oneOf({ badge: '' }, ...badges.map((badge) => ({ badge })))],
    ),
  });

type DrawnItem = typeof anItem extends (...names: never[]) => fc.Arbitrary<infer T> ? T : never;

const aBrokenItem = oneOf<unknown>(7, null, [], { employeeID: 'A', name: 'x' }, { employeeID: 'B', nope: 1 });

/**
 * Each user at most once, in any order, mixed with unknown users and invalid items. Half of the calls change no names;
 * in the others few items do, so that whole chunks precede those.
 */
const aCall = (among: string[], isActive: fc.Arbitrary<boolean>) =>
  fc
    .tuple(fc.shuffledSubarray([...among, 'Z1', 'Z2'], { minLength: among.length }), fc.boolean())
    .chain(([selected, touchesNames]) => {
      const names = touchesNames ? weighed([4, harmless], [1, touching]) : harmless;
      const items = fc.tuple(...selected.map(() => anItem(names, isActive)));
      const broken = fc.array(fc.tuple(fc.nat({ max: selected.length }), aBrokenItem), { maxLength: 2 });
      return fc.record({ selected: fc.constant(selected), items, broken });
    });

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}

function itemsOf(
  present: FewUsers,
  { selected, items, broken }: { selected: string[]; items: DrawnItem[]; broken: [number, unknown][] },
): unknown[] {
  const sent: unknown[] = items.map(({ username, newEmployeeID, managerEmployeeID: wish, ...others }, at) => {
    const employeeID = selected[at] as string;
    const managerEmployeeID = wish === 'the own' ? (present[employeeID]?.manager ?? undefined) : wish;
    const own = present[employeeID]?.username ?? null;
    const wanted: Record<NameChange, unknown> = {
      absent: undefined,
      'the own': own,
      'the own in other letters': own && swapCase(own),
      none: null,
    };
    const renamed = { absent: undefined, null: null, 'the own': employeeID }[newEmployeeID];
    const name = username in wanted ? wanted[username] : username;
    const item = { ...others, employeeID, newEmployeeID: renamed, username: name, managerEmployeeID };
    // Omits undefined values, as a caller would.
    return Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined));
  });
  for (const [at, item] of broken) sent.splice(at, 0, item);
  return sent;
}

interface Run {
  readonly chunkItems: number;
  readonly connectionsMax: number;
  readonly blockItems: number | undefined;
  readonly by: RunCaller;
  /**
   * How the transactions of the first attempt fail, and the chunk size when the call is resent. Null for a call without
   * failures.
   */
  readonly broken: { readonly faults: readonly (Fault | null)[]; readonly chunkItems: number } | null;
}

const chunkItems = fc.integer({ min: 1, max: 4 });
const aRun: fc.Arbitrary<Run> = fc.record({
  chunkItems,
  connectionsMax: oneOf(1, 2, 2, 3),
  blockItems: oneOf(undefined, 1, 2, 3),
  by: fc.record({ isAdmin: fc.boolean(), id: oneOf(requester, 'another') }),
  broken: fc.option(
    fc.record({
      faults: fc.array(weighed<Fault | null>([2, fc.constant(null)], [1, oneOf(...faults)]), {
        minLength: 1,
        maxLength: 8,
      }),
      chunkItems,
    }),
    { freq: 2 },
  ),
});

async function send(items: readonly unknown[], { chunkItems, broken, ...settings }: Run) {
  const { read } = attributes;
  if (!broken) return runUpdates(service, items, { chunkItems, read, ...settings });
  const key = randomUUID();
  // The first transaction stores the key.
  const database = faultyDatabase(service.database, (begun) => broken.faults[begun - 1] ?? undefined);
  const first = await runUpdates(service, items, { chunkItems, read, ...settings, key, database }).catch(
    () => undefined, // nothing was done
  );
  if (first) verdictsOf(first);
  return runUpdates(service, items, { chunkItems: broken.chunkItems, read, ...settings, key });
}

type Row = Pick<UserRow, 'serial' | 'user' | 'session' | 'message'>;
const comparable = ({ serial, user, session, message }: Row): Row => ({ serial, user, session, message });

let calls = 0;

async function expectAsOneByOne(present: FewUsers, items: readonly unknown[], run: Run): Promise<void> {
  const { database, context } = service;
  const { read, unique } = attributes;
  const start = () => transaction(database, (tx) => settle(tx, present, read));
  const parsed = items.map((item, position) => parseBulkChange(item, { position }, 'keep', read));
  expect(canRunLockFree(parsed)).toBe(true);

  await start();
  const before = await userRows(database.pool);
  const caller = callerOf(run.by);
  const preview = await previewUpdates(context, parsed, { mode: 'oneByOne', confirmed: undefined, caller });
  const result = await send(items, run);
  const after = await userRows(database.pool);
  if (!result.ok) throw new Error(result.failure.detail);
  const succeeded = result.outcomes.filter(({ ok }) => ok).length;
  const counts = { items: items.length, succeeded, failed: items.length - succeeded };
  const log = await expectCompleted(database.pool, result.callId, counts);
  expectReplayed(before, log, after);
  expect(result.outcomes).toEqual(preview.ok && preview.outcomes);

  const reference = new ReferenceModel(before, run.by, { ...plainRules, read, unique });
  expect(
    result.outcomes.map((each) => {
      if (each.ok) return { serial: each.serial };
      return { error: each.failure.error, taken: takenOf(each.failure) };
    }),
  ).toEqual(reference.run('update', items));
  await expectGuarded(database.pool);
  expect(after.map(comparable)).toEqual(reference.rows.map(comparable));

  if (++calls % 3 > 0) return; // the preview has already shown as much
  await start();
  // A duplicate user makes the call run with locks.
  const twice = Array(2).fill({ employeeID: 'Nobody', name: 'Nobody', isActive: true });
  const { chunkItems, by } = run;
  const locked = await runUpdates(service, [...items, ...twice], { chunkItems, by, read });
  expect(result.outcomes).toEqual(locked.ok && locked.outcomes.slice(0, items.length));
  const versions = (rows: readonly UserRow[]) =>
    rows.map((row) => ({ ...comparable(row), version: row.version }));
  expect(versions(after)).toEqual(versions(await userRows(database.pool)));
}

describe(`lock-free bulk updates (${inject('engine')})`, () => {
  test(`${callsOfUpdates} random calls are equivalent to single items, and to calls with locks`, async () => {
    await fc.assert(
      fc.asyncProperty(users(ids, aLesserRole), aCall(ids, mostly), aRun, (present, call, run) =>
        expectAsOneByOne(present, itemsOf(present, call), run),
      ),
      { numRuns: callsOfUpdates },
    );
  });

  test(`${callsAmongAdministrators} random calls that could remove administrators are, too`, async () => {
    await fc.assert(
      fc.asyncProperty(users(few, mostlyAdministrators), aCall(few, seldom), aRun, (present, call, run) =>
        expectAsOneByOne(present, itemsOf(present, call), run),
      ),
      { numRuns: callsAmongAdministrators },
    );
  });
});

test('a circle of managers is named before a protected user, as with locks', async () => {
  const user = { username: null, email: true, phone: false, isActive: true, role: null } as const;
  const present: FewUsers = { A: { ...user, role: 'viewer', isActive: false }, B: { ...user, manager: 'A' } };
  await transaction(service.database, (tx) => settle(tx, present, attributes.read));
  const item = { employeeID: 'A', name: 'Ada', isActive: true, managerEmployeeID: 'B' };
  const by = { isAdmin: false, id: requester };
  expect(verdictsOf(await runUpdates(service, [item], { by }))).toEqual(['USER_MANAGER_CYCLE']);
});

describe('administrators in different chunks of a call', () => {
  const user = {
    username: null,
    email: true,
    phone: false,
    isActive: true,
    role: 'administrator',
  } as const;
  const given = (A: boolean, B: boolean) =>
    transaction(service.database, (tx) =>
      settle(tx, {
        A: { ...user, username: 'a', isActive: A },
        B: { ...user, username: 'b', isActive: B },
      }),
    );
  const item = (employeeID: string, isActive: boolean) => ({ employeeID, name: 'Old', isActive });
  const last = 'USER_LAST_ADMINISTRATOR';
  const inParts = { chunkItems: 1 };

  test.each([
    [
      'the second of two deactivations fails',
      [true, true],
      [item('B', false), item('A', false)],
      [true, last],
    ],
    [
      'one can leave after another has returned',
      [true, false],
      [item('B', true), item('A', false)],
      [true, true],
    ],
    ['but not before', [true, false], [item('A', false), item('B', true)], [last, true]],
  ] as const)('%s', async (_, [A, B], items, expected) => {
    await given(A, B);
    expect(verdictsOf(await runUpdates(service, items, inParts))).toEqual(expected);
  });

  test('the return counts even if its chunk failed at first', async () => {
    await given(true, false);
    const items = [item('B', true), item('A', false)];
    const key = randomUUID();
    const database = faultyDatabase(service.database, (begun) => (begun === 1 ? 'no connection' : undefined));
    await runUpdates(service, items, { ...inParts, key, database }).catch(() => {});
    expect(verdictsOf(await runUpdates(service, items, { ...inParts, key }))).toEqual([true, true]);
  });
});
