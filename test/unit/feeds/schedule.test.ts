import { describe, expect, test } from 'vitest';
import { nextAttempt, nextDue, scheduleProblem } from '../../../src/domain/feeds/schedule.js';

const berlin = 'Europe/Berlin';
const due = (schedule: object, now: string) => nextDue(schedule, new Date(now), berlin);
const problem = (schedule: object) => scheduleProblem(schedule, new Date('2026-11-18T12:00:00Z'), berlin);

describe('a feed is due', () => {
  test('never without a schedule', () => {
    expect(nextDue(null, new Date(), berlin)).toEqual({ dueAt: null, dueUntil: null });
  });

  test('at the times of its cron, in its time zone', () => {
    expect(due({ cron: '30 4 * * *' }, '2026-11-18T12:00:00Z').dueAt).toBe('2026-11-19T03:30:00.000Z');
    expect(due({ cron: '30 4 * * *', timeZone: 'America/New_York' }, '2026-11-18T12:00:00Z').dueAt).toBe(
      '2026-11-19T09:30:00.000Z',
    );
  });

  test('once on a day on which clocks skip its time, and once on one on which it comes twice', () => {
    const spring = due({ cron: '30 2 * * *' }, '2027-03-27T12:00:00Z').dueAt as string;
    expect(spring >= '2027-03-28T00:30:00.000Z' && spring <= '2027-03-28T01:30:00.000Z').toBe(true);
    expect(due({ cron: '30 2 * * *' }, spring).dueAt).toBe('2027-03-29T00:30:00.000Z');
    const autumn = due({ cron: '30 2 * * *' }, '2026-10-24T12:00:00Z').dueAt as string;
    expect(autumn.startsWith('2026-10-25T0')).toBe(true);
    expect(due({ cron: '30 2 * * *' }, autumn).dueAt).toBe('2026-10-26T01:30:00.000Z');
  });

  test('on none of its blackout dates', () => {
    const schedule = { cron: '30 4 * * *', blackoutDates: ['2026-12-25', '2026-12-26'] };
    expect(due(schedule, '2026-12-24T12:00:00Z').dueAt).toBe('2026-12-27T03:30:00.000Z');
  });

  test('and may wait for its file until the end of its window', () => {
    expect(due({ cron: '30 4 * * *', until: '07:00' }, '2026-11-18T12:00:00Z')).toEqual({
      dueAt: '2026-11-19T03:30:00.000Z',
      dueUntil: '2026-11-19T06:00:00.000Z',
    });
    expect(due({ cron: '30 23 * * *', until: '02:00' }, '2026-11-18T12:00:00Z').dueUntil).toBe(
      '2026-11-19T01:00:00.000Z',
    );
  });

  test('every few minutes if it looks for new files, within its window', () => {
    expect(due({ onNewFile: true }, '2026-11-18T12:00:00Z').dueAt).toBe('2026-11-18T12:05:00.000Z');
    const nightly = { onNewFile: true, from: '22:00', until: '05:00' };
    expect(due(nightly, '2026-11-18T12:00:00Z').dueAt).toBe('2026-11-18T21:00:00.000Z');
    expect(due(nightly, '2026-11-18T23:00:00Z').dueAt).toBe('2026-11-18T23:05:00.000Z');
    expect(due(nightly, '2026-11-19T03:58:00Z').dueAt).toBe('2026-11-19T21:00:00.000Z');
    const weekends = { onNewFile: true, blackoutDates: ['2026-11-18'] };
    expect(due(weekends, '2026-11-18T12:00:00Z').dueAt).toBe('2026-11-18T23:00:00.000Z');
  });

  test('at whatever comes first, if it has a cron and looks for new files', () => {
    const both = { cron: '3 13 * * *', onNewFile: true };
    expect(due(both, '2026-11-18T12:00:00Z').dueAt).toBe('2026-11-18T12:03:00.000Z');
    expect(due(both, '2026-11-18T12:03:00Z').dueAt).toBe('2026-11-18T12:08:00.000Z');
  });
});

test('a run waits for its file in steps of minutes, and not beyond the end of its window', () => {
  const now = new Date('2026-11-18T12:00:00Z');
  expect(nextAttempt(now, '2026-11-18T12:30:00Z')?.toISOString()).toBe('2026-11-18T12:05:00.000Z');
  expect(nextAttempt(now, '2026-11-18T12:04:00Z')).toBeUndefined();
  expect(nextAttempt(now, null)).toBeUndefined();
});

test('a schedule that means nothing is refused, with what to do', () => {
  expect(problem({})).toMatch('needs "cron", "onNewFile", or both');
  expect(problem({ cron: 'at midnight' })).toMatch('cannot be read');
  expect(problem({ cron: '0 0 4 * * *' })).toMatch('cannot be read');
  expect(problem({ cron: '0 0 31 2 *' })).toMatch('never comes');
  expect(problem({ onNewFile: true, from: '22:00' })).toMatch('both "from" and "until"');
  expect(problem({ onNewFile: true, from: '22:00', until: '22:00' })).toMatch('equals');
  expect(problem({ cron: '30 4 * * 1-5', until: '07:00' })).toBeUndefined();
});
