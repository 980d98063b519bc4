import type { TimelineEntry } from './timeline-entry.js';

export interface Day {
  /** The start of the day in the time zone of the browser, in milliseconds. */
  readonly start: number;
  readonly entries: readonly TimelineEntry[];
}

/** Keeps the order of the entries. */
export function groupByDay(entries: readonly TimelineEntry[]): Day[] {
  const days = new Map<number, TimelineEntry[]>();
  for (const entry of entries) {
    const start = new Date(entry.at).setHours(0, 0, 0, 0);
    const day = days.get(start);
    if (day) day.push(entry);
    else days.set(start, [entry]);
  }
  return [...days].map(([start, inside]) => ({ start, entries: inside }));
}

/** How many days ago a day was. Days are not always 24 hours long. */
export function daysAgo(start: number, now: Date): number {
  const today = new Date(now).setHours(0, 0, 0, 0);
  return Math.round((today - start) / (24 * 60 * 60_000));
}
