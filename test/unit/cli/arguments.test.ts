import { describe, expect, test } from 'vitest';
import { effectiveTime, pointInTime } from '../../../src/cli/arguments.js';

describe('a point in time', () => {
  test.each([
    ['2026-11-15', '2026-11-15T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15T08:30+02:00', '2026-11-15T06:30:00.000Z'],
    ['2026-11-15 08:30Z', '2026-11-15T08:30:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(pointInTime(text)).toBe(time);
  });

  test('can be a duration before now', () => {
    const ms = Date.now() - Date.parse(pointInTime('36h'));
    expect(Math.round(ms / 3_600_000)).toBe(36);
  });

  test.each([
    '',
    '1',
    'Nov 1',
    '11/12/2026',
    '2026-11-1',
    '2026-02-30',
    '2026-02-29T08:00:00Z',
    '2026-11-15T25:00Z',
    '7w',
  ])('is not guessed from "%s"', (text) => {
    expect(() => pointInTime(text)).toThrow('Must be a date such as 2026-11-15, a time such as');
  });
});

describe('the time of a planned call', () => {
  test.each([
    ['2099-12-31', '2099-12-31'],
    ['2099-12-31T18:00:00+01:00', '2099-12-31T17:00:00.000Z'],
  ])('%s is %s', (text, time) => {
    expect(effectiveTime(text)).toBe(time);
  });

  test.each(['2099-02-30', '2099-12-31T18:00:00', 'tomorrow', '1h'])('needs an offset: %s', (text) => {
    expect(() => effectiveTime(text)).toThrow('a time with an offset');
  });
});
