import fc from 'fast-check';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { patchAttributes } from '../../src/contract/attribute-values.js';
import type { Role } from '../../src/contract/scopes.js';
import { changeableFields } from '../../src/contract/user-values.js';
import { setRole } from '../../src/domain/access/roles.js';
import { completed } from '../../src/domain/bulk/run-call.js';
import type { Caller } from '../../src/domain/caller.js';
import { previewUndo, undoCall } from '../../src/domain/calls/undo-call.js';
import type { Parsed } from '../../src/domain/read-fields.js';
import { createUser } from '../../src/domain/users/create-user.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { updateUser } from '../../src/domain/users/update-user.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser, parsePatch } from '../../src/domain/users/user-rules.js';
import { type Executor, transaction } from '../../src/storage/database.js';
import { definedAttributes, type FewAttributes } from '../support/few-attributes.js';
import { expectGuarded } from '../support/few-users.js';
import { usePlayground } from '../support/playground.js';
import { takenOf } from '../support/reference-model.js';
import { callerOf } from '../support/update-runs.js';

/**
 * Random calls with so few names that nearly everything conflicts, undone at once or after others have changed the same
 * users. The expected result is derived only from the rows before the call, after it and before the undo. A failing run
 * is minimized and printed with its seed.
 */
const isEmbedded = inject('engine') === 'embedded';
const undosAtOnce = isEmbedded ? 4 : 15;
const undosAfterChanges = isEmbedded ? 8 : 30;

const service = usePlayground();
let attributes: FewAttributes;
/** An attribute counts as a field of its own. */
let fields: readonly string[];

beforeAll(async () => {
  attributes = await definedAttributes(service.database);
  fields = [
    ...changeableFields.filter((field) => field !== 'attributes'),
    ...attributes.definitions.all.map(({ id }) => `attributes.${id}`),
  ];
});

const ids = ['A', 'B', 'C', 'D', 'E'];
const usernames = ['u', 'U', 'v', 'V', 'w', 'x', 'y'];
const signInNames = ['s@x', 't@x', 'u@x'];
const badges = ['1', '2', '3'];

const absent = fc.constant(undefined);
const cleared = fc.constant(null);

/** Omits fields with the value `undefined`, as a caller would. */
const objectOf = (fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Record<string, unknown>> =>
  fc
    .record(fields)
    .map((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)));

const details = {
  username: fc.oneof(absent, absent, absent, cleared, fc.constantFrom(...usernames)),
  signInName: fc.oneof(absent, absent, absent, cleared, fc.constantFrom(...signInNames)),
  phone: fc.oneof(absent, absent, cleared, fc.constantFrom('111', '222')),
  tagSerials: fc.oneof(absent, fc.constantFrom([], ['T1'], ['T1', 'T,2'])),
  organizationSerial: fc.oneof(absent, cleared, fc.constantFrom('O1', 'O2')),
  managerEmployeeID: fc.oneof(absent, fc.constant(''), fc.constantFrom(...ids, 'F')),
  attributes: fc.oneof(
    absent,
    objectOf({
      badge: fc.oneof(absent, fc.constantFrom('', ...badges)),
      note: fc.oneof(absent, fc.constantFrom('', 'old', 'new')),
    }),
  ),
};
const isActive = fc.oneof(
  { weight: 3, arbitrary: fc.constant(true) },
  { weight: 1, arbitrary: fc.constant(false) },
);
const name = fc.constantFrom('Old', 'Ada', 'Bob');

const updateItem = objectOf({
  employeeID: fc.constantFrom(...ids),
  newEmployeeID: fc.oneof(absent, absent, fc.constantFrom(...ids, 'F', 'G', 'H')),
  name,
  isActive,
  ...details,
});

const createItem = objectOf({
  employeeID: fc.constantFrom(...ids, 'F', 'G', 'H', 'I'),
  email: fc.constant('new@b.c'),
  name,
  isActive,
  ...details,
});

interface UserBefore {
  readonly username: string | null;
  readonly signInName: string | null;
  readonly email: boolean;
  readonly phone: boolean;
  readonly isActive: boolean;
  readonly role: Role | null;
  readonly badge: string | null;
  readonly note: string | null;
  /** Only one who comes before is taken, so that nobody is their own. */
  readonly manager: string | null;
}

