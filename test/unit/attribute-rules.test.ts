import { describe, expect, test } from 'vitest';
import { compiledPatterns, matchesPattern } from '../../src/contract/attribute-patterns.js';
import { type Attribute, patchAttributeFields } from '../../src/contract/attributes.js';
import { attributeLimits } from '../../src/contract/limits.js';
import { AttributeSet } from '../../src/domain/attributes/attribute-set.js';
import { settingsProblem } from '../../src/domain/attributes/attributes.js';
import { readJsonBody } from '../../src/http/json-body.js';
import { readListBody } from '../../src/http/list-body.js';
import { fieldsOf, originOf } from '../../src/http/request-body.js';

const anAttribute = (settings: Partial<Attribute> = {}): Attribute => ({
  ...{ id: 1, version: 1, key: 'badge', type: 'text', labels: {}, synonyms: [], maxLength: null },
  ...{ pattern: null, minimum: null, maximum: null, choices: null, isUnique: false, isSearchable: false },
  ...{ isFilterable: false, isSensitive: false, isEditableByUser: false, isRetired: false },
  ...{ createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
  ...settings,
});

const read = (set: AttributeSet, sent: unknown) =>
  set.read(sent, {}, { nulls: 'keep', maySeeSensitive: true });

describe('patterns', () => {
  const problemOf = (pattern: string, maxLength: number | null = null) =>
    settingsProblem(anAttribute({ pattern, maxLength }))?.detail;

  test.each([
    ['[A-Z]{2}-[0-9]{4}', 'AB-1234', 'AB-12345'],
    ['\\d{5}(-\\d{4})?', '12345-6789', '1234'],
    ["[\\p{L}\\p{N} .,'-]{1,255}", "Zoë O'Neil", 'a;b'],
    ['[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\\.[A-Za-z]{2,}', 'ada@example.com', 'ada'],
  ])('such as %s are accepted', (pattern, right, wrong) => {
    expect(problemOf(pattern)).toBeUndefined();
    const set = new AttributeSet([anAttribute({ pattern })]);
    expect(read(set, { badge: right })).toMatchObject({ ok: true });
    expect(read(set, { badge: wrong })).toMatchObject({ ok: false });
  });

  const tooLong = (length: number) =>
    `"pattern" takes too long to match texts of ${length} characters. Replace counted repetitions such as {1,255} with + or *, and limit the length with "maxLength".`;

  test.each([
    ['a{0,1000}'.repeat(22), 1_000],
    ['\\p{L}{1,1000}', 1_000],
    ['\\p{L}{1,1000}', 1],
    ['\\p{L}{1,255}', 1_000],
    ['[ab]*a[ab]{0,100}c', 1_000],
  ])('that take long are refused: %s for %i characters', (pattern, maxLength) => {
    expect(problemOf(pattern, maxLength)).toBe(tooLong(maxLength));
  });

  test.each([
    ['(', 'missing closing )'],
    ['(?=a)', 'invalid or unsupported Perl syntax'],
    ['(a)\\1', 'invalid escape sequence'],
    ['a{1,1001}', 'invalid repeat count'],
  ])('that are none are refused with the reason: %s', (pattern, reason) => {
    expect(problemOf(pattern)).toBe(
      `"pattern" must be a regular expression without lookaround and backreferences. RE2 reports: ${reason}.`,
    );
  });

  test.each(['a\0', '\ud800', 'a\udc00b'])('that cannot be stored are refused: %j', (pattern) => {
    expect(patchAttributeFields.pattern.field.accepts(pattern)).toBe(false);
  });

  test('are compiled when a value is checked, and once', () => {
    const patterns = Array.from({ length: attributeLimits.attributesMax }, (_, id) => `once${id}`);
    const set = new AttributeSet(patterns.map((pattern, id) => anAttribute({ id, key: pattern, pattern })));
    const before = compiledPatterns();
    expect(set.shown({ 0: 'once0' }, false)).toEqual({ once0: 'once0' });
    expect(compiledPatterns()).toBe(before);
    expect(read(set, { once0: 'once0' })).toMatchObject({ ok: true });
    expect(read(set, { once0: 'once0' })).toMatchObject({ ok: true });
    expect(compiledPatterns()).toBe(before + 1);
    for (const pattern of patterns) expect(matchesPattern(pattern, pattern)).toBe(true);
    expect(compiledPatterns()).toBe(attributeLimits.attributesMax);
  });
});

test('a retired attribute is no longer accepted, whatever its key', () => {
  for (const key of ['plain', 'constructor', 'toString']) {
    const set = new AttributeSet([anAttribute({ key, isRetired: true })]);
    expect(set.outdated({ 1: 'x' }, {})?.detail).toBe(
      `"attributes.${key}" is retired and no longer accepted. Remove it.`,
    );
  }
});

describe('a problem of a definition', () => {
  const problemIn = (text: string) => {
    const json = readJsonBody(Buffer.from(text));
    if (!json.ok) throw new Error(json.failure.detail);
    const rejected = () => fieldsOf(json.body, patchAttributeFields, { partial: true });
    return expect(rejected);
  };

  test.each([
    [
      '{"labels":{"xx":"A"}}',
      '"labels" must be an object with a label of 1 to 200 characters for any of en, de, es.',
    ],
    [
      '{"labels":7}',
      '"labels" must be an object with a label of 1 to 200 characters for any of en, de, es, not a number.',
    ],
    ['{"maxLength":0}', '"maxLength" must be a whole number from 1 to 1000.'],
    ['{"maxLength":true}', '"maxLength" must be a whole number from 1 to 1000, not a boolean.'],
    ['{"isUnique":1}', '"isUnique" must be a boolean, true or false, not a number.'],
  ])('is named by its type only if that is wrong: %s', (text, problem) => {
    problemIn(text).toThrow(problem);
  });
});

describe('numbers', () => {
  const level = new AttributeSet([anAttribute({ key: 'level', type: 'number' })]);
  const problem =
    '"attributes.level" must have at most 15 digits, and not be closer to zero than 0.000001, because other numbers change in many programs; use a text for identifiers.';

  const single = (literal: string) => {
    const json = readJsonBody(Buffer.from(`{"attributes":{"level":${literal}}}`));
    if (!json.ok) throw new Error(json.failure.detail);
    const { attributes } = json.body.value as { attributes: unknown };
    return level.read(attributes, originOf(json.body), { nulls: 'keep', maySeeSensitive: true });
  };
  const listed = async (...literals: string[]) => {
    const items = literals.map((literal) => `{"attributes":{"level":${literal}}}`);
    const bytes = Buffer.from(`{"items":[${items}]}`);
    const shape = {
      list: 'items',
      fields: ['name', 'attributes'],
      objectField: 'attributes',
      elementsMax: 9,
    };
    const list = await readListBody(bytes, shape);
    if (!list.ok) throw new Error(list.failure.detail);
    return [...list.body.elements()].map(([element, origin]) => {
      const { attributes } = element as { attributes: unknown };
      return level.read(attributes, origin, { nulls: 'keep', maySeeSensitive: true });
    });
  };

  test.each([
    ...['1e-400', '1.00000000000000001', '0.1000000000000000055511151231257827', '1234567890123456'],
    ...['0.0000001', '1e21', `1.${'0'.repeat(500)}1`],
  ])('that are not stored exactly are refused: %s', async (literal) => {
    expect(single(literal)).toMatchObject({ ok: false, failure: { detail: problem } });
    const [before, changed, after] = await listed('1', literal, '2');
    expect(changed).toMatchObject({ ok: false, failure: { reason: problem } });
    expect([before, after]).toMatchObject([{ value: { 1: 1 } }, { value: { 1: 2 } }]);
  });

  test.each([
    ['0.000001', 0.000001],
    ['-0.0', 0],
    ['0e-400', 0],
    ['1e3', 1000],
    ['12.500000000000000000', 12.5],
    ['-999999999999999', -999999999999999],
    ['0.123456789012345', 0.123456789012345],
  ])('that are exact are accepted, however they are written: %s', async (literal, value) => {
    expect(single(literal)).toMatchObject({ ok: true, value: { 1: value } });
    expect(await listed(literal)).toMatchObject([{ ok: true, value: { 1: value } }]);
  });
});

test('keys that occur twice are found at any depth of a body', () => {
  const json = readJsonBody(Buffer.from('{"patch":{"attributes":{"a":1,"a":2}},"labels":{"en":"A"}}'));
  const body = json.ok ? json.body : undefined;
  expect(body?.repeatedField).toBeUndefined();
  expect(body?.within('patch', 'attributes')?.repeatedField).toBe('a');
  expect(body?.within('labels')?.repeatedField).toBeUndefined();
  expect(body?.within('patch', 'none')).toBeUndefined();
});
