import fc from 'fast-check';
import { beforeAll, expect, inject, test } from 'vitest';
import { type AttributeValue, parseAttributes } from '../../src/contract/attribute-values.js';
import type { DirectoryKind, DirectorySort } from '../../src/contract/directories.js';
import { type Role, roles } from '../../src/contract/scopes.js';
import { loadAttributes } from '../../src/domain/attributes/attribute-facts.js';
import type { AttributeReader } from '../../src/domain/attributes/attribute-set.js';
import { createAttribute } from '../../src/domain/attributes/attributes.js';
import { completed } from '../../src/domain/bulk/run-call.js';
import { undoCall } from '../../src/domain/calls/undo-call.js';
import { getEntry, listDirectory } from '../../src/domain/directories/entries.js';
import { indexNext } from '../../src/domain/indexing/index-next.js';
import { searchDocument } from '../../src/domain/indexing/search-document.js';
import { matchesSearch, parseSearch, type SearchQuery } from '../../src/domain/indexing/search-query.js';
import { countUsers, exactTotalMax } from '../../src/domain/users/count-users.js';
import { createUsersBulk } from '../../src/domain/users/create-users-bulk.js';
import { exactMatchesMax, idsMeantBy } from '../../src/domain/users/exact-matches.js';
import {
  type ListRequest,
  listUsers,
  type MatchFilters,
  type Sort,
  type SortKey,
  sortKeys,
} from '../../src/domain/users/list-users.js';
import { updateUsersBulk } from '../../src/domain/users/update-users-bulk.js';
import { parseBulkChange, parseNewUser } from '../../src/domain/users/user-rules.js';
import { transaction } from '../../src/storage/database.js';
import { rebuildIndex } from '../../src/storage/indexing/index-state.js';
import type { AttributeFilter, AttributeKey } from '../../src/storage/users/attribute-conditions.js';
import { type StrategyLimits, strategyLimits } from '../../src/storage/users/page-order.js';
import type { ManagerFilter } from '../../src/storage/users/user-conditions.js';
import { useUnindexedPlayground } from '../support/playground.js';
import { callerOf } from '../support/update-runs.js';

/**
 * Random calls and undos, with the indexer at random positions of the change log. What is read in between is compared
 * with the rows of the users table. A failing run is minimized and printed with its seed.
 */
const isEmbedded = inject('engine') === 'embedded';
const runs = 3;
/** On PostgreSQL more matches than are counted. */
const many = isEmbedded ? 1_200 : 17_000;

/** So small that each way to find a page is taken. */
const smallLimits = {
  ...strategyLimits,
  listedMax: 1,
  sortedMax: 2,
  scannedMax: 4,
  scannedWordsMax: 4,
  scannedFurtherMax: 3,
  frequentMin: 2,
  scannedFrequentPages: 1,
  managersMax: 1,
};
const mediumLimits = {
  ...strategyLimits,
  listedMax: 100,
  sortedMax: 200,
  scannedMax: 1_000,
  scannedWordsMax: 300,
  scannedFurtherMax: 1_000,
};
let strategies: StrategyLimits = smallLimits;

const service = useUnindexedPlayground();
const caller = callerOf();

const ids = ['A1', 'A10', 'a1', 'B007', 'B7', '00042', '42', 'C1', 'C2', 'C3', 'ZZ9', 'z'];
const names = [
  ...['Ada Lovelace', 'ada lovelace', 'Äda Löw', 'Ada-Marie Müller', "O'Brien", 'Zoë', 'Ødegård', 'Straße'],
  ...[
    '山田 太郎',
    '山田太郎',
    'やまだ',
    '김철수',
    'Иванов Пётр',
    'Ιωάννης',
    'محمد علی',
    'אברהם',
    'नमस्ते',
    'ก้อง',
  ],
  ...['100%_a\\b', '"quoted"', '١٢٣', 'Ｆｕｌｌ', '🙂', 'x', '-'],
];
const emails = ['ada@example.com', 'ADA.l+x@exämple.org', 'a_b%c@x.y'];
const phones = ['+49 (0)30 123-456', '030 123456', '42', 'ext. 7', '٠٣٠ ١٢٣'];
const usernames = ['ada', 'Ada2', 'x0042', 'zoe'];
const organizations = ['O1', 'o1', 'O 2/%', 'Ö"3,{}'];
const tags = ['T1', 't1', 'T,2', 'T"3', 'T\\4'];

