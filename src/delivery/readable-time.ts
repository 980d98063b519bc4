import type { Language } from '../contract/enums.js';
import { dateIn, startOfDay } from '../domain/start-of-day.js';

/** The time zone of a reader is unknown, so times are in that of the service. */
export interface TimeStyle {
  readonly language: Language;
  readonly timeZone: string;
}

const locales: Readonly<Record<Language, string>> = { en: 'en-GB', de: 'de', es: 'es' };
const clocks: Readonly<Record<Language, (time: string, zone: string) => string>> = {
  en: (time, zone) => `${time} ${zone}`,
  de: (time, zone) => `${time} Uhr (${zone})`,
  es: (time, zone) => `${time} (${zone})`,
};

/** "22 November 2026, 08:30 UTC". */
export function readableTime(time: Date, { language, timeZone }: TimeStyle): string {
  const format = new Intl.DateTimeFormat(locales[language], {
    ...{ timeZone, hourCycle: 'h23', hour: '2-digit', minute: '2-digit', timeZoneName: 'short' },
  });
  const parts = Object.fromEntries(format.formatToParts(time).map(({ type, value }) => [type, value]));
  const clock = clocks[language](`${parts.hour}:${parts.minute}`, parts.timeZoneName ?? timeZone);
  return `${readableDay(time, { language, timeZone })}, ${clock}`;
}

/** "22 November 2026". */
export function readableDay(time: Date, { language, timeZone }: TimeStyle): string {
  const style = { day: 'numeric', month: 'long', year: 'numeric' } as const;
  return new Intl.DateTimeFormat(locales[language], { timeZone, ...style }).format(time);
}

/** Whether a day begins at this time. */
export function isStartOfDay(time: Date, { timeZone }: Pick<TimeStyle, 'timeZone'>): boolean {
  return startOfDay(dateIn(time.getTime(), timeZone), timeZone).getTime() === time.getTime();
}
