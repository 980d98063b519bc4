import { type Schedule, withoutEmpty } from './feed.js';

export const scheduleKinds = ['manual', 'times', 'newFile', 'cron'] as const;
export type ScheduleKind = (typeof scheduleKinds)[number];

/** When a feed runs, in words. Times are such as 04:30, days such as 2026-12-25. */
export interface ScheduleDraft {
  readonly kind: ScheduleKind;
  /** From 1 for Monday to 7 for Sunday, in order. */
  readonly weekdays: readonly number[];
  readonly time: string;
  readonly cron: string;
  /** Whether a schedule with times also looks for new files in between. */
  readonly onNewFile: boolean;
  /** When looking for new files begins. */
  readonly from: string;
  /** Until when it ends, or until when a run waits for its file. */
  readonly until: string;
  /** Empty for that of the service. */
  readonly timeZone: string;
  readonly blackoutDates: readonly string[];
}

export const allWeekdays: readonly number[] = [1, 2, 3, 4, 5, 6, 7];
export const workdays: readonly number[] = [1, 2, 3, 4, 5];

export const newSchedule: ScheduleDraft = {
  ...{ kind: 'times', weekdays: workdays, time: '04:30', cron: '', onNewFile: false },
  ...{ from: '', until: '', timeZone: '', blackoutDates: [] },
};

export const manualSchedule: ScheduleDraft = { ...newSchedule, kind: 'manual' };

export function scheduleDraftOf(schedule: Schedule | null): ScheduleDraft {
  if (!schedule) return manualSchedule;
  const { cron, onNewFile, from, until, timeZone, blackoutDates } = schedule;
  const words = cron ? wordsOf(cron) : undefined;
  const kind = words ? 'times' : cron ? 'cron' : 'newFile';
  return {
    ...newSchedule,
    ...words,
    ...{ kind, cron: cron ?? '', onNewFile: onNewFile ?? false, from: from ?? '', until: until ?? '' },
    ...{ timeZone: timeZone ?? '', blackoutDates: blackoutDates ?? [] },
  };
}

/** What to send; null for a feed that only runs when it is told to. */
export function scheduleOf(draft: ScheduleDraft): Schedule | null {
  const { kind, cron, from, until, timeZone, blackoutDates } = draft;
  if (kind === 'manual') return null;
  const looks = looksForFiles(draft);
  return withoutEmpty({
    ...(kind === 'times' && { cron: cronOf(draft) }),
    ...(kind === 'cron' && { cron: cron.trim() }),
    ...(looks && { onNewFile: true }),
    ...{ timeZone, from: looks ? from : '', until },
    ...(blackoutDates.length > 0 && { blackoutDates: [...blackoutDates] }),
  });
}

export function looksForFiles({ kind, onNewFile }: ScheduleDraft): boolean {
  return kind === 'newFile' || (kind !== 'manual' && onNewFile);
}

export type ScheduleProblem = 'time' | 'weekdays' | 'cron' | 'window' | 'emptyWindow';

/** What the service would refuse, except for expressions that it cannot read. */
export function scheduleProblems(draft: ScheduleDraft): ScheduleProblem[] {
  const { kind, time, weekdays, cron, from, until } = draft;
  const looks = looksForFiles(draft);
  const found: [ScheduleProblem, boolean][] = [
    ['time', kind === 'times' && time === ''],
    ['weekdays', kind === 'times' && weekdays.length === 0],
    ['cron', kind === 'cron' && cron.trim().split(/\s+/).length !== 5],
    ['window', looks && (from === '') !== (until === '')],
    ['emptyWindow', looks && from !== '' && from === until],
  ];
  return found.filter(([, isFound]) => isFound).map(([problem]) => problem);
}

function cronOf({ time, weekdays }: ScheduleDraft): string {
  const [hour = '0', minute = '0'] = time.split(':');
  const days = weekdays.length === allWeekdays.length ? '*' : rangesOf(weekdays.map((day) => day % 7));
  return `${Number(minute)} ${Number(hour)} * * ${days}`;
}

/** Cron counts from 0 for Sunday: 1,2,3,5 becomes 1-3,5. */
function rangesOf(days: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const day of [...days].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === day - 1) last[1] = day;
    else ranges.push([day, day]);
  }
  return ranges
    .flatMap(([from, to]) => (to - from > 1 ? `${from}-${to}` : from === to ? from : [from, to]))
    .join();
}

const dailyForm = /^(\d{1,2}) (\d{1,2}) \* \* ([\d,*-]+)$/;
const dayForm = /^([0-7])(?:-([0-7]))?$/;

/** The time and weekdays of an expression; undefined if it says something else. */
function wordsOf(cron: string): Pick<ScheduleDraft, 'time' | 'weekdays'> | undefined {
  const [, minute = '', hour = '', days = ''] = dailyForm.exec(cron.trim().replace(/\s+/g, ' ')) ?? [];
  if (days === '' || Number(minute) > 59 || Number(hour) > 23) return undefined;
  const weekdays = days === '*' ? allWeekdays : daysOf(days);
  return weekdays && { time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`, weekdays };
}

function daysOf(days: string): readonly number[] | undefined {
  const found = new Set<number>();
  for (const part of days.split(',')) {
    const [, from, to = from] = dayForm.exec(part) ?? [];
    if (from === undefined || Number(to) < Number(from)) return undefined;
    // Sunday is 0 and 7.
    for (let day = Number(from); day <= Number(to); day++) found.add(day === 0 ? 7 : day);
  }
  return [...found].sort((one, other) => one - other);
}