const texts = ['Sales', 'sales', 'Ärzte', '100%_a\\b', 'R&D 42', `${'x'.repeat(200)}y`, `${'x'.repeat(200)}`];
const numbers = [-1.5, 0, 2, 10, 9.75];
const dates = ['1999-12-31', '2024-02-29', '2026-01-01'];
/** By key. Nobody is found by the last one. */
const definitions = {
  team: { type: 'text', isFilterable: true, isSearchable: true, values: fc.constantFrom(...texts) },
  level: { type: 'number', isFilterable: true, values: fc.constantFrom(...numbers) },
  since: { type: 'date', isFilterable: true, values: fc.constantFrom(...dates) },
  remote: { type: 'boolean', isFilterable: true, values: fc.boolean() },
  skills: { type: 'list', isFilterable: true, isSearchable: true, values: fc.subarray(texts) },
  notes: { type: 'text', values: fc.constantFrom(...texts) },
} as const;
type Key = keyof typeof definitions;
const filterable = ['team', 'level', 'since', 'remote', 'skills'] as const;
const sortable = ['team', 'level', 'since', 'remote'] as const;
/** Attributes are stored and filtered by these. */
let attributeIds: Readonly<Record<Key, number>>;
let readAttributes: AttributeReader;

beforeAll(async () => {
  const { database } = service;
  for (const [key, { values: _, ...settings }] of Object.entries(definitions)) {
    const created = await createAttribute(database, { key, ...settings }, caller);
    if (!created.ok) throw new Error(created.failure.detail);
  }
  const set = await loadAttributes(database.pool);
  attributeIds = Object.fromEntries(set.all.map(({ key, id }) => [key, id])) as Record<Key, number>;
  readAttributes = (sent, origin, nulls) => set.read(sent, origin, { nulls, maySeeSensitive: true });
});

const absent = fc.constant(undefined);
const often = <T>(arbitrary: fc.Arbitrary<T>) => fc.oneof(absent, arbitrary, arbitrary);

const fields = {
  name: fc.constantFrom(...names),
  isActive: fc.boolean(),
  username: often(fc.constantFrom('', ...usernames)),
  phone: often(fc.constantFrom(...phones)),
  tagSerials: often(fc.subarray(tags)),
  organizationSerial: often(fc.constantFrom('', ...organizations)),
  managerEmployeeID: fc.oneof(absent, absent, fc.constantFrom('', ...ids.slice(0, 3))),
  attributes: often(
    fc.record(
      Object.fromEntries(
        Object.entries(definitions).map(([key, { values }]) => [
          key,
          fc.oneof(fc.constant(''), values, values),
        ]),
      ),
      { requiredKeys: [] },
    ),
  ),
};
const itemOf = (more: Record<string, fc.Arbitrary<unknown>>) =>
  fc
    .record({ employeeID: fc.constantFrom(...ids), ...fields, ...more })
    .map((item) => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== undefined)));
const creations = fc.array(itemOf({ email: fc.constantFrom(...emails) }), { minLength: 1, maxLength: 12 });
const changes = fc.array(itemOf({ newEmployeeID: fc.oneof(absent, absent, fc.constantFrom(...ids)) }), {
  minLength: 1,
  maxLength: 8,
});

const words = [...names, ...emails, ...phones, ...usernames, ...ids, ...texts.slice(0, 5)].flatMap((text) => [
  text,
  ...text.split(/\s+/),
]);
/** Words, parts of words, several words, and text that finds nobody. */
const search = fc.oneof(
  fc.constantFrom(...words),
  fc
    .tuple(fc.constantFrom(...words), fc.nat(4), fc.integer({ min: 1, max: 5 }))
    .map(([word, start, length]) => [...word].slice(start, start + length).join('')),
  fc.tuple(fc.constantFrom(...words), fc.constantFrom(...words)).map((both) => both.join(' ')),
  fc.constantFrom('mueller', 'oedegaard', 'strasse', '!!!', '\u0301', '%', '_', '\\', '+49 30 123'),
);

