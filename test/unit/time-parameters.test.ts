import { describe, expect, test } from 'vitest';
import { readTime } from '../../src/contract/times.js';
import { requireTime } from '../../src/http/query.js';
import { rejected } from '../support/expect-failure.js';

describe('a time in a query', () => {
  test.each([
    ['2024-01-02T00:00:00Z', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T02:00:00+02:00', '2024-01-02T00:00:00.000Z'],
    ['2024-01-01T19:00:00-05:00', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T00:00Z', '2024-01-02T00:00:00.000Z'],
    ['2024-01-02T00:00:00.000000001Z', '2024-01-02T00:00:00.000Z'],
    ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00.000Z'],
    ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
  ])('is read: %s', (text, time) => {
    expect(readTime(text)).toBe(time);
  });

  test.each([
    ['a word', 'yesterday'],
    ['empty', ''],
    ['a date without a time', '2026-11-15'],
    ['without a time zone', '2026-11-15T08:30:00'],
    ['a number', '1763195400'],
    ['in the year 0', '0000-01-01T00:00:00Z'],
    ['at the end of the year 0', '0000-12-31T23:59:59Z'],
    ['in the year 0 because of its offset', '0001-01-01T00:00:00+12:00'],
    ['in a five-digit year', '10000-01-01T00:00:00Z'],
    ['in a six-digit year', '+012026-01-01T00:00:00Z'],
    ['in a negative year', '-002026-01-01T00:00:00Z'],
    ['in a five-digit year because of its offset', '9999-12-31T23:59:59-12:00'],
    ['in month 13', '2026-13-01T00:00:00Z'],
    ['in month 0', '2026-00-01T00:00:00Z'],
    ['on day 0', '2026-01-00T00:00:00Z'],
    ['on day 32', '2026-01-32T00:00:00Z'],
    ['on February 30', '2026-02-30T00:00:00Z'],
    ['on February 29 of a common year', '2026-02-29T00:00:00Z'],
    ['at 25 hours', '2026-11-15T25:00:00Z'],
    ['at 60 minutes', '2026-11-15T08:60:00Z'],
    ['at 61 seconds', '2026-11-15T08:30:61Z'],
    ['with an invalid offset', '2026-11-15T08:30:00+99:99'],
    ['with a space instead of the T', '2026-11-15 08:30:00Z'],
    ['followed by other text', '2026-11-15T08:30:00Z;DROP'],
    ['in non-ASCII digits', '٢٠٢٦-11-15T08:30:00Z'],
    ['infinite', 'infinity'],
  ])('is rejected if it is %s', (_, text) => {
    expect(readTime(text)).toBeUndefined();
    expect(rejected(() => requireTime(text, 'since'))).toMatchObject({
      error: 'REQUEST_PARAMETER_INVALID',
      detail: '"since" must be a time with an offset, such as 2026-11-15T08:30:00Z.',
    });
  });
});
