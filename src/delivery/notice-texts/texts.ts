import type { Language } from '../../contract/enums.js';
import type { NoticeTopic } from '../../contract/notices.js';
import {
  type CallEffects,
  callEffects,
  type FeedCounts,
  feedCounts,
  type NoticeFacts,
} from '../../domain/notices/notices.js';
import type { CallPeople } from '../../storage/delivery/notice-calls.js';
import { isStartOfDay, readableDay, readableTime, type TimeStyle } from '../readable-time.js';

/** A title and paragraphs, as plain text. */
export interface NoticeBody {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What a notice says besides its facts. */
export interface NoticeDetails {
  /** How many later notices this one stands for. */
  readonly more: number;
  /** Only in emails: a chat may belong to others. */
  readonly people?: CallPeople | undefined;
  readonly style: TimeStyle;
}

/** What notices say, in one language. Whole sentences, as functions of the facts. */
export type NoticeTexts = {
  readonly [Topic in NoticeTopic]: (facts: NoticeFacts[Topic], details: NoticeDetails) => NoticeBody;
} & {
  /** Where to look in the console, as its navigation calls it. */
  readonly places: Readonly<
    Record<'feeds' | 'calls' | 'webhooks' | 'targets' | 'provisioning' | 'status', string>
  >;
  readonly open: string;
};

const formats: Readonly<Record<Language, Intl.NumberFormat>> = {
  en: new Intl.NumberFormat('en'),
  de: new Intl.NumberFormat('de'),
  // By default, Spanish groups only numbers of five digits and more.
  es: new Intl.NumberFormat('es', { useGrouping: true }),
};

/** How a language writes numbers, and nouns with them. */
export function numbersIn(language: Language) {
  const number = (count: number) => formats[language].format(count);
  return {
    number,
    plural: (count: number, one: string, many: string) => `${number(count)} ${count === 1 ? one : many}`,
  };
}

/** "Rows: 1,200; created: 3; failed: 1." Only the rows are worth a zero. */
export function countsText(
  counts: FeedCounts,
  labels: Readonly<Record<keyof FeedCounts, string>>,
  number: (count: number) => string,
): string[] {
  const shown = feedCounts.filter((name) => (name === 'rows' ? counts.rows !== undefined : counts[name]));
  const parts = shown.map((name) => `${labels[name]}: ${number(counts[name] ?? 0)}`);
  const text = parts.join('; ');
  return text === '' ? [] : [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
}

const rowsNamedMax = 20;

/** The first row numbers, and how many there are beyond. */
export function rowsNamed(numbers: readonly number[]): { readonly list: string; readonly beyond: number } {
  return {
    list: numbers.slice(0, rowsNamedMax).join(', '),
    beyond: Math.max(numbers.length - rowsNamedMax, 0),
  };
}

/** What a call does, such as "create 3 users and deactivate 4 users". Empty if it does nothing, or nobody knows. */
export function effectsText(
  effects: CallEffects = {},
  texts: Readonly<Record<keyof CallEffects, (count: number) => string>>,
  language: Language,
): string {
  return listOf(
    callEffects.flatMap((name) => (effects[name] ? texts[name](effects[name]) : [])),
    language,
  );
}

/** "Ada Lovelace, Grace Hopper and 2 others", with a word for the others. Empty without names. */
export function namesText(
  names: readonly string[],
  effects: CallEffects = {},
  { language, others }: { readonly language: Language; readonly others: (count: number) => string },
): string {
  if (names.length === 0) return '';
  const all = callEffects.reduce((sum, name) => sum + (effects[name] ?? 0), 0);
  return listOf([...names, ...(all > names.length ? [others(all - names.length)] : [])], language);
}

function listOf(parts: readonly string[], language: Language): string {
  return new Intl.ListFormat(language === 'en' ? 'en-GB' : language).format(parts);
}

export interface Start {
  /** Of people who are deactivated when it ends. */
  readonly lastDay?: string;
  readonly day?: string;
  readonly time?: string;
}

/** When a call runs: undefined if at once, a day if it begins with one. */
export function startOf(
  { effectiveAt, lastWorkingDay }: NoticeFacts['callApproval'],
  style: TimeStyle,
): Start | undefined {
  if (effectiveAt === null) return undefined;
  const time = new Date(effectiveAt);
  if (!isStartOfDay(time, style)) return { time: readableTime(time, style) };
  const day = readableDay(time, style);
  if (lastWorkingDay === undefined) return { day };
  return { day, lastDay: readableDay(new Date(lastWorkingDay), { ...style, timeZone: 'UTC' }) };
}

/** Sentences end once, whatever somebody has typed. */
export function withoutStop(text: string): string {
  return text.trim().replace(/\.+$/, '');
}