const role = fc.constantFrom(...roles, 'none' as const);
const some = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.array(arbitrary, { minLength: 1, maxLength: 3, size: 'max' });
/** The time of an existing user, chosen by this number, or one that is earlier or later than all. */
const time = fc.oneof(fc.nat(20), fc.constantFrom('1960-01-01T00:00:00.000Z', '9999-12-31T00:00:00.000Z'));
/** What the value of an attribute has to be, with its key instead of its ID. */
const attributeFilter = fc.oneof(
  fc.record({ key: fc.constantFrom(...filterable), isSet: fc.boolean() }),
  fc.record({ key: fc.constantFrom('team', 'skills'), values: some(fc.constantFrom(...texts)) }),
  fc.record({ key: fc.constant('level'), values: some(fc.constantFrom(...numbers.map(String))) }),
  fc.record({ key: fc.constant('remote'), values: some(fc.constantFrom('true', 'false')) }),
  fc.record(
    { key: fc.constant('level'), from: fc.constantFrom('-2', '0', '9.5'), to: fc.constantFrom('2', '9.75') },
    { requiredKeys: ['key'] },
  ),
  fc.record(
    { key: fc.constant('since'), from: fc.constantFrom(...dates), to: fc.constantFrom(...dates) },
    { requiredKeys: ['key'] },
  ),
) as fc.Arbitrary<{ key: Key } & Omit<AttributeFilter, 'attributeId' | 'type'>>;
const filters = fc.record(
  {
    attributes: fc.array(attributeFilter, { minLength: 1, maxLength: 2 }),
    search,
    employeeIDs: some(fc.constantFrom(...ids)),
    formerEmployeeIDs: some(fc.constantFrom(...ids)),
    usernames: some(fc.constantFrom(...usernames, 'ADA')),
    isActive: fc.boolean(),
    organizationSerials: some(fc.constantFrom(...organizations)),
    notOrganizationSerials: some(fc.constantFrom(...organizations)),
    hasOrganization: fc.boolean(),
    tagSerials: some(fc.constantFrom(...tags)),
    notTagSerials: some(fc.constantFrom(...tags)),
    hasTags: fc.boolean(),
    managers: some(fc.constantFrom(...ids)).map((employeeIDs) => ({ employeeIDs, serials: [] })),
    hasManager: fc.boolean(),
    managerIsActive: fc.boolean(),
    roles: some(role),
    notRoles: some(role),
    mustChangePassword: fc.boolean(),
    neverSignedIn: fc.boolean(),
    createdSince: time,
    createdUntil: time,
    updatedSince: time,
    updatedUntil: time,
  },
  { requiredKeys: [] },
);
type GivenFilters = typeof filters extends fc.Arbitrary<infer T> ? T : never;
const filterNames = [
  ...['attributes', 'attributes', 'attributes', 'attributes'],
  ...['search', 'search', 'search', 'employeeIDs', 'usernames', 'isActive', 'organizationSerials'],
  ...['notOrganizationSerials', 'tagSerials', 'notTagSerials', 'roles', 'notRoles', 'mustChangePassword'],
  ...[
    'formerEmployeeIDs',
    'hasOrganization',
    'hasTags',
    'managers',
    'hasManager',
    'managerIsActive',
    'neverSignedIn',
    'createdSince',
    'createdUntil',
    'updatedSince',
    'updatedUntil',
  ],
] as const;
/** None, one, or a few of the filters: a combination of many finds nobody. */
const fewFilters = fc
  .tuple(filters, fc.array(fc.constantFrom(...filterNames), { maxLength: 3, size: 'max' }))
  .map(
    ([all, chosen]): GivenFilters =>
      Object.fromEntries(Object.entries(all).filter(([name]) => (chosen as string[]).includes(name))),
  );

const read = fc.record({
  filters: fewFilters,
  sort: fc.constantFrom(...sortKeys, ...sortable),
  descending: fc.boolean(),
  exactFirst: fc.boolean(),
  limit: fc.integer({ min: 1, max: 9 }),
});

