import { describe, expect, test } from 'vitest';
import { joinedLists, parseTextArray, textArray } from '../../src/storage/sql-arrays.js';

describe('arrays for SQL', () => {
  test('texts are quoted, and quotes and backslashes in them escaped', () => {
    expect(textArray(['a', 'b"c', 'd\\e', '{}', 'NULL', '', null])).toBe(
      '{"a","b\\"c","d\\\\e","{}","NULL","",NULL}',
    );
  });

  test('lists are joined by a character that is in none of them', () => {
    expect(joinedLists([['a', 'b'], []]).separator).toBe('\u001f');
    const { joined, separator } = joinedLists([['a\u001fb', '\u0001'], ['c']]);
    expect(['\u001f', '\u0001']).not.toContain(separator);
    expect(joined).toBe(`{"a\u001fb${separator}\u0001","c"}`);
  });

  test.each([
    ['{}', []],
    ['{a,b}', ['a', 'b']],
    ['{"a,b","c\\"d","e\\\\f","NULL"}', ['a,b', 'c"d', 'e\\f', 'NULL']],
  ])('%s is read back', (literal, list) => {
    expect(parseTextArray(literal)).toEqual(list);
  });
});
