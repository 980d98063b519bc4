import { allWeekdays, type ScheduleDraft } from './schedule-draft.js';

const dayMs = 86_400_000;
/** Longer than any row of holidays. */
const daysTried = 1_000;

/** When a schedule with weekdays runs next. Other expressions are only understood by the service. */
export function nextRun(draft: ScheduleDraft, now: Date, serviceTimeZone: string): Date | undefined {
  const { kind, time, weekdays, blackoutDates } = draft;
  if (kind !== 'times' || time === '' || weekdays.length === 0) return undefined;
  const timeZone = draft.timeZone || serviceTimeZone;
  const today = Date.parse(`${wallClock(now, timeZone).slice(0, 10)}T00:00:00Z`);
  for (let days = 0; days < daysTried; days++) {
    const day = new Date(today + days * dayMs);
    const weekday = allWeekdays[(day.getUTCDay() + 6) % 7] ?? 0;
    const date = day.toISOString().slice(0, 10);
    if (!weekdays.includes(weekday) || blackoutDates.includes(date)) continue;
    const at = momentOf(`${date}T${time}`, timeZone);
    if (at > now) return at;
  }
  return undefined;
}

/** When clocks in the time zone show a time. A time that they skip comes after the gap. */
function momentOf(wanted: string, timeZone: string): Date {
  const asUtc = Date.parse(`${wanted}Z`);
  const shifted = (guess: number) => asUtc - (Date.parse(`${wallClock(new Date(guess), timeZone)}Z`) - guess);
  return new Date(shifted(shifted(asUtc)));
}

/** What clocks in the time zone show, such as 2026-12-31T04:30. */
function wallClock(at: Date, timeZone: string): string {
  const format = new Intl.DateTimeFormat('en-CA', {
    ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: '2-digit', day: '2-digit' },
    ...{ hour: '2-digit', minute: '2-digit' },
  });
  const parts = Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value]));
  return `${parts.year}-${parts.month}-${parts.day}T${parts.hour}:${parts.minute}`;
}