const step = fc.oneof(
  fc.record({ create: creations }),
  fc.record({ update: changes }),
  fc.record({ update: changes }),
  fc.record({ undo: fc.nat(5) }),
  // How much of the log is indexed: nothing to everything, in quarters. Few batches leave the blocks half-built.
  fc.record({ index: fc.nat(4), batchesMax: fc.constantFrom(1, 2, 4, 1_000) }),
  fc.record({ index: fc.constant(4), batchesMax: fc.constantFrom(3, 1_000) }),
  fc.record({ account: fc.nat(20), role: fc.option(fc.constantFrom(...roles)), mustChange: fc.boolean() }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

interface Row {
  readonly serial: string;
  readonly employeeID: string;
  readonly formerEmployeeIDs: string[];
  readonly name: string;
  readonly username: string | null;
  readonly email: string | null;
  readonly phone: string | null;
  readonly isActive: boolean;
  readonly organizationSerial: string | null;
  readonly tagSerials: string[];
  readonly managerSerial: string | null;
  /** Null if that user no longer exists. */
  readonly manager: { readonly employee_id: string; readonly is_active: boolean } | null;
  readonly attributes: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date;
  readonly role: Role | null;
  readonly hasChosenPassword: boolean;
  readonly hasSignedIn: boolean;
}

async function everybody(): Promise<Row[]> {
  const { rows } = await service.database.pool.query<Row>(
    `SELECT serial, employee_id AS "employeeID", name, username, email, phone, is_active AS "isActive",
       organization_serial AS "organizationSerial", tag_serials AS "tagSerials", attributes::text,
       manager_serial AS "managerSerial",
       (SELECT row_to_json(manager) FROM users AS manager WHERE manager.serial = users.manager_serial) AS manager, created_at AS "createdAt",
       updated_at AS "updatedAt",
       ARRAY(SELECT fields -> 'employeeID' ->> 'before' FROM changes WHERE user_serial = serial
             AND fields -> 'employeeID' ->> 'before' IS NOT NULL) AS "formerEmployeeIDs",
       (SELECT role FROM roles WHERE user_serial = serial) AS role,
       EXISTS (SELECT FROM credentials WHERE user_serial = serial AND NOT must_change) AS "hasChosenPassword",
       EXISTS (SELECT FROM signed_in_users WHERE user_serial = serial) AS "hasSignedIn"
     FROM users ORDER BY serial`,
  );
  return rows;
}

async function clear(): Promise<void> {
  const { database } = service;
  await transaction(database, async (tx) => {
    for (const table of ['users', 'deliveries', 'changes', 'calls', 'organizations', 'tags', 'former_names'])
      await tx.query(`DELETE FROM ${table}`);
    await rebuildIndex(tx);
  });
  await indexTo(await service.context.changes.refresh());
}

async function indexTo(settled: number, batchesMax = Number.POSITIVE_INFINITY): Promise<void> {
  let batches = 0;
  while (batches++ < batchesMax && (await indexNext(service.database, settled)) === 'more');
}

async function run(made: Step, calls: string[]): Promise<void> {
  const { context, database } = service;
  if ('index' in made) {
    const settled = await context.changes.refresh();
    const { rows } = await database.pool.query<{ position: string }>('SELECT position FROM index_state');
    const position = Number(rows[0]?.position);
    await indexTo(position + Math.floor(((settled - position) * made.index) / 4), made.batchesMax);
  } else if ('account' in made) {
    const users = await everybody();
    const serial = users[made.account % users.length]?.serial;
    if (serial !== undefined) await changeAccount(serial, made.role, made.mustChange);
  } else if ('undo' in made) {
    const callId = calls[made.undo % calls.length];
    if (callId === undefined) return;
    const undone = await undoCall(context, callId, { caller, confirmed: undefined });
    if (undone.ok) calls.push(undone.callId);
  } else {
    const result = await completed(
      'create' in made
        ? createUsersBulk(
            context,
            [made.create.map((item) => parseNewUser(item, {}, undefined, readAttributes))],
            {
              caller,
              effects: false,
              hold: false,
            },
          )
        : updateUsersBulk(
            { ...context, safetyLimitPercent: 0 },
            [made.update.map((item) => parseBulkChange(item, {}, 'keep', readAttributes))],
            { caller, effects: false, mode: 'oneByOne', confirmed: undefined },
          ),
    );
    if (!result.ok) throw new Error(result.failure.detail);
    calls.push(result.callId);
  }
}

/** Roles and passwords are not in the listing. */
async function changeAccount(serial: string, role: Role | null, mustChange: boolean): Promise<void> {
  const { pool } = service.database;
  await pool.query('DELETE FROM roles WHERE user_serial = $1', [serial]);
  if (role !== null)
    await pool.query('INSERT INTO roles (user_serial, role) VALUES ($1, $2)', [serial, role]);
  await pool.query(
    `INSERT INTO credentials (user_serial, must_change, password_hash) VALUES ($1, $2, '')
     ON CONFLICT (user_serial) DO UPDATE SET must_change = $2`,
    [serial, mustChange],
  );
  if (!mustChange)
    await pool.query('INSERT INTO signed_in_users (user_serial) VALUES ($1) ON CONFLICT DO NOTHING', [
      serial,
    ]);
}

/** Times that are given as the number of a user become the time of that user, and keys of attributes their IDs. */
function resolved(given: GivenFilters, users: readonly Row[]): MatchFilters {
  const timeOf = (name: string, value: unknown) => {
    if (name === 'attributes')
      return given.attributes?.map(({ key, ...rest }) => ({ ...keyOf(key), ...rest }));
    if (typeof value !== 'number') return value;
    const user = users[value % users.length];
    const at = name.startsWith('created') ? user?.createdAt : user?.updatedAt;
    return at?.toISOString() ?? '2026-01-01T00:00:00.000Z';
  };
  return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, timeOf(name, value)]));
}