/** The users before the call. */
const population = fc.record(
  Object.fromEntries(
    ids.map((id) => [
      id,
      fc.option(
        fc.record<UserBefore>({
          username: fc.option(fc.constantFrom(...usernames), { freq: 4 }),
          signInName: fc.option(fc.constantFrom(...signInNames), { freq: 2 }),
          email: fc.boolean(),
          phone: fc.boolean(),
          isActive,
          role: fc.constantFrom<Role | null>(
            null,
            null,
            'viewer',
            'operator',
            'administrator',
            'administrator',
          ),
          badge: fc.option(fc.constantFrom(...badges), { freq: 2 }),
          note: fc.option(fc.constantFrom('old', 'new')),
          manager: fc.option(fc.constantFrom(...ids), { freq: 6 }),
        }),
        { freq: 8 },
      ),
    ]),
  ),
);

const call = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constantFrom('oneByOne', 'finalState'),
      items: fc.array(updateItem, { minLength: 3, maxLength: 8, size: 'max' }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('create'),
      items: fc.array(createItem, { minLength: 1, maxLength: 6, size: 'max' }),
    }),
  },
);
type Call = { readonly kind: string; readonly items: readonly unknown[] };

/** What others do after the call, to the user at that place or by adding a new one. */
const laterChange = fc.record({
  place: fc.nat({ max: 6 }),
  what: fc.oneof(
    {
      weight: 6,
      arbitrary: objectOf({
        employeeID: fc.oneof(absent, absent, fc.constantFrom(...ids, 'F', 'G')),
        name: fc.oneof(absent, absent, fc.constantFrom('Old', 'Since')),
        email: fc.oneof(absent, cleared, fc.constant('since@b.c')),
        isActive: fc.oneof(absent, absent, fc.boolean()),
        ...details,
      }),
    },
    { weight: 3, arbitrary: fc.constantFrom('somebody new takes a name') },
    { weight: 4, arbitrary: fc.constantFrom('reports to a former report', 'takes a free badge') },
    { weight: 1, arbitrary: fc.constantFrom('chooses a password', 'becomes a viewer') },
  ),
});
type LaterChange = { readonly place: number; readonly what: Record<string, unknown> | string };

/** Changes users between a call and its undo. */
const others = callerOf({ id: 'others', isAdmin: true });
/** Makes a call and undoes it. */
const aCaller = fc.boolean().map((isAdmin) => callerOf({ id: 'random', isAdmin }));

interface User {
  readonly [field: string]: unknown;
  readonly version: number;
}
/** All users, by serial. */
type Everybody = ReadonlyMap<string, User>;

async function populate(users: Record<string, UserBefore | null>, isRooted: boolean): Promise<void> {
  const taken = new Set<string>();
  const ifFree = (name: string | null) => {
    const isTaken = name === null || taken.has(name.toLowerCase());
    taken.add(name?.toLowerCase() ?? '');
    return isTaken ? null : name;
  };
  const there = new Set<string>();
  const rows = Object.entries(users).flatMap(([employeeID, user]) => {
    if (user === null) return [];
    const [username, signInName, badge] = [user.username, user.signInName, user.badge].map(ifFree);
    const email = user.email ? 'a@b.c' : null;
    const phone = user.phone || email === null ? '111' : null;
    const values = attributes.read({ badge, note: user.note }, {}, 'clear');
    const manager = user.manager !== null && there.has(user.manager) ? user.manager : null;
    there.add(employeeID);
    const stored = values.ok ? patchAttributes(null, values.value) : null;
    return [{ ...user, employeeID, username, signInName, badge, email, phone, manager, attributes: stored }];
  });
  // An administrator that no call touches, so that all others can be deactivated.
  const root = {
    employeeID: 'root',
    username: 'root',
    email: 'a@b.c',
    isActive: true,
    role: 'administrator',
  };
  await transaction(service.database, async (tx) => {
    for (const table of ['users', 'deliveries', 'changes', 'calls']) await tx.query(`DELETE FROM ${table}`);
    await tx.query({
      name: 'populate',
      text: `WITH given AS (
               SELECT md5("employeeID")::uuid AS serial, p.* FROM jsonb_to_recordset($1::jsonb)
                 AS p ("employeeID" text, username text, "signInName" text, email text, phone text, "isActive" boolean, role text,
                       badge text, manager text, attributes text)),
             new_users AS (
               INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, sign_in_name, email, phone,
                                  is_active, tag_serials, manager_serial, attributes)
               SELECT serial, now(), now(), "employeeID", 'Old', username, "signInName", email, phone, "isActive",
                      '{T1}', md5(manager)::uuid, attributes::jsonb FROM given),
             new_values AS (
               INSERT INTO unique_attributes (attribute_id, user_serial, value)
               SELECT id, serial, badge FROM given JOIN attributes ON key = 'badge' AND deleted_at IS NULL
               WHERE badge IS NOT NULL)
             INSERT INTO roles (user_serial, role) SELECT serial, role FROM given WHERE role IS NOT NULL`,
      values: [JSON.stringify(isRooted ? [...rows, root] : rows)],
    });
  });
}

