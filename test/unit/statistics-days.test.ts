import { describe, expect, test } from 'vitest';
import { boundsOf, daysIn, rangeOf, today } from '../../src/domain/statistics/days.js';

describe('the range of days', () => {
  test('is 30 days until today, unless it is given', () => {
    expect(rangeOf({}, '2026-03-01')).toEqual({ from: '2026-01-31', to: '2026-03-01' });
    expect(rangeOf({ to: '2026-02-28' }, '2026-03-01').from).toBe('2026-01-30');
    expect(rangeOf({ from: '2026-02-01', to: '2026-04-01' }, '2026-03-01')).toEqual({
      from: '2026-02-01',
      to: '2026-03-01',
    });
  });

  test('has every day once, also where clocks change', () => {
    const days = daysIn({ from: '2026-03-28', to: '2026-03-30' });
    expect(days).toEqual(['2026-03-28', '2026-03-29', '2026-03-30']);
    expect(boundsOf(days, 'Europe/Berlin').map((time) => time.toISOString())).toEqual([
      '2026-03-27T23:00:00.000Z',
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
      '2026-03-30T22:00:00.000Z',
    ]);
  });

  test('ends today in the time zone', () => {
    const time = Date.parse('2026-03-01T20:00:00Z');
    expect([today('UTC', time), today('Asia/Kolkata', time)]).toEqual(['2026-03-01', '2026-03-02']);
  });
});