const documents = new WeakMap<Row, string>();

/** Computed once per user: the same users are searched again and again. */
function documentOf(user: Row): string {
  const { team = [], skills = [] } = valuesOf(user);
  const attributeTexts = [team, skills].flat().map(String);
  const document = documents.get(user) ?? searchDocument({ ...user, attributeTexts });
  documents.set(user, document);
  return document;
}

function keyOf(key: Key): AttributeKey {
  return { attributeId: attributeIds[key], type: definitions[key].type };
}

const parsed = new WeakMap<Row, Partial<Record<Key, AttributeValue>>>();

/** By key. Parsed once per user, like documents. */
function valuesOf(user: Row): Partial<Record<Key, AttributeValue>> {
  const stored = parsed.has(user) ? {} : parseAttributes(user.attributes);
  const values =
    parsed.get(user) ??
    Object.fromEntries(Object.entries(attributeIds).map(([key, id]) => [key, stored[id]]));
  parsed.set(user, values);
  return values;
}

function hasAttribute(user: Row, { attributeId, type, values, from, to, isSet }: AttributeFilter): boolean {
  const key = filterable.find((each) => attributeIds[each] === attributeId) ?? 'notes';
  const value = valuesOf(user)[key];
  const within = (bound: string) => (type === 'number' ? Number(bound) : bound);
  return (
    (isSet === undefined || (value !== undefined) === isSet) &&
    (values === undefined || [value ?? []].flat().some((each) => values.includes(String(each)))) &&
    (from === undefined || (value !== undefined && value >= within(from))) &&
    (to === undefined || (value !== undefined && value <= within(to)))
  );
}

type Condition = (user: Row, value: never) => boolean;

/** These have tests of their own: test/http/directories/parts.test.ts, test/http/list-users/filters.test.ts. */
type Filter = Exclude<keyof MatchFilters, 'includeParts' | 'serials'>;

const conditions: Record<Filter, Condition> = {
  search: (user, query: SearchQuery) => matchesSearch(documentOf(user), query),
  employeeIDs: (user, wanted: string[]) => wanted.includes(user.employeeID),
  formerEmployeeIDs: (user, wanted: string[]) => user.formerEmployeeIDs.some((id) => wanted.includes(id)),
  usernames: (user, wanted: string[]) =>
    wanted.some((name) => name.toLowerCase() === user.username?.toLowerCase()),
  isActive: (user, wanted: boolean) => user.isActive === wanted,
  organizationSerials: (user, wanted: string[]) => wanted.includes(user.organizationSerial ?? ''),
  notOrganizationSerials: (user, wanted: string[]) => !wanted.includes(user.organizationSerial ?? ''),
  hasOrganization: (user, wanted: boolean) => (user.organizationSerial !== null) === wanted,
  tagSerials: (user, wanted: string[]) => user.tagSerials.some((tag) => wanted.includes(tag)),
  notTagSerials: (user, wanted: string[]) => !user.tagSerials.some((tag) => wanted.includes(tag)),
  hasTags: (user, wanted: boolean) => user.tagSerials.length > 0 === wanted,
  managers: (user, { employeeIDs }: ManagerFilter) => employeeIDs.includes(user.manager?.employee_id ?? ''),
  hasManager: (user, wanted: boolean) => (user.managerSerial !== null) === wanted,
  managerIsActive: (user, wanted: boolean) =>
    user.managerSerial !== null && (user.manager?.is_active ?? false) === wanted,
  roles: (user, wanted: string[]) => wanted.includes(user.role ?? 'none'),
  notRoles: (user, wanted: string[]) => !wanted.includes(user.role ?? 'none'),
  mustChangePassword: (user, wanted: boolean) => user.hasChosenPassword !== wanted,
  neverSignedIn: (user, wanted: boolean) => user.hasSignedIn !== wanted,
  createdSince: (user, time: string) => user.createdAt >= new Date(time),
  createdUntil: (user, time: string) => user.createdAt < new Date(time),
  updatedSince: (user, time: string) => user.updatedAt >= new Date(time),
  updatedUntil: (user, time: string) => user.updatedAt < new Date(time),
  attributes: (user, wanted: AttributeFilter[]) => wanted.every((filter) => hasAttribute(user, filter)),
};