async function everybody(db: Executor = service.database.pool): Promise<Everybody> {
  const { rows } = await db.query({
    name: 'everybody',
    text: `SELECT serial, version, employee_id AS "employeeID", name, username, email, phone, is_active AS "isActive",
             organization_serial AS "organizationSerial", tag_serials AS "tagSerials", manager_serial AS "managerSerial",
             coalesce(attributes, '{}') AS attributes, sign_in_name AS "signInName", scim::text, role
           FROM users LEFT JOIN roles ON user_serial = serial ORDER BY serial`,
  });
  return new Map(
    rows.map(({ serial, attributes: values, ...user }) => [serial, { ...user, ...flat(values) }]),
  );
}

/** Each attribute as a field of its own. */
function flat(values: Record<string, unknown> | null): Record<string, unknown> {
  const none = fields.filter((field) => field.startsWith('attributes.')).map((field) => [field, null]);
  const given = Object.entries(values ?? {}).map(([id, value]) => [`attributes.${id}`, value]);
  return Object.fromEntries([...none, ...given]);
}

/** Without versions, which every write increments, and roles, which an undo does not restore. */
function statesOf(users: Everybody): Record<string, unknown> {
  return Object.fromEntries(
    [...users].map(([serial, { version: _, role: __, ...state }]) => [serial, state]),
  );
}

const inChunksOf = (bulkChunkItems: number) => ({
  ...service.context,
  limits: { ...service.context.limits, bulkChunkItems },
});

/** No operation takes sign-in names but those of SCIM, which hand on what others would have parsed. */
function withSignInName<T>(
  item: unknown,
  parse: (sent: object) => Parsed<T>,
  named: (value: T, signInName: string | null) => T,
): Parsed<T> {
  const { signInName, ...sent } = item as { signInName?: string | null };
  const parsed = parse(sent);
  return parsed.ok && signInName !== undefined
    ? { ok: true, value: named(parsed.value, signInName) }
    : parsed;
}

const newUserIn = (item: unknown) =>
  withSignInName(
    item,
    (sent) => parseNewUser(sent, {}, undefined, attributes.read),
    (user, signInName) => ({ ...user, signInName }),
  );

const changeIn = (item: unknown) =>
  withSignInName(
    item,
    (sent) => parseBulkChange(sent, {}, 'keep', attributes.read),
    ({ change, ...others }, signInName) => ({ ...others, change: { ...change, signInName } }),
  );

async function run({ kind, items }: Call, chunkItems: number, caller: Caller): Promise<string> {
  const context = inChunksOf(chunkItems);
  const result = await completed(
    kind === 'create'
      ? createUsersBulk(context, [items.map(newUserIn)], {
          caller,
          effects: false,
          hold: false,
        })
      : updateUsersBulk(context, [items.map(changeIn)], {
          caller,
          effects: false,
          mode: kind as 'oneByOne',
          confirmed: undefined,
        }),
  );
  if (!result.ok) throw new Error(result.failure.detail);
  return result.callId;
}

/** Undoes the call, and checks that the preview predicted the same outcomes. */
async function undo(callId: string, caller: Caller, chunkItems = 2) {
  const preview = await previewUndo(service.context, callId, { caller, confirmed: undefined });
  const result = await undoCall(inChunksOf(chunkItems), callId, { caller, confirmed: undefined });
  if (!result.ok || !preview.ok) throw new Error('the undo was rejected');
  expect(preview.outcomes).toEqual(result.outcomes);
  expect(preview.employeeIDs).toEqual(result.employeeIDs);
  await expectGuarded(service.database.pool);
  return result;
}

/** Names that were in use before and are free now. */
function freed(field: string, before: Everybody, now: Everybody): string[] {
  const held = new Set([...now.values()].map((user) => String(user[field]).toLowerCase()));
  return [...before.values()].flatMap((user) => {
    const name = user[field];
    return typeof name === 'string' && !held.has(name.toLowerCase()) ? [name] : [];
  });
}

