import type { Feed } from '../components/feeds.js';
import { formatDay, formatList, formatTime } from '../copy/format.js';
import { locale } from '../copy/language.js';
import { feedsCopy } from '../copy/on-demand-copy.js';

type Schedule = NonNullable<Feed['schedule']>;

const datesShownMax = 5;

/** When a feed runs, a sentence per line. */
export function scheduleTexts(schedule: Schedule | null): string[] {
  const copy = feedsCopy.schedules;
  if (!schedule) return [copy.none];
  const { cron, onNewFile, timeZone, from, until } = schedule;
  const dates = schedule.blackoutDates ?? [];
  const inZone = (text: string) => (timeZone == null ? text : copy.zone(text, timeZone));
  const lines: string[] = [];
  if (cron != null) lines.push(inZone(cronText(cron)));
  if (onNewFile) {
    const isLimited = from != null && until != null;
    lines.push(inZone(isLimited ? copy.onNewFileBetween(timeOfDay(from), timeOfDay(until)) : copy.onNewFile));
  }
  if (cron != null && until != null) lines.push(copy.waitsUntil(timeOfDay(until)));
  if (dates.length > datesShownMax) lines.push(copy.exceptDays(dates.length));
  else if (dates.length > 0) lines.push(copy.exceptOn(formatList(dates.map(formatDay))));
  return lines;
}

/** The schedules that people set up. Anything else is shown as it was entered. */
export function cronText(cron: string): string {
  const copy = feedsCopy.schedules;
  const [minute = '', hour = '', day = '', month = '', weekday = '', ...rest] = cron.trim().split(/\s+/);
  if (rest.length > 0 || month !== '*' || !isNumber(minute)) return copy.other(cron);
  if (hour === '*' && day === '*' && weekday === '*') return copy.hourly(minute);
  if (!isNumber(hour)) return copy.other(cron);
  const time = timeOfDay(`${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`);
  if (day === '*' && weekday === '*') return copy.daily(time);
  if (isNumber(day) && weekday === '*') return copy.monthly(Number(day), time);
  const days = day === '*' ? weekdaysText(weekday) : undefined;
  return days === undefined ? copy.other(cron) : copy.weekly(days, time);
}

function isNumber(text: string): boolean {
  return /^\d{1,2}$/.test(text);
}

/** A time of day such as 04:30, as the region writes it. */
function timeOfDay(time: string): string {
  return formatTime(`2026-01-01T${time}`);
}

const weekdayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** `1-5`, `MON-FRI` or `1,3,5`; undefined for anything else. */
function weekdaysText(field: string): string | undefined {
  const [first, last, ...rest] = field.split('-').map(weekdayName);
  if (last !== undefined && first !== undefined && rest.length === 0)
    return feedsCopy.schedules.dayRange(first, last);
  const days = field.split(',').map(weekdayName);
  const known = days.filter((day) => day !== undefined);
  return known.length === days.length ? formatList(known) : undefined;
}

const longWeekday = new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' });
/** A Sunday, which is 0 and also 7. */
const sundayMs = Date.UTC(2026, 0, 4);

function weekdayName(text: string): string | undefined {
  const named = weekdayNames.indexOf(text.toUpperCase());
  const number = named >= 0 ? named : /^[0-7]$/.test(text) ? Number(text) : undefined;
  return number === undefined ? undefined : longWeekday.format(sundayMs + number * 86_400_000);
}
