import { InvalidArgumentError, Option } from 'commander';
import { isWithin } from '../contract/code-points.js';
import { fieldLimits } from '../contract/limits.js';

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) {
    throw new InvalidArgumentError('Must be a number greater than 0.');
  }
  return number;
}

export function wholeNumber(text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('Must be a whole number greater than 0.');
  return number;
}

export function countFromZero(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('Must be 0 or a positive whole number.');
  return Number(text);
}

export function commaSeparated(text: string): string[] {
  const given = text.split(',').map((word) => word.trim());
  if (given.includes('')) throw new InvalidArgumentError('Must be a comma-separated list: a,b,c.');
  return given;
}

export function commaSeparatedOf<const Word extends string>(
  allowed: readonly Word[],
): (text: string) => Word[] {
  const isAllowed = (word: string): word is Word => (allowed as readonly string[]).includes(word);
  return (text) => {
    const given = commaSeparated(text);
    if (given.every(isAllowed)) return given;
    throw new InvalidArgumentError(`Must be a comma-separated list of ${allowed.join(', ')}.`);
  };
}

/** true or false, yes or no. */
export function trueOrFalse(text: string): boolean {
  if (/^(?:true|yes)$/i.test(text)) return true;
  if (/^(?:false|no)$/i.test(text)) return false;
  throw new InvalidArgumentError('Must be true or false.');
}

/** What a call is for, as it is kept with the call. */
export function callNote(text: string): string {
  const { labelMaxLength } = fieldLimits;
  if (!isWithin(nonEmpty(text), labelMaxLength)) {
    throw new InvalidArgumentError(`Must not exceed ${labelMaxLength} characters.`);
  }
  return text;
}

export function nonEmpty(text: string): string {
  if (text.trim() === '') throw new InvalidArgumentError('Must not be empty.');
  return text;
}

/** A date at midnight UTC, a time, or a duration before now: 2026-11-15, 2026-11-15T08:00:00Z, 90m, 36h, 7d. */
export function pointInTime(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd'];
  const ms = unitMs ? Date.now() - Number(amount) * unitMs : millisecondsOf(text);
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError(
      'Must be a date such as 2026-11-15, a time such as 2026-11-15T08:00:00Z, or a duration before now such as 90m, 36h or 7d.',
    );
  }
  return new Date(ms).toISOString();
}

/** A date, which the service takes to begin in its own time zone, or a time with an offset. */
export function effectiveTime(text: string): string {
  const ms = millisecondsOf(text);
  const isDate = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (Number.isNaN(ms) || !(isDate || /(?:Z|[+-]\d{2}:\d{2})$/.test(text))) {
    throw new InvalidArgumentError(
      'Must be a date such as 2026-12-31, or a time with an offset such as 2026-12-31T18:00:00+01:00.',
    );
  }
  return isDate ? text : new Date(ms).toISOString();
}

/** Date.parse alone would guess: it reads "1" as a day in 2001, and 2026-02-30 as March 2. */
function millisecondsOf(text: string): number {
  const [, date] = /^(\d{4}-\d{2}-\d{2})(?:[T ]\d{2}:\d{2}.*)?$/.exec(text) ?? [];
  const midnight = date === undefined ? Number.NaN : Date.parse(date);
  const exists = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(`${date}T`);
  return exists ? Date.parse(text) : Number.NaN;
}

/** 2026-11-15 */
export function calendarDay(text: string): string {
  const isDay = /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
  if (!isDay) throw new InvalidArgumentError('Must be a day such as 2026-11-15.');
  return text;
}

/** CSV separators by the name to type. */
export const separators = { ',': ',', ';': ';', '|': '|', tab: '\t' } as const;

export type SeparatorName = keyof typeof separators;

type Separator = (typeof separators)[SeparatorName];

export function separator(text: string): Separator {
  const found = Object.entries(separators).find(
    ([name, each]) => text.toLowerCase() === name || text === each,
  );
  if (!found) throw new InvalidArgumentError('Must be one of , ; | or tab.');
  return found[1];
}

/** What `key=value` says. */
export interface KeyValue {
  readonly key: string;
  readonly text: string;
}

export function keyValue(text: string): KeyValue {
  const [, key, value = ''] = /^\s*([^=\s]+)\s*=(.*)$/s.exec(text) ?? [];
  if (key === undefined) throw new InvalidArgumentError('Must be key=value.');
  return { key, text: value };
}

/** For an option of `key=value` that is repeated for each key. */
export function oncePerKey(text: string, previous: readonly KeyValue[] = []): KeyValue[] {
  const given = keyValue(text);
  if (previous.some(({ key }) => key === given.key)) {
    throw new InvalidArgumentError(`${given.key} is given twice.`);
  }
  return [...previous, given];
}

interface Values {
  readonly max: number;
  readonly choices?: readonly string[] | undefined;
  /** Throws if a value is wrong. */
  readonly check?: ((text: string) => unknown) | undefined;
}

/**
 * An option whose values add up when it is repeated. Unlike a variadic option, it takes one value at a time, so that a
 * stray word is still an error.
 */
export class RepeatableOption extends Option {
  constructor(flags: string, description: string, { max, choices, check }: Values) {
    super(flags, `${description}; repeatable`);
    if (choices) this.choices(choices);
    const checked = this.parseArg ?? nonEmpty;
    this.argParser<string[]>((text, previous = []) => {
      if (previous.length === max) throw new InvalidArgumentError(`Use this option at most ${max} times.`);
      check?.(text);
      return [...previous, checked(text, '')];
    });
  }
}
