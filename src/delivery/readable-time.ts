import type { Language } from '../contract/enums.js';

const dayStyle = { timeZone: 'UTC', day: 'numeric', month: 'long', year: 'numeric' } as const;
const days: Readonly<Record<Language, Intl.DateTimeFormat>> = {
  en: new Intl.DateTimeFormat('en-GB', dayStyle),
  de: new Intl.DateTimeFormat('de', dayStyle),
  es: new Intl.DateTimeFormat('es', dayStyle),
};
const clocks: Readonly<Record<Language, (time: string) => string>> = {
  en: (time) => `${time} UTC`,
  de: (time) => `${time} Uhr (UTC)`,
  es: (time) => `${time} (UTC)`,
};

/** "22 November 2026, 08:30 UTC". The time zone of the reader is unknown. */
export function readableTime(time: Date, language: Language): string {
  return `${days[language].format(time)}, ${clocks[language](time.toISOString().slice(11, 16))}`;
}
