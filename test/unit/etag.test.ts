import { expect, test } from 'vitest';
import { etagOf, matches } from '../../src/http/request-headers.js';

test('the ETag of a version is a strong one', () => {
  expect(etagOf(7)).toBe('"7"');
});

test.each([
  [undefined, true],
  ['"7"', true],
  ['*', true],
  ['"other", "7" ,"more"', true],
  ['"other","7"', true],
  ['"6"', false],
  ['"6", "0"', false],
  ['"never"', false],
  ['"77"', false],
  ['W/"7"', false],
  ['7', false],
  ['', false],
])('If-Match %s matches version 7: %s', (header, isMatch) => {
  expect(matches(header)(7)).toBe(isMatch);
});