function matching(users: readonly Row[], { search, ...filters }: MatchFilters): Row[] {
  const query = search === undefined ? undefined : parseSearch(search);
  const wanted = Object.entries(query ? { ...filters, search: query } : filters);
  return users.filter((user) =>
    wanted.every(([name, value]) => conditions[name as Filter](user, value as never)),
  );
}

const collator = new Intl.Collator('und');
const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
const byCharacters = (one: string, other: string) => Number(one > other) - Number(one < other);

const comparisons: Record<SortKey, (one: Row, other: Row) => number> = {
  createdAt: (one, other) => byCharacters(one.serial, other.serial),
  employeeID: (one, other) => byCharacters(one.employeeID, other.employeeID),
  name: (one, other) => byText(one.name, other.name) || byCharacters(one.serial, other.serial),
};

function byText(one: string, other: string): number {
  return collator.compare(one, other) || (one === other ? 0 : byBytes(one, other));
}

type Order = Read['sort'];

/** Users in every fixed order. */
type Sorted = Readonly<Record<SortKey, readonly Row[]>>;

function sorted(users: readonly Row[]): Sorted {
  const { createdAt, employeeID, name } = comparisons;
  return {
    createdAt: users.toSorted(createdAt),
    employeeID: users.toSorted(employeeID),
    name: users.toSorted(name),
  };
}

/** By an attribute, those without a value come last, in order of creation. */
function inOrder(users: Sorted, order: Order, descending: boolean): Row[] {
  const directed = (ascending: readonly Row[]) => (descending ? ascending.toReversed() : [...ascending]);
  if (isFixed(order)) return directed(users[order]);
  const { type } = definitions[order];
  const value = (user: Row) => valuesOf(user)[order];
  const compare = (one: Row, other: Row) =>
    type === 'number'
      ? Number(value(one)) - Number(value(other))
      : byText(String(value(one)), String(value(other)));
  const isValued = (user: Row) => value(user) !== undefined;
  const others = users.createdAt.filter((user) => !isValued(user));
  return [...directed(users.createdAt.filter(isValued).sort(compare)), ...directed(others)];
}

function isFixed(order: Order): order is SortKey {
  return order in comparisons;
}

function sortOf(order: Order): Sort {
  return isFixed(order) ? order : keyOf(order);
}

function withExactFirst(users: readonly Row[], search: string, limit: number): Row[] {
  const ids = idsMeantBy(search);
  const isTyped = ({ employeeID }: Row) => Number(employeeID === search.trim());
  const exact = users
    .filter(({ employeeID }) => ids.includes(employeeID))
    .toSorted((one, other) => isTyped(other) - isTyped(one))
    .slice(0, Math.min(limit, exactMatchesMax));
  return [...exact, ...users.filter((user) => !exact.includes(user))];
}

type Read = typeof read extends fc.Arbitrary<infer T> ? T : never;

async function expectLists(users: Sorted, given: Read, pagesMax = Number.POSITIVE_INFINITY): Promise<void> {
  const { sort, descending, exactFirst, limit } = given;
  const filters = resolved(given.filters, users.createdAt);
  const matches = matching(inOrder(users, sort, descending), filters);
  const listed = exactFirst ? withExactFirst(matches, filters.search ?? '', limit) : matches;
  const expected = listed.map(({ serial }) => serial);
  const request = { ...given, filters, sort: sortOf(sort) };
  const { pages, isComplete } = await pagesOf(request, strategies, pagesMax);
  expect(isComplete).toBe(true);
  expect(pages.flat()).toEqual(expected.slice(0, pagesMax * limit));
  expect(pages).toHaveLength(Math.min(Math.max(Math.ceil(expected.length / limit), 1), pagesMax));
  const count = expected.length;
  expect(await countUsers(service.database, filters, 'exact')).toEqual({ count, isExact: true });
  const approximate = await countUsers(service.database, filters, 'approximate');
  if (!approximate || 'error' in approximate || approximate.isExact)
    expect(approximate).toEqual({ count, isExact: true });
  else expect(count).toBeGreaterThan(exactTotalMax);
}

