import { describe, expect, test } from 'vitest';
import { isTimeZone } from '../../src/contract/time-zone.js';
import { startOfDay } from '../../src/domain/start-of-day.js';
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

test.each([
  ['UTC', '2026-12-31', '2026-12-31T00:00:00.000Z'],
  ['Europe/Berlin', '2026-12-31', '2026-12-30T23:00:00.000Z'],
  ['Europe/Berlin', '2026-07-01', '2026-06-30T22:00:00.000Z'],
  ['Europe/Berlin', '2026-03-29', '2026-03-28T23:00:00.000Z'], // clocks change at 2
  ['America/New_York', '2026-11-01', '2026-11-01T04:00:00.000Z'],
  ['Asia/Kathmandu', '2026-01-01', '2025-12-31T18:15:00.000Z'],
  ['Pacific/Kiritimati', '2026-01-01', '2025-12-31T10:00:00.000Z'],
  ['Pacific/Pago_Pago', '2026-01-01', '2026-01-01T11:00:00.000Z'],
  ['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'], // midnight was skipped: the day began at 1
  ['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'], // midnight comes twice: the first counts
  ['Africa/Cairo', '2024-02-29', '2024-02-28T22:00:00.000Z'],
])('in %s, %s begins at %s', (timeZone, date, moment) => {
  expect(startOfDay(date, timeZone).toISOString()).toBe(moment);
});

test('only names of time zones are time zones', () => {
  expect(['Europe/Berlin', 'UTC', 'Mars/Olympus', '', 'CEST?'].map(isTimeZone)).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});
