import { Cron } from 'croner';
import type { FeedSchedule } from '../../contract/feed-settings.js';
import { dateIn } from '../start-of-day.js';

/** When a feed is due, and until when a run that is due may wait for its file. */
export interface Due {
  readonly dueAt: string | null;
  readonly dueUntil: string | null;
}

export const neverDue: Due = { dueAt: null, dueUntil: null };

/** How often the source is asked for a new file. */
export const pollMinutes = 5;
/** Longer than any row of holidays. */
const blackoutsSkippedMax = 1_000;

/** What is wrong with a schedule, to be read after its name. */
export function scheduleProblem(schedule: FeedSchedule, now: Date, timeZone: string): string | undefined {
  const { cron, onNewFile, from, until } = schedule;
  if (cron === undefined && onNewFile !== true) return 'needs "cron", "onNewFile", or both.';
  if ((from === undefined) !== (until === undefined) && onNewFile === true) {
    return 'needs both "from" and "until", or neither of them.';
  }
  if (from !== undefined && from === until) return 'has a "from" that equals "until".';
  if (cron === undefined) return undefined;
  const format = 'Use minute, hour, day of the month, month and day of the week, such as "30 4 * * 1-5".';
  try {
    if (cronIn(schedule, timeZone)?.nextRun(now)) return undefined;
    return `has a "cron" that never comes. ${format}`;
  } catch {
    return `has a "cron" that cannot be read. ${format}`;
  }
}

/** The next time after now at which the feed has something to do. */
export function nextDue(schedule: FeedSchedule | null, now: Date, defaultTimeZone: string): Due {
  if (!schedule) return neverDue;
  const timeZone = schedule.timeZone ?? defaultTimeZone;
  const run = nextRun(schedule, now, timeZone);
  const look = schedule.onNewFile === true ? nextLook(schedule, now, timeZone) : undefined;
  if (run && (!look || run <= look)) {
    const until = schedule.until === undefined ? run : nextTimeOfDay(schedule.until, run, timeZone);
    return { dueAt: run.toISOString(), dueUntil: until.toISOString() };
  }
  return { dueAt: look?.toISOString() ?? null, dueUntil: null };
}

/** When to look again for the file of a run that is due; undefined if it has waited long enough. */
export function nextAttempt(now: Date, dueUntil: string | null): Date | undefined {
  const at = new Date(now.getTime() + pollMinutes * 60_000);
  return dueUntil !== null && at.getTime() <= Date.parse(dueUntil) ? at : undefined;
}

function nextRun(schedule: FeedSchedule, now: Date, timeZone: string): Date | undefined {
  const cron = cronIn(schedule, timeZone);
  let at: Date | null = now;
  for (let skipped = 0; cron && at && skipped < blackoutsSkippedMax; skipped++) {
    at = cron.nextRun(at);
    if (at && !isBlackout(schedule, at, timeZone)) return at;
  }
  return undefined;
}

/** The next look for a new file: soon, or when the window opens. */
function nextLook(schedule: FeedSchedule, now: Date, timeZone: string): Date | undefined {
  let at = new Date(now.getTime() + pollMinutes * 60_000);
  for (let skipped = 0; skipped < blackoutsSkippedMax; skipped++) {
    if (!isInWindow(schedule, at, timeZone)) at = nextTimeOfDay(schedule.from ?? '00:00', at, timeZone);
    if (!isBlackout(schedule, at, timeZone)) return at;
    at = nextTimeOfDay('00:00', at, timeZone);
  }
  return undefined;
}

/** A window may end on the next day. */
function isInWindow({ from, until }: FeedSchedule, at: Date, timeZone: string): boolean {
  if (from === undefined || until === undefined) return true;
  const time = timeIn(at, timeZone);
  return from < until ? time >= from && time < until : time >= from || time < until;
}

function isBlackout({ blackoutDates = [] }: FeedSchedule, at: Date, timeZone: string): boolean {
  return blackoutDates.includes(dateIn(at.getTime(), timeZone));
}

function cronIn({ cron }: FeedSchedule, timeZone: string): Cron | undefined {
  return cron === undefined
    ? undefined
    : new Cron(cron, { timezone: timeZone, mode: '5-part', paused: true });
}

/** Strictly after a moment. A time that clocks skip comes right after the gap. */
function nextTimeOfDay(time: string, after: Date, timeZone: string): Date {
  const [hour, minute] = time.split(':');
  const cron = new Cron(`${minute} ${hour} * * *`, { timezone: timeZone, mode: '5-part', paused: true });
  return cron.nextRun(after) ?? after; // every day has one
}

function timeIn(at: Date, timeZone: string): string {
  return new Intl.DateTimeFormat('en-GB', {
    ...{ timeZone, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  }).format(at);
}
