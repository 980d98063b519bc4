import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type BoundFilter, bindFilter } from '../../../src/scim/language/bound-filter.js';
import { comparisons, type Filter, parseFilter } from '../../../src/scim/language/filter.js';
import { matches } from '../../../src/scim/language/matches.js';
import type { ScimAttribute } from '../../../src/scim/language/schema.js';
import { userSchema } from '../../../src/scim/schemas.js';
import { type ProvisionedUser, type ResourceFacts, userResource } from '../../../src/scim/user-resource.js';
import { userCondition } from '../../../src/storage/scim/user-filter.js';
import { userSources } from '../../../src/storage/scim/user-sources.js';
import { newParameters } from '../../../src/storage/sql.js';
import { companyAttributes, storeUsers, usersArbitrary, words } from '../../support/scim-users.js';
import { useService } from '../../support/service.js';

const service = useService();

const schema = userSchema(companyAttributes);

/** All attributes that a filter can name. */
function pathsOf(attributes: readonly ScimAttribute[], prefix = ''): string[] {
  return attributes.flatMap(({ name, subAttributes = [] }) => [
    `${prefix}${name}`,
    ...pathsOf(subAttributes, `${prefix}${name}${name.startsWith('urn:') ? ':' : '.'}`),
  ]);
}

const paths = fc.constantFrom(...pathsOf(schema.attributes));
const subPaths = fc.constantFrom(
  'value',
  'type',
  'primary',
  'display',
  '$ref',
  'familyName',
  'department',
  'locality',
);

function textsIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  return Object.values(value).flatMap(textsIn);
}

/** Mostly what a resource says, or a part of it, in any case. */
function operands(texts: readonly string[]): fc.Arbitrary<string | number | boolean | null> {
  const text = fc.oneof({ weight: 8, arbitrary: fc.constantFrom(...texts) }, words);
  const part = fc
    .tuple(text, fc.nat(8), fc.nat(8))
    .map(([all, from, length]) => [...all].slice(from, from + length).join(''));
  return fc.oneof(
    { weight: 4, arbitrary: text },
    text.map((each) => each.toUpperCase()),
    text.map((each) => each.toLowerCase()),
    part,
    fc.constantFrom(
      true,
      false,
      null,
      12.5,
      -3,
      1e21,
      'true',
      '12.5',
      '2026-01-01T00:00:00.5Z',
      '2026-01-01T01:00:00.500400+01:00',
      '',
    ),
  );
}

function filters(texts: readonly string[]): fc.Arbitrary<Filter> {
  const operand = operands(texts);
  const tests = (names: fc.Arbitrary<string>): fc.Arbitrary<Filter> =>
    fc.oneof(
      {
        weight: 5,
        arbitrary: fc.record({
          kind: fc.constant('compare' as const),
          attribute: names,
          operator: fc.constantFrom(...comparisons),
          value: operand,
        }),
      },
      fc.record({ kind: fc.constant('present' as const), attribute: names }),
    );
  const joined = (inner: fc.Arbitrary<Filter>): fc.Arbitrary<Filter>[] => [
    fc.record({
      kind: fc.constantFrom('and' as const, 'or' as const),
      filters: fc.array(inner, { minLength: 2, maxLength: 3 }),
    }),
    fc.record({ kind: fc.constant('not' as const), filter: inner }),
  ];
  const inElement = fc.oneof({ weight: 2, arbitrary: tests(subPaths) }, ...joined(tests(subPaths)));
  const element = fc.record({ kind: fc.constant('element' as const), attribute: paths, filter: inElement });
  return fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 3 },
      { weight: 4, arbitrary: tests(paths) },
      { weight: 2, arbitrary: element },
      ...joined(tie('filter')),
    ),
  })).filter;
}

describe('a filter in SQL', () => {
  const facts: ResourceFacts = {
    clientId: 'okta "é"',
    baseUrl: 'https://id.example.com/scim/v2',
    company: companyAttributes,
    tagNames: new Map([
      ['T1', 'Tägs %'],
      ['T 2/é', null],
    ]),
    organizationNames: new Map([
      ['O1', 'Örg_1'],
      ['O2', null],
    ]),
  };
  let users: readonly ProvisionedUser[] = [];

  beforeAll(async () => {
    const [generated = []] = fc.sample(usersArbitrary(), { numRuns: 1, seed: 34 });
    users = await storeUsers(service.database.pool, generated, facts);
  });

  async function found(filter: BoundFilter): Promise<string[]> {
    const { values, parameter } = newParameters();
    const { sql } = userCondition(filter, userSources(facts, parameter), parameter);
    const { rows } = await service.database.pool.query<{ serial: string }>({
      text: `SELECT serial FROM users WHERE (${sql}) AND serial = ANY (${parameter(users.map(({ serial }) => serial))}) ORDER BY serial`,
      values,
    });
    return rows.map(({ serial }) => serial);
  }

  test('finds the users whose resources match', async () => {
    const resources = users.map((user) => ({ serial: user.serial, resource: userResource(user, facts) }));
    const texts = [...new Set(resources.flatMap(({ resource }) => textsIn(resource)))];
    let hits = 0;
    await fc.assert(
      fc.asyncProperty(filters(texts), async (filter) => {
        const bound = bindFilter(filter, schema);
        fc.pre(bound.ok);
        const expected = resources.filter(({ resource }) => matches(bound.value, resource));
        if (expected.length > 0 && expected.length < resources.length) hits++;
        expect(await found(bound.value)).toEqual(expected.map(({ serial }) => serial));
      }),
      { numRuns: 150 },
    );
    expect(hits).toBeGreaterThan(20);
  });

  test.each([
    ['userName eq "ada"', ['users__username', 'users__employee_id']],
    ['userName eq "ada@example.com"', ['users__username', 'users__employee_id', 'users__sign_in_name']],
    ['externalId eq "1"', ['users__scim_keys']],
    ['emails.value eq "ada@example.com"', ['users__email', 'users__scim_keys']],
    ['emails[type eq "work"].value eq "ada@example.com"', ['users__email', 'users__scim_keys']],
    ['id eq "01977420-dc0a-7c4c-8a43-8a0b923820dc" and active eq true', ['users__serial']],
    [
      'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:employeeNumber eq "1"',
      ['users__employee_id'],
    ],
    ['externalId eq "1" or emails eq "ada@example.com"', ['users__email', 'users__scim_keys']],
  ])('is answered by indexes: %s', async (text, indexes) => {
    const parsed = parseFilter(text);
    const bound = parsed.ok ? bindFilter(parsed.value, schema) : parsed;
    if (!bound.ok) throw new Error(text);
    const { values, parameter } = newParameters();
    const { sql, isLookup } = userCondition(bound.value, userSources(facts, parameter), parameter);
    const client = await service.database.pool.connect();
    await client.query('BEGIN; SET LOCAL enable_seqscan = off');
    const { rows } = await client.query<{ 'QUERY PLAN': string }>({
      text: `EXPLAIN SELECT serial FROM users WHERE ${sql}`,
      values,
    });
    await client.query('ROLLBACK');
    client.release();
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect({ isLookup, used: indexes.filter((index) => plan.includes(index)) }).toEqual({
      isLookup: true,
      used: indexes,
    });
  });
});
