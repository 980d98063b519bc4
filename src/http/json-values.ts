import { fieldLimits } from '../contract/limits.js';

/**
 * No valid field value is longer than this in JSON: a full list of serials with every character written as two escapes
 * of six bytes, doubled for the surrounding syntax.
 */
export const valueMaxBytes = 2 * fieldLimits.tagSerialsMaxCount * fieldLimits.serialMaxLength * 12;

/** Longer than any text that a field accepts. */
const longText = 'x'.repeat(65_536);

/**
 * Replaces a value that is too large to be valid, so that it need not be built: same type, and rejected by every rule
 * for its length or content.
 */
export function placeholder(bytes: Uint8Array, start: number): unknown {
  switch (bytes[start]) {
    case 0x7b: // {
      return {};
    case 0x5b: // [
      return [[]];
    case 0x22: // "
      return longText;
    case 0x74: // t
    case 0x66: // f
      return true;
    case 0x6e: // n
      return null;
    default:
      return Number.NaN;
  }
}

/** The maximum length of a caller's field name in an error. */
const nameMaxBytes = 1_536;

/** Parses a JSON string at these offsets, quotes included. A very long one is truncated for use in an error. */
export function textAt(bytes: Buffer, start: number, end: number): string {
  if (end - start <= nameMaxBytes) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  const text = bytes.toString('utf8', start, start + nameMaxBytes);
  const escapeMaxLength = 6;
  let at = 1;
  while (at < text.length - escapeMaxLength) {
    const isUnicode = text[at] === '\\' && text[at + 1] === 'u';
    at += text[at] !== '\\' ? 1 : isUnicode ? escapeMaxLength : 2;
  }
  return JSON.parse(`${text.slice(0, at)}"`) as string;
}

/** Matches a JSON string against a set of names without decoding it. */
export class FieldNames {
  readonly names: readonly string[];
  readonly #byLength: (readonly (readonly [index: number, bytes: Buffer])[])[] = [];
  readonly #escapedMaxBytes: number;

  constructor(names: readonly string[]) {
    this.names = names;
    for (const [index, name] of names.entries()) {
      const bytes = Buffer.from(name);
      this.#byLength[bytes.length] = [...(this.#byLength[bytes.length] ?? []), [index, bytes]];
    }
    this.#escapedMaxBytes = 6 * Math.max(0, ...names.map(({ length }) => length)) + 2;
  }

  /** Returns -1 if it is none of them. The offsets include the quotes. */
  indexAt(bytes: Buffer, start: number, end: number): number {
    for (const [index, name] of this.#byLength[end - start - 2] ?? [])
      if (holds(bytes, start + 1, name)) return index;
    // Names may contain escapes, but hardly ever do.
    if (end - start > this.#escapedMaxBytes || !bytes.subarray(start, end).includes(0x5c)) return -1;
    return this.names.indexOf(textAt(bytes, start, end));
  }
}

function holds(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let index = 0; index < text.length; index++) if (bytes[at + index] !== text[index]) return false;
  return true;
}
