import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { comparisons, type Filter, filterDepthMax, parseFilter } from '../../../src/scim/language/filter.js';
import { explainSyntax, textMaxLength } from '../../../src/scim/language/tokens.js';
import { enterprise } from './user-schema.js';

function parsed(text: string): Filter {
  const result = parseFilter(text);
  if (!result.ok) throw new Error(explainSyntax(result.problem));
  return result.value;
}

function problemOf(text: string): string | undefined {
  const result = parseFilter(text);
  return result.ok ? undefined : explainSyntax(result.problem);
}

/** A text that parses to this filter. */
function printed(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${filter.attribute} ${filter.operator} ${JSON.stringify(filter.value)}`;
    case 'present':
      return `${filter.attribute} pr`;
    case 'not':
      return `not (${printed(filter.filter)})`;
    case 'element':
      return `${filter.attribute}[${printed(filter.filter)}]`;
    default:
      return filter.filters
        .map((each) => (each.kind === 'and' || each.kind === 'or' ? `(${printed(each)})` : printed(each)))
        .join(` ${filter.kind} `);
  }
}

const attributes = fc.constantFrom(
  'userName',
  'name.familyName',
  '$ref',
  'and',
  `${enterprise}:employeeNumber`,
);
const values = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).filter((each) => !Object.is(each, -0)),
);

const tests: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({ kind: fc.constant('present' as const), attribute: attributes }),
  fc.record({
    kind: fc.constant('compare' as const),
    attribute: attributes,
    operator: fc.constantFrom(...comparisons),
    value: values,
  }),
);

/** Filters of some depth, whose tests are those given. */
function combined(leaf: fc.Arbitrary<Filter>): fc.Arbitrary<Filter> {
  const { filter } = fc.letrec<{ filter: Filter }>((tie) => ({
    filter: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'filter' },
      leaf,
      fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        filters: fc.array(tie('filter'), { minLength: 2, maxLength: 3 }),
      }),
      fc.record({ kind: fc.constant('not' as const), filter: tie('filter') }),
    ),
  }));
  return filter;
}

const elements = fc.record({
  kind: fc.constant('element' as const),
  attribute: attributes,
  filter: combined(tests),
});

describe('parseFilter', () => {
  test('reads the examples of RFC 7644', () => {
    const examples = [
      'userName eq "bjensen"',
      'name.familyName co "O\'Malley"',
      'userName sw "J"',
      'urn:ietf:params:scim:schemas:core:2.0:User:userName sw "J"',
      'title pr',
      'meta.lastModified gt "2011-05-13T04:42:34Z"',
      'meta.lastModified ge "2011-05-13T04:42:34Z"',
      'title pr and userType eq "Employee"',
      'title pr or userType eq "Intern"',
      'schemas eq "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"',
      'userType eq "Employee" and (emails co "example.com" or emails.value co "example.org")',
      'userType ne "Employee" and not (emails co "example.com" or emails.value co "example.org")',
      'userType eq "Employee" and (emails.type eq "work")',
      'userType eq "Employee" and emails[type eq "work" and value co "@example.com"]',
      'emails[type eq "work" and value co "@example.com"] or ims[type eq "xmpp" and value co "@foo.com"]',
    ];
    expect(examples.filter((each) => problemOf(each) !== undefined)).toEqual([]);
    expect(parsed('userType ne "Employee" and not (emails co "a" or emails.value co "b")')).toEqual({
      kind: 'and',
      filters: [
        { kind: 'compare', attribute: 'userType', operator: 'ne', value: 'Employee' },
        {
          kind: 'not',
          filter: {
            kind: 'or',
            filters: [
              { kind: 'compare', attribute: 'emails', operator: 'co', value: 'a' },
              { kind: 'compare', attribute: 'emails.value', operator: 'co', value: 'b' },
            ],
          },
        },
      ],
    });
  });

  test('and binds more closely than or', () => {
    expect(parsed('a pr or b pr and c pr')).toEqual(parsed('a pr or (b pr and c pr)'));
    expect(parsed('a pr and b pr or c pr')).toEqual(parsed('(a pr and b pr) or c pr'));
  });

  test('not applies to its parentheses only', () => {
    expect(parsed('not (a pr) and b pr or c pr')).toEqual(parsed('((not (a pr)) and b pr) or c pr'));
    expect(parsed('not (a pr or b pr)')).toMatchObject({ kind: 'not', filter: { kind: 'or' } });
  });

  test('accepts operators in any case, and no space around parentheses', () => {
    expect(parsed('NOT(a EQ "x")AND b Pr')).toEqual(parsed('not (a eq "x") and b pr'));
  });

  test('reads JSON values', () => {
    const read = (json: string) => parsed(`a eq ${json}`);
    expect(read(String.raw`"a\"\\\u00e9\n]"`)).toHaveProperty('value', 'a"\\é\n]');
    expect(read('-1.5')).toHaveProperty('value', -1.5);
    expect(read('true')).toHaveProperty('value', true);
    expect(read('False')).toHaveProperty('value', false);
    expect(read('null')).toHaveProperty('value', null);
  });

  test("accepts texts without quotation marks, as Microsoft's collection sends them", () => {
    expect(parsed('userName sw O')).toEqual(parsed('userName sw "O"'));
    expect(parsed('meta.Created gt 2015-10-10T14:38:21.8617979-07:00')).toHaveProperty(
      'value',
      '2015-10-10T14:38:21.8617979-07:00',
    );
    expect(
      parsed('name.FamilyName eq Employee and (emails.Value co example.com or emails.Value co example.org)'),
    ).toEqual(
      parsed(
        'name.FamilyName eq "Employee" and (emails.Value co "example.com" or emails.Value co "example.org")',
      ),
    );
    expect(parsed('employeeNumber eq 007')).toHaveProperty('value', '007');
    expect(parsed('employeeNumber eq 12345678901234567890')).toHaveProperty('value', '12345678901234567890');
  });

  test('takes a comparison after a value path as a condition on the same value', () => {
    expect(parsed('emails[type eq "work"].value eq "a@b.c"')).toEqual(
      parsed('emails[type eq "work" and value eq "a@b.c"]'),
    );
  });

  test.each([
    ['', 'Expected an attribute at character 1.'],
    ['   ', 'Expected an attribute at character 4.'],
    ['1a eq "x"', 'Expected an attribute at character 1.'],
    ['userName', 'Expected an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr at character 9.'],
    ['userName is "x"', 'Expected an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr at character 10.'],
    ['userName eq', 'Expected a value at character 12.'],
    ['userName eq "x', 'Expected a complete JSON string at character 13.'],
    [String.raw`userName eq "\x"`, 'Expected a complete JSON string at character 13.'],
    ['userName eq "x" "y"', 'Expected and, or, or the end at character 17.'],
    ['name eq Van Dyke', 'Expected and, or, or the end at character 13.'],
    ['(a pr', 'Expected and, or, or a closing parenthesis at character 6.'],
    ['a pr)', 'Expected and, or, or the end at character 5.'],
    ['not a pr', 'Expected an opening parenthesis after not at character 5.'],
    ['emails[type eq "work"', 'Expected and, or, or a closing bracket at character 22.'],
    ['emails[a[b pr]]', 'Expected an operator: eq, ne, co, sw, ew, gt, ge, lt, le or pr at character 9.'],
    ['a pr and', 'Expected an attribute at character 9.'],
  ])('says what %j lacks', (text, problem) => {
    expect(problemOf(text)).toBe(problem);
  });

  test('limits the nesting, not the length of chains', () => {
    const nested = (levels: number) => `${'not ('.repeat(levels)}a pr${')'.repeat(levels)}`;
    expect(problemOf(nested(filterDepthMax))).toBeUndefined();
    expect(problemOf(nested(1_000))).toBe('Expected at most 50 levels of parentheses at character 256.');
    expect(problemOf(Array(1_000).fill('a pr').join(' or '))).toBeUndefined();
  });

  test('limits the length', () => {
    expect(problemOf(`a eq ${'b'.repeat(textMaxLength)}`)).toBe(
      'Expected no more than 10240 characters at character 10241.',
    );
  });

  test('a printed filter parses to itself', () => {
    fc.assert(
      fc.property(combined(fc.oneof(tests, elements)), (filter) => {
        expect(parsed(printed(filter))).toEqual(filter);
      }),
    );
  });

  test('never throws, and names a position within the text', () => {
    const pieces = fc.constantFrom(
      'a',
      'eq',
      'pr',
      'and',
      'not',
      '(',
      ')',
      '[',
      ']',
      '.b',
      '"x"',
      '"',
      ' ',
      '\\',
      '1',
    );
    const texts = fc.oneof(
      fc.string(),
      fc.array(pieces).map((each) => each.join(' ')),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const result = parseFilter(text);
        if (result.ok) return;
        expect(result.problem.position).toBeGreaterThanOrEqual(0);
        expect(result.problem.position).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});