async function pagesOf(
  request: Omit<ListRequest, 'cursor'>,
  strategies: StrategyLimits,
  pagesMax = Number.POSITIVE_INFINITY,
): Promise<{ pages: string[][]; isComplete: boolean }> {
  const pages: string[][] = [];
  let isComplete = true;
  let cursor: string | null | undefined;
  while (cursor !== null && pages.length < pagesMax) {
    const page = await listUsers(service.context, { ...request, cursor }, strategies);
    if (!page.ok) throw new Error(page.failure.detail);
    pages.push(page.items.map(({ serial }) => serial));
    isComplete &&= page.isComplete === true;
    cursor = page.nextCursor;
  }
  return { pages, isComplete };
}

/** The indexer is so far behind that a page takes only the last change into account. */
const farBehind = { freshListedMax: 2, freshSearchedMax: 2, freshNewestMax: 1 };

async function changedBeforeLast(): Promise<Set<string>> {
  const { rows } = await service.database.pool.query<{ serial: string }>(
    `SELECT user_serial AS serial FROM changes
     WHERE seq > (SELECT position FROM index_state) AND user_serial IS NOT NULL ORDER BY seq DESC`,
  );
  const [last, ...others] = rows.map(({ serial }) => serial);
  return new Set(others.filter((serial) => serial !== last));
}

async function expectPartialLists(users: Sorted, given: Read): Promise<void> {
  const { sort, descending } = given;
  const filters = resolved(given.filters, users.createdAt);
  const expected = matching(inOrder(users, sort, descending), filters).map(({ serial }) => serial);
  const request = { ...given, filters, sort: sortOf(sort), exactFirst: false };
  const { pages, isComplete } = await pagesOf(request, { ...strategies, ...farBehind });
  const found = pages.flat();
  // Nobody who doesn't match, nobody twice, and in the right order.
  expect(found).toEqual(isComplete ? expected : expected.filter((serial) => found.includes(serial)));
  const missed = await changedBeforeLast();
  expect(found).toEqual(expect.arrayContaining(expected.filter((serial) => !missed.has(serial))));
  if (filters.search === undefined && sort !== 'name' && isFixed(sort)) expect(isComplete).toBe(true);
}

const serialsOf: Record<DirectoryKind, (user: Row) => readonly string[]> = {
  organizations: ({ organizationSerial }) => (organizationSerial === null ? [] : [organizationSerial]),
  tags: ({ tagSerials }) => tagSerials,
};

async function expectDirectory(users: readonly Row[], kind: DirectoryKind): Promise<void> {
  const counts = new Map<string, { total: number; active: number }>();
  for (const user of users) {
    for (const serial of serialsOf[kind](user)) {
      const { total, active } = counts.get(serial) ?? { total: 0, active: 0 };
      counts.set(serial, { total: total + 1, active: active + Number(user.isActive) });
    }
  }
  const entriesBy = async (sort: DirectorySort) => {
    const entries: { serial: string; users: { total: number; active: number } }[] = [];
    let cursor: string | null | undefined;
    while (cursor !== null) {
      const page = await listDirectory(service.context, kind, { sort }, { limit: 2, cursor });
      if (!page.ok) throw new Error(page.failure.detail);
      entries.push(...page.items);
      cursor = page.nextCursor;
    }
    return entries;
  };
  const entries = await entriesBy('serial');
  expect(await entriesBy('name')).toEqual(entries); // nobody has named one
  const listed = entries.map(({ serial }) => serial);
  expect(listed).toEqual([...new Set(listed)].sort(byBytes));
  // Serials that users had stay in the directory.
  for (const { serial, users } of entries)
    expect([serial, users]).toEqual([serial, { total: 0, active: 0, ...counts.get(serial), isExact: true }]);
  expect(listed).toEqual(expect.arrayContaining([...counts.keys()]));
  const [last] = entries.slice(-1);
  if (last) expect(await getEntry(service.database, kind, last.serial)).toEqual(last);
}

