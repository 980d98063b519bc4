import { describe, expect, test } from 'vitest';
import { joinedLists, parseTextArray, textArray } from '../../src/storage/sql.js';

describe('SQL arrays', () => {
  test('quotes texts, and escapes quotes and backslashes in them', () => {
    expect(textArray(['a', 'b"c', 'd\\e', '{}', 'NULL', '', null])).toBe(
      '{"a","b\\"c","d\\\\e","{}","NULL","",NULL}',
    );
  });

  test('joins lists with a character that none of them contains', () => {
    expect(joinedLists([['a', 'b'], []]).separator).toBe('\u001f');
    const { joined, separator } = joinedLists([['a\u001fb', '\u0001'], ['c']]);
    expect(['\u001f', '\u0001']).not.toContain(separator);
    expect(joined).toBe(`{"a\u001fb${separator}\u0001","c"}`);
  });

  test.each([
    ['{}', []],
    ['{a,b}', ['a', 'b']],
    ['{"a,b","c\\"d","e\\\\f","NULL"}', ['a,b', 'c"d', 'e\\f', 'NULL']],
  ])('parses %s', (literal, list) => {
    expect(parseTextArray(literal)).toEqual(list);
  });
});