/** Creates a user with some kinds of names that have become free. */
async function takeNames(place: number, before: Everybody): Promise<void> {
  const now = await everybody();
  const ids = place % 3 === 0 ? [] : freed('employeeID', before, now);
  const names = place % 3 === 1 ? [] : freed('username', before, now);
  const [badge] = place % 2 === 1 ? [] : freed(badgeField(), before, now);
  const user = {
    employeeID: ids[place % ids.length] ?? `new${place}`,
    username: names[place % names.length]?.toUpperCase() ?? null,
    signInName: place % 3 === 2 ? null : (freed('signInName', before, now)[0] ?? null),
    attributes: { badge: badge ?? null },
  };
  const parsed = newUserIn({ ...user, name: 'New', email: 'new@b.c', isActive: true });
  if (parsed.ok) await createUser(service.context, parsed.value, others);
}

async function patch(serial: string, what: Record<string, unknown>): Promise<void> {
  const parsed = withSignInName(
    what,
    (sent) => parsePatch(sent, {}, attributes.read),
    (change, signInName) => ({ ...change, signInName }),
  );
  if (!parsed.ok) return;
  await updateUser(service.context, serial, parsed.value, { versionIsKnown: () => true, caller: others });
}

/** Someone who reported to a user before becomes the manager of that user. */
async function reportToReport(place: number, before: Everybody, now: Everybody): Promise<void> {
  const former = [...before].filter(([serial, { managerSerial }]) => managerSerial && now.has(serial));
  const [report = '', user] = former[place % former.length] ?? [];
  const managerEmployeeID = now.get(report)?.employeeID;
  if (user) await patch(String(user.managerSerial), { managerEmployeeID });
}

async function change(
  { place, what }: LaterChange,
  before: Everybody,
  settledIn: Set<string>,
): Promise<void> {
  if (what === 'somebody new takes a name') return takeNames(place, before);
  const now = await everybody();
  if (what === 'reports to a former report') return reportToReport(place, before, now);
  const [serial, user] = [...now][place] ?? [];
  if (serial === undefined) return;
  if (what === 'takes a free badge') {
    const [badge] = freed(badgeField(), before, now);
    return patch(serial, { attributes: { badge: badge ?? '4' } });
  }
  if (typeof what !== 'string') return patch(serial, what);
  if (what === 'becomes a viewer') {
    if (user?.role === null) await setRole(service.context, serial, 'viewer', others);
    return;
  }
  settledIn.add(serial);
  await service.database.pool.query(
    `INSERT INTO credentials (user_serial, password_hash, must_change) VALUES ($1, 'x', false) ON CONFLICT DO NOTHING`,
    [serial],
  );
}

const same = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b);

const differences = (a: User, b: User) => fields.filter((field) => !same(a[field], b[field]));

const badgeField = () => `attributes.${attributes.unique[0]}`;

type Verdict = 'nothing' | 'keep' | 'remove' | { readonly restored: User };

/** What an undo should do with a user, given the states before the call, after it and now. */
function verdictOn(
  before: User | undefined,
  after: User | undefined,
  now: User | undefined,
  isSettledIn: boolean,
): Verdict {
  if (!after || !now) return 'nothing';
  if (!before) return isSettledIn || differences(after, now).length > 0 ? 'keep' : 'remove';
  const touched = differences(before, after);
  if (touched.length === 0) return 'nothing';
  if (touched.some((field) => !same(now[field], after[field]) && !same(now[field], before[field])))
    return 'keep';
  return { restored: { ...now, ...Object.fromEntries(touched.map((field) => [field, before[field]])) } };
}

const canSignIn = (user: User | undefined) =>
  user?.isActive === true && (user.username !== null || user.signInName !== null);

/** Whether the error that prevented restoring a user matches the final state. */
function isTrue(
  error: string,
  holder: string | null | undefined,
  [serial, restored]: readonly [string, User],
  { end, wanted }: { readonly end: Everybody; readonly wanted: Everybody },
  administrators: ReadonlySet<string>,
  caller: Caller,
): boolean {
  const other = holder != null && holder !== serial ? end.get(holder) : undefined;
  switch (error) {
    case 'USER_EMPLOYEE_ID_EXISTS':
      return other?.employeeID === restored.employeeID;
    case 'USER_USERNAME_EXISTS':
      return (
        String(other?.username).toLowerCase() === String(restored.username).toLowerCase() ||
        (restored.signInName !== null && other?.signInName === restored.signInName)
      );
    case 'USER_ATTRIBUTE_EXISTS':
      return other?.[badgeField()] === restored[badgeField()];
    case 'USER_MANAGER_CYCLE':
      return reaches(restored.managerSerial, serial, [end, wanted]);
    case 'USER_CONTACT_REQUIRED':
      return restored.email === null && restored.phone === null;
    case 'USER_LAST_ADMINISTRATOR':
      return (
        !canSignIn(restored) &&
        [...administrators].filter((each) => canSignIn(end.get(each))).join() === serial
      );
    case 'USER_PROTECTED':
      return isProtected(end.get(serial) as User, restored, caller);
    default:
      return false;
  }
}

