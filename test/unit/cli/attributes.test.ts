import { describe, expect, test } from 'vitest';
import { planAttributes } from '../../../src/cli/attributes/plan.js';
import { readAttributeFile } from '../../../src/cli/attributes/read-file.js';
import { formatFields } from '../../../src/cli/changes/format-change.js';
import { userQuery } from '../../../src/cli/users/filters.js';

describe('a file of attributes', () => {
  test.each([
    ['attributes:\n  - key: a\n   type: b\n', [3], /^Not valid YAML: /],
    ['attributes:\n- key: a\n  key: b\n', [3], /^Not valid YAML: Map keys must be unique\.$/],
    ['', [1], /must have a list under "attributes:"/],
    ['attributes:\n', [1], /must have a list under "attributes:"/],
    ['atributes:\n- key: a\n', [1], /must have a list under "attributes:"/],
    ['attributes: []\nversion: 2\n', [2], /^"version" is unknown\. The file has only "attributes"\.$/],
    ['attributes:\n- department\n', [2], /^An attribute must be an object with a key and a type\.$/],
    ['attributes:\n- type: text\n', [2], /^"key" is missing\. It must be /],
    [
      'attributes:\n- key: a\n  isFiltrable: true\n',
      [3],
      /^"isFiltrable" is not a setting\. Did you mean "isFilterable"\?$/,
    ],
    [
      'attributes:\n- key: a\n  type: word\n  maxLength: long\n',
      [3, 4],
      /^"type" must be one of text, number/,
    ],
    ['attributes:\n- key: a\n  choices:\n  - 1\n', [4], /^"choices" must be a list of at most/],
    [
      'attributes:\n- key: a\n  labels: *nope\n',
      [3],
      /^"labels" cannot be read: Unresolved alias \(the anchor must be set before the alias\): nope\.$/,
    ],
    [
      `attributes:\n- key: &k a\n  synonyms: [${Array(101).fill('*k')}]\n`,
      [3],
      /^"synonyms" cannot be read: Excessive alias count .*\.$/,
    ],
    ['attributes:\n- key: ab\n- key: aB\n', [3], /^"aB" is described in line 2 already\.$/],
  ])('%j: the lines %j have problems', (content, lines, text) => {
    const read = readAttributeFile(content);
    const problems = read.ok ? [] : read.problems;
    expect(problems.map(({ line }) => line)).toEqual(lines);
    expect(problems[0]?.text).toMatch(text);
  });

  test('may be JSON, and keeps dates, null and words such as no as they are written', () => {
    const json = '{"attributes":[{"key":"a","type":"date","minimum":"2026-01-01","pattern":null}]}';
    for (const content of [
      json,
      'attributes:\n- { key: a, type: date, minimum: 2026-01-01, pattern: null }\n',
    ]) {
      const read = readAttributeFile(content);
      expect(read).toMatchObject({ ok: true, attributes: [{ key: 'a', type: 'date' }] });
      expect(read.ok && Object.fromEntries(read.attributes[0]?.settings ?? [])).toEqual({
        ...{ minimum: '2026-01-01', pattern: null },
      });
    }
    const words = readAttributeFile('attributes:\n- { key: a, choices: [no, on, off] }\n');
    expect(words.ok && words.attributes[0]?.settings.get('choices')).toEqual(['no', 'on', 'off']);
  });
});

test('a file with more attributes than there can be is refused before anything is changed', () => {
  const described = (count: number) => {
    const items = Array.from({ length: count }, (_, at) => `- { key: a${at}, type: text }\n`);
    const read = readAttributeFile(`attributes:\n${items.join('')}`);
    return read.ok ? read.attributes : [];
  };
  expect(planAttributes(described(200), [])).toMatchObject({ unchanged: 0 });
  expect(planAttributes(described(202), [])).toEqual({
    problems: [
      {
        line: 202,
        text: '"a200" is one too many. There can be at most 200 attributes, and with this file there would be 202. Delete some first.',
      },
    ],
  });
});

test('an attribute that was not set had no value, even if its key is constructor', () => {
  const attributes = { before: {}, after: { constructor: 'x' } };
  expect(formatFields('updated', { attributes })).toBe('constructor: nothing → x');
});

test('changes of attributes are told one by one, by key', () => {
  const attributes = {
    before: { department: 'Sales', skills: ['a b'] },
    after: { department: 'IT', floor: 2 },
  };
  const told = 'department: Sales → IT, skills: "a b" → nothing, floor: nothing → 2';
  expect(formatFields('updated', { phone: { before: '1', after: '2' }, attributes })).toBe(
    `phone: 1 → 2, ${told}`,
  );
  expect(formatFields('created', { attributes: { before: null, after: { floor: 2 } } })).toBe('floor: 2');
  expect(formatFields('updated', { attributes: {} })).toBe('attributes');
});

test('filters by attributes have names that depend on their keys', () => {
  const query = userQuery({
    attribute: ['site=Berlin', 'site=Lyon', 'note=a=b'],
    attributeFrom: ['floor=2'],
    attributeTo: ['floor=5'],
    withAttribute: ['badge'],
    withoutAttribute: ['car'],
  });
  expect(Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined))).toEqual({
    'attributes.site': ['Berlin', 'Lyon'],
    'attributes.note': ['a=b'],
    'attributes.floor.from': '2',
    'attributes.floor.to': '5',
    'attributes.badge.isSet': true,
    'attributes.car.isSet': false,
  });
  expect(() => userQuery({ attributeFrom: ['floor=2', 'floor=3'] })).toThrow('floor.from is given twice.');
});
