import { hash } from 'node:crypto';
import { fieldLimits } from '../../contract/limits.js';

/**
 * Hashes of the names and serials that stored outcomes mention, as decimal 64-bit integers. They are indexed, so that an
 * erasure finds these outcomes among those of everybody else. Null if nobody is mentioned.
 */
export type Mentions = readonly string[] | null;

/** Employee IDs, usernames and serials look like this. */
const nameMaxLength = Math.max(fieldLimits.employeeIdMaxLength, fieldLimits.usernameMaxLength);
const nameOrSerial = new RegExp(`^[A-Za-z0-9-]{1,${nameMaxLength}}$`);

/**
 * Adds every text within a value that can be a name or a serial, in lower case: messages quote the names that they
 * mention, and data contains them as they are.
 */
export function mentionedTexts(value: unknown, texts = new Set<string>()): ReadonlySet<string> {
  if (typeof value === 'string') {
    for (const text of value.includes('"') ? value.split('"') : [value]) {
      if (nameOrSerial.test(text)) texts.add(text.toLowerCase());
    }
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) mentionedTexts((value as Record<string, unknown>)[key], texts);
  }
  return texts;
}

export function mentionsOf(value: unknown): Mentions {
  const texts = mentionedTexts(value);
  return texts.size === 0 ? null : Array.from(texts, mentionOf);
}

/** No one can choose names that collide with those of somebody else, and so make their erasure slow. */
function mentionOf(text: string): string {
  return hash('sha256', text, 'buffer').readBigInt64BE().toString();
}