/** Whether somebody is another one, or reports to them, by what managers are or are to be. */
function reaches(from: unknown, to: string, states: readonly Everybody[]): boolean {
  const seen = new Set([from]);
  for (const serial of seen) for (const users of states) seen.add(users.get(String(serial))?.managerSerial);
  return seen.has(to);
}

/** Whether the caller may not make this change to a user with a role. */
function isProtected(now: User, restored: User, { actor }: Caller): boolean {
  const nameOf = ({ username }: User) => (username === null ? null : String(username).toLowerCase());
  const addressOf = ({ email, phone }: User) => (email === null ? `phone ${phone}` : `email ${email}`);
  if (now.role === null || actor.scopes.has('access:admin')) return false;
  if (now.isActive && !restored.isActive) return false;
  return (
    nameOf(now) !== nameOf(restored) ||
    now.signInName !== restored.signInName ||
    addressOf(now) !== addressOf(restored) ||
    now.isActive !== restored.isActive
  );
}

async function administrators(): Promise<Set<string>> {
  const { rows } = await service.database.pool.query(
    `SELECT user_serial AS serial FROM roles WHERE role = 'administrator'`,
  );
  return new Set(rows.map(({ serial }) => serial));
}

/** Replaying the change log on the users before the call must yield the current users. */
async function expectLogTellsAll(before: Everybody): Promise<void> {
  const { rows } = await service.database.pool.query(
    'SELECT user_serial AS serial, kind, version, fields FROM changes WHERE user_serial IS NOT NULL ORDER BY seq',
  );
  const users = new Map<string, User>(before);
  const versions = new Map([...before].map(([serial, { version }]) => [serial, version]));
  const nobody = {
    ...Object.fromEntries(fields.map((field) => [field, null])),
    tagSerials: [],
    role: null,
  };
  for (const { serial, kind, version, fields: logged } of rows) {
    const { attributes: values, ...others } = logged;
    const valuesChanged = values ? changedValues(values) : {};
    const known: Record<string, unknown> = { ...(users.get(serial) ?? nobody) };
    expect(users.has(serial), kind).toBe(kind !== 'created');
    expect(version, 'a version is never seen twice').toBeGreaterThan(versions.get(serial) ?? 0);
    versions.set(serial, version);
    for (const [field, { before: was, after: is }] of Object.entries<{ before: unknown; after: unknown }>({
      ...others,
      ...valuesChanged,
    })) {
      if (kind === 'updated') expect(known[field]).toEqual(was);
      known[field] = is;
    }
    if (kind === 'deleted') users.delete(serial);
    else users.set(serial, { ...known, version });
  }
  expect(Object.fromEntries(await everybody())).toEqual(Object.fromEntries(users));
}

/** The attributes that changed, each as a field of its own. */
function changedValues({ before, after }: { before: Values; after: Values }): Record<string, unknown> {
  const ids = Object.keys({ ...before, ...after });
  return Object.fromEntries(
    ids.map((id) => [`attributes.${id}`, { before: before?.[id] ?? null, after: after?.[id] ?? null }]),
  );
}
type Values = Readonly<Record<string, unknown>> | null;

