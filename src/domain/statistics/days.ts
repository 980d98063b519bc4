import { dateIn, startOfDay } from '../start-of-day.js';

export interface DayRange {
  /** Days such as 2026-11-15; both are included. */
  readonly from: string;
  readonly to: string;
}

export const daysDefault = 30;
export const daysMax = 366;

const dayMs = 86_400_000;

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
}

export function today(timeZone: string, nowMs: number): string {
  return dateIn(nowMs, timeZone);
}

/** The given days, or else the last 30. Days that have not begun are left out. */
export function rangeOf(given: Partial<DayRange>, now: string): DayRange {
  const to = given.to === undefined || given.to > now ? now : given.to;
  return { from: given.from ?? addDays(to, 1 - daysDefault), to };
}

/** Days of the range, in order. */
export function daysIn({ from, to }: DayRange): string[] {
  const count = (Date.parse(to) - Date.parse(from)) / dayMs + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) => addDays(from, index));
}

/** When each day begins, and when the last one ends. */
export function boundsOf(days: readonly string[], timeZone: string): Date[] {
  const last = days.at(-1);
  return [...days, ...(last === undefined ? [] : [addDays(last, 1)])].map((day) => startOfDay(day, timeZone));
}
