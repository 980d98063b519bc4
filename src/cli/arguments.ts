import { InvalidArgumentError } from 'commander';

export function positiveNumber(text: string): number {
  const number = Number(text);
  if (!(number > 0) || !Number.isFinite(number)) {
    throw new InvalidArgumentError('It must be a number above 0.');
  }
  return number;
}

export function wholeNumber(text: string): number {
  const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
  if (number < 1) throw new InvalidArgumentError('It must be a whole number above 0.');
  return number;
}

/** The same, where none at all is a number too. */
export function countFromZero(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be a whole number from 0.');
  return Number(text);
}

/** Words with commas in between: a,b,c. */
export function words(text: string): string[] {
  const given = text.split(',').map((word) => word.trim());
  if (given.includes('')) throw new InvalidArgumentError('It must be words with commas in between: a,b,c.');
  return given;
}

/** The same, out of those that there are. */
export function wordsOf<const Word extends string>(allowed: readonly Word[]): (text: string) => Word[] {
  const isAllowed = (word: string): word is Word => (allowed as readonly string[]).includes(word);
  return (text) => {
    const given = words(text);
    if (given.every(isAllowed)) return given;
    throw new InvalidArgumentError(`It must be some of ${allowed.join(', ')}, with commas in between.`);
  };
}

/** true or false, yes or no. */
export function flag(text: string): boolean {
  if (/^(?:true|yes)$/i.test(text)) return true;
  if (/^(?:false|no)$/i.test(text)) return false;
  throw new InvalidArgumentError('It must be true or false.');
}

/** A time, or how long ago: 2026-11-15, 2026-11-15T08:00:00Z, 90m, 36h, 7d. */
export function pointInTime(text: string): string {
  const [, amount, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const unitMs = { m: 60_000, h: 3_600_000, d: 86_400_000 }[unit as 'm' | 'h' | 'd'];
  const ms = unitMs ? Date.now() - Number(amount) * unitMs : Date.parse(text);
  if (Number.isNaN(ms)) {
    throw new InvalidArgumentError(
      'It must be a time such as 2026-11-15T08:00:00Z, or how long ago: 90m, 36h, 7d.',
    );
  }
  return new Date(ms).toISOString();
}