describe(`an undo (${inject('engine')})`, () => {
  // Chunks of every size: the undo must not depend on where a call was split into transactions.
  const chunkSize = fc.constantFrom(1, 2, 2_500);

  test(`right after the call restores all users, and can itself be undone: ${undosAtOnce} calls`, async () => {
    await fc.assert(
      fc.asyncProperty(population, call, chunkSize, aCaller, async (users, made, size, caller) => {
        await populate(users, true);
        const before = await everybody();
        const callId = await run(made, size, caller);
        const after = await everybody();
        const first = await undo(callId, caller, size);
        expect(first.outcomes.filter(({ ok }) => !ok)).toEqual([]);
        expect(statesOf(await everybody())).toEqual(statesOf(before));
        const second = await undo(first.callId, caller);
        expect(second.outcomes.filter(({ ok }) => !ok)).toEqual([]);
        expect(statesOf(await everybody())).toEqual(statesOf(after));
        const third = await undo(callId, caller);
        expect(third.outcomes.filter(({ ok }) => !ok)).toEqual([]);
        expect(statesOf(await everybody())).toEqual(statesOf(before));
        await expectLogTellsAll(before);
      }),
      { numRuns: undosAtOnce, verbose: 1 },
    );
  });

  test(`after other changes restores a user completely or not at all: ${undosAfterChanges} calls`, async () => {
    const later = fc.array(laterChange, { minLength: 1, maxLength: 5, size: 'max' });
    await fc.assert(
      fc.asyncProperty(
        population,
        call,
        later,
        fc.boolean(),
        chunkSize,
        aCaller,
        async (users, made, changes, isRooted, size, caller) => {
          await populate(users, isRooted);
          const before = await everybody();
          const callId = await run(made, size, caller);
          const after = await everybody();
          const settledIn = new Set<string>();
          for (const each of changes) await change(each, before, settledIn);
          const now = await everybody();
          const result = await undo(callId, caller, size);
          const end = await everybody();

          const outcomes = new Map(result.employeeIDs.map((id, at) => [id, result.outcomes[at]]));
          const expected = new Map<string, User>();
          const verdicts = new Map(
            [...now].map(([serial, user]) => {
              const isSettledIn = settledIn.has(serial) || user.role !== null;
              return [serial, verdictOn(before.get(serial), after.get(serial), user, isSettledIn)];
            }),
          );
          const wanted = new Map(
            [...verdicts].flatMap(([serial, verdict]) =>
              typeof verdict === 'object' ? [[serial, verdict.restored] as const] : [],
            ),
          );
          for (const [serial, user] of now) {
            const verdict = verdicts.get(serial) as Verdict;
            const outcome = outcomes.get(String(user.employeeID));
            outcomes.delete(String(user.employeeID));
            if (verdict === 'nothing') expect(outcome).toBeUndefined();
            else if (verdict === 'keep')
              expect(outcome).toMatchObject({ failure: { error: 'USER_CHANGED_SINCE' } });
            else if (outcome?.ok) expect(outcome.serial).toBe(serial);
            else {
              const restored: readonly [string, User] = [
                serial,
                verdict === 'remove' ? user : verdict.restored,
              ];
              const error = outcome?.failure.error ?? 'nothing';
              const holder = outcome && takenOf(outcome.failure)?.serial;
              const states = { end, wanted };
              const told = isTrue(error, holder, restored, states, await administrators(), caller);
              expect(verdict !== 'remove' && told, `${error} of ${user.employeeID}`).toBe(true);
            }
            if (outcome?.ok && typeof verdict === 'object') {
              expect(isProtected(user, verdict.restored, caller)).toBe(false);
              expected.set(serial, verdict.restored);
            } else if (!(outcome?.ok && verdict === 'remove')) expected.set(serial, user);
          }
          expect([...outcomes]).toEqual([]);
          expect(statesOf(end)).toEqual(statesOf(expected));
          await expectLogTellsAll(before);

          // Undoing the undo: nobody has changed anything since, so nothing prevents it.
          const again = await undo(result.callId, caller);
          if (!isRooted) return; // undoing could remove an administrator who has become the last one
          expect(again.outcomes.filter(({ ok }) => !ok)).toEqual([]);
          expect(statesOf(await everybody())).toEqual(statesOf(now));
        },
      ),
      { numRuns: undosAfterChanges, verbose: 1 },
    );
  });

  test('deactivates no administrator who has become the last one', async () => {
    const user = {
      username: 'a',
      email: true,
      phone: false,
      isActive: false,
      role: 'administrator' as const,
      ...{ signInName: null, badge: null, note: null, manager: null },
    };
    await populate({ A: user, B: { ...user, username: 'b', isActive: true } }, false);
    const item = (employeeID: string, isActive: boolean) => ({ employeeID, name: 'Old', isActive });
    const callId = await run({ kind: 'oneByOne', items: [item('A', true)] }, 1, others);
    await run({ kind: 'oneByOne', items: [item('B', false)] }, 1, others);
    const { outcomes } = await undo(callId, others);
    expect(outcomes).toMatchObject([{ ok: false, failure: { error: 'USER_LAST_ADMINISTRATOR' } }]);
  });
});
