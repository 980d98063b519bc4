import type { Language } from '../../contract/enums.js';
import type { NoticeTopic } from '../../contract/notices.js';
import { type FeedCounts, feedCounts, type NoticeFacts } from '../../domain/notices/notices.js';

/** A title and paragraphs, as plain text. */
export interface NoticeBody {
  readonly title: string;
  readonly lines: readonly string[];
}

/** What notices say, in one language. Whole sentences, as functions of the facts. */
export type NoticeTexts = {
  readonly [Topic in NoticeTopic]: (facts: NoticeFacts[Topic], more: number) => NoticeBody;
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
