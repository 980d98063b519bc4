import { type Encoding, TableError } from '../problems.js';
import { completeLength, examineUtf8, firstOfEachKind, isAscii } from './utf8.js';

/** The detected encoding. It can change while reading: pure ASCII doesn't decide between encodings. */
export interface EncodingFound {
  encoding: Encoding;
}

const byteOrderMarks: readonly [Encoding, readonly number[]][] = [
  ['utf-8', [0xef, 0xbb, 0xbf]],
  ['utf-16le', [0xff, 0xfe]],
  ['utf-16be', [0xfe, 0xff]],
];

/** Detects the encoding from the first bytes: a byte order mark, or the zeros of Latin text in UTF-16. */
export function sniffEncoding(head: Uint8Array): Encoding | undefined {
  for (const [encoding, mark] of byteOrderMarks) {
    if (mark.every((byte, at) => head[at] === byte)) return encoding;
  }
  const zeros: [number, number] = [0, 0];
  const looked = Math.min(head.length & ~1, 4096);
  for (let at = 0; at < looked; at++) if (head[at] === 0) zeros[at % 2 === 0 ? 0 : 1]++;
  const most = 0.35 * looked; // of half the bytes: some characters of Latin text, such as €, have no zero byte
  if (zeros[0] === 0 && zeros[1] > most) return 'utf-16le';
  if (zeros[1] === 0 && zeros[0] > most) return 'utf-16be';
  return undefined;
}

/**
 * Decodes bytes. Without a byte order mark they are UTF-8 or Windows-1252, and the first bytes beyond ASCII decide.
 * Until then both decode the same, so nothing has to be buffered. A file with both, such as one that a script has
 * appended to, is rejected: either encoding would garble some of its names.
 */
export async function* decode(
  chunks: AsyncIterable<Uint8Array>,
  found: EncodingFound,
  given: Encoding | undefined,
): AsyncGenerator<string> {
  if (given === 'utf-16le' || given === 'utf-16be') yield* decodeUtf16(chunks, given);
  else yield* decodeBytes(chunks, found, given);
}

async function* decodeUtf16(chunks: AsyncIterable<Uint8Array>, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding, { fatal: true });
  const decoded = (bytes: Uint8Array | undefined): string => {
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true });
    } catch {
      throw encodingBroken(encoding);
    }
  };
  for await (const chunk of chunks) yield decoded(chunk);
  yield decoded(undefined);
}

async function* decodeBytes(
  chunks: AsyncIterable<Uint8Array>,
  found: EncodingFound,
  given: Encoding | undefined,
): AsyncGenerator<string> {
  let decided = given;
  let rest = new Uint8Array(0);
  let isFirst = true;
  const kinds = given === undefined ? new SingleEncoding() : undefined;
  for await (const chunk of chunks) {
    const bytes = isFirst ? withoutMark(chunk) : joined(rest, chunk);
    isFirst = false;
    const whole = decided === 'windows-1252' ? bytes.length : completeLength(bytes);
    const now = bytes.subarray(0, whole);
    rest = bytes.slice(whole);
    kinds?.check(now);
    decided ??= decide(now);
    found.encoding = decided ?? 'utf-8';
    yield* decided === 'windows-1252' ? [decodeWindows1252(now)] : decodeUtf8(now);
  }
  if (rest.length === 0) return;
  // An incomplete last character: a damaged file in UTF-8, otherwise the only character beyond ASCII.
  if (decided === 'utf-8') throw encodingBroken('utf-8');
  found.encoding = 'windows-1252';
  yield decodeWindows1252(rest);
}

/** Fails once both encodings have occurred, and names the first line of each. */
class SingleEncoding {
  #line = 1;
  #utf8Line: number | undefined;
  #otherLine: number | undefined;

  check(bytes: Uint8Array): void {
    const { utf8, other } = isAscii(bytes) ? { utf8: -1, other: -1 } : firstOfEachKind(bytes);
    if (utf8 !== -1) this.#utf8Line ??= this.#line + lineBreaks(bytes.subarray(0, utf8));
    if (other !== -1) this.#otherLine ??= this.#line + lineBreaks(bytes.subarray(0, other));
    if (this.#utf8Line !== undefined && this.#otherLine !== undefined) {
      const [utf8Line, otherLine] = [this.#utf8Line, this.#otherLine];
      throw new TableError({ code: 'ENCODING_MIXED', utf8Line, otherLine });
    }
    this.#line += lineBreaks(bytes);
  }
}

function lineBreaks(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

/** Windows-1252 text may contain valid UTF-8 sequences by chance, but not more of them than invalid ones. */
function decide(bytes: Uint8Array): Encoding | undefined {
  if (isAscii(bytes)) return undefined;
  const { valid, invalid } = examineUtf8(bytes);
  return valid > invalid ? 'utf-8' : 'windows-1252';
}

// A byte order mark is removed only at the start of the text. A decoder would remove it at the start of every chunk.
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function* decodeUtf8(bytes: Uint8Array): Generator<string> {
  let text: string | undefined;
  try {
    text = utf8.decode(bytes);
  } catch {
    // The text before the bad byte is emitted first, so that its line is known.
    yield utf8.decode(bytes.subarray(0, Math.max(examineUtf8(bytes).firstInvalid, 0)));
    throw encodingBroken('utf-8');
  }
  yield text;
}

const windows1252 = new TextDecoder('windows-1252');
const controls = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Node.js 20 decodes Windows-1252 as Latin-1, where 0x80 to 0x9F are control characters. This corrects them. */
export function decodeWindows1252(bytes: Uint8Array): string {
  return windows1252.decode(bytes).replace(/[\u0080-\u009f]/g, (character) => {
    return controls[character.charCodeAt(0) - 0x80] ?? character;
  });
}

function withoutMark(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** The caller, who counts lines, adds the line. */
function encodingBroken(encoding: Encoding): TableError {
  return new TableError({ code: 'ENCODING_BROKEN', encoding, line: 0 });
}