test(`lists, totals and directories are exact wherever the indexer is: ${runs} histories`, async () => {
  const history = fc.array(fc.tuple(step, fc.array(read, { maxLength: 5, size: 'max' })), {
    minLength: 3,
    maxLength: 12,
    size: 'max',
  });
  await fc.assert(
    fc.asyncProperty(creations, history, async (first, later) => {
      await clear();
      const calls: string[] = [];
      await run({ create: first }, calls);
      for (const [made, reads] of later) {
        await run(made, calls);
        const users = await everybody();
        for (const each of reads) {
          await expectLists(sorted(users), each);
          await expectPartialLists(sorted(users), each);
        }
        await expectDirectory(users, 'organizations');
        await expectDirectory(users, 'tags');
      }
    }),
    { numRuns: runs },
  );
});

/** Users whose fields repeat with different periods, so that most filters match thousands. */
async function givenMany(): Promise<void> {
  strategies = mediumLimits;
  await clear();
  await service.database.pool.query(
    `INSERT INTO users (serial, created_at, updated_at, employee_id, name, username, email, phone, is_active,
       organization_serial, tag_serials, attributes)
     SELECT (lpad(to_hex(1750000000000 + n / 3), 12, '0') || '7000' || lpad(to_hex(n), 16, '8'))::uuid,
       to_timestamp((1750000000000 + n / 3) / 1000.0), to_timestamp((1760000000000 - n) / 1000.0), 'N' || n % 100 || 'x' || n,
       ($1::text[])[n % $5 + 1] || CASE WHEN n % 3 = 0 THEN '' ELSE ' ' || n % 10 END, NULL, ($2::text[])[n % 3 + 1],
       ($3::text[])[n % 5 + 1], n % 7 > 0, CASE WHEN n % 5 > 1 THEN ($4::text[])[n % 5 / 4 + 1] END,
       CASE n % 4 WHEN 0 THEN '{}' WHEN 1 THEN '{T1}' WHEN 2 THEN '{T1,t1}'::text[] ELSE ARRAY['T,2'] END,
       CASE WHEN n % 6 > 0 THEN jsonb_build_object($7::text, ($8::text[])[n % 5 + 1], $9::text, trim_scale(n % 9 - n % 2 / 4.0)) END
     FROM generate_series(1, $6) AS n`,
    [
      ...[names, emails, phones, organizations, names.length, many],
      ...[String(attributeIds.team), texts, String(attributeIds.level)],
    ],
  );
  await rebuildIndex(service.database.pool);
  await indexTo(await service.context.changes.refresh());
}

/** The pattern repeats on every page of the table, so every sample has nearly the same shares. */
async function expectEstimates(): Promise<void> {
  for (const [filters, share] of [
    [{ hasOrganization: true }, 3 / 5],
    [{ notOrganizationSerials: ['o1'] }, 4 / 5],
    [{ isActive: true, search: 'a' }, 6 / 7],
  ] as const) {
    const total = await countUsers(service.database, filters, 'approximate');
    if (!total || 'error' in total) throw new Error(total?.detail);
    expect(total.isExact).toBe(false);
    expect(total.count / many).toBeGreaterThan(share * 0.85);
    expect(total.count / many).toBeLessThan(share * 1.15);
  }
}

test(`pages of long lists are exact, too, and their totals exact or estimated: ${many} users`, async () => {
  await givenMany();
  if (!isEmbedded) await expectEstimates();
  const updates = fc.array(fc.tuple(fc.integer({ min: 1, max: many }), fc.record(fields)), { maxLength: 9 });
  const reads = fc.array(fc.tuple(read, fc.integer({ min: 9, max: 200 })), { minLength: 7, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(updates, fc.boolean(), reads, async (items, isIndexed, lists) => {
      const update = items.map(([n, change]) => ({ ...change, employeeID: `N${n % 100}x${n}` }));
      if (update.length > 0) await run({ update }, []);
      if (isIndexed) await run({ index: 4, batchesMax: 3 }, []);
      const users = sorted(await everybody());
      for (const [given, limit] of lists) await expectLists(users, { ...given, limit }, 3);
    }),
    { numRuns: 2 },
  );
  await run({ index: 4, batchesMax: 1_000 }, []);
  await expectDirectory(await everybody(), 'organizations');
  await expectDirectory(await everybody(), 'tags');
});
