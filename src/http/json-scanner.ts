import { attributeLimits, jsonDepthMax } from '../contract/limits.js';

/** Receives the outermost levels of a document while it is scanned. Positions are byte offsets. */
export interface JsonListener {
  /** Fields and values nested deeper than this are only counted. */
  readonly depthMax: number;
  /** A field name including its quotes. `depth` is the number of enclosing objects and arrays. */
  field(depth: number, start: number, end: number): void;
  value(depth: number, start: number, end: number): void;
}

export type ScanState = 'unfinished' | 'done' | 'broken' | 'too deep';

const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const DOT = 0x2e;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** The state of the grammar. */
const Expect = { Value: 0, ValueOrClose: 1, Field: 2, FieldOrClose: 3, Colon: 4, CommaOrClose: 5, End: 6 };

/** A token that may span several scans. */
const Token = { None: 0, Text: 1, Whole: 2, Fraction: 3, Exponent: 4 };

/**
 * Checks that bytes are JSON (RFC 8259) without building anything: one pass in constant memory that can pause after any
 * number of bytes. Every request body is scanned before any value is built from it.
 */
export class JsonScanner {
  /** The number of values found so far, at any depth. */
  values = 0;
  fields = 0;
  /** How many numbers are so long, or have an exponent, that they may change by being parsed. */
  longNumbers = 0;
  state: ScanState = 'unfinished';
  /** Where the scan continues, or where it ended. */
  at: number;
  readonly #bytes: Uint8Array;
  readonly #listener: JsonListener;
  #expect = Expect.Value;
  #token = Token.None;
  #tokenStart = 0;
  #depth = 0;
  readonly #starts = new Int32Array(jsonDepthMax);
  readonly #isObject = new Uint8Array(jsonDepthMax);

  constructor(bytes: Uint8Array, start: number, listener: JsonListener) {
    this.#bytes = bytes;
    this.#listener = listener;
    this.at = start;
  }

  /** Scans about this many more bytes. */
  scan(count: number): ScanState {
    const end = Math.min(this.at + count, this.#bytes.length);
    while (this.state === 'unfinished' && this.at < end) {
      if (this.#token === Token.None) this.#scanStructure(end);
      else if (this.#token === Token.Text) this.#scanText(end);
      else this.#scanNumber(end);
    }
    if (this.state === 'unfinished' && this.at >= this.#bytes.length) this.#finish();
    return this.state;
  }

  #finish(): void {
    if (this.#token === Token.Text) this.#break(this.#tokenStart);
    else if (this.#token !== Token.None) this.#endNumber();
    if (this.state !== 'unfinished') return;
    if (this.#expect === Expect.End) this.#end('done');
    else this.#break(this.at);
  }

  #break(at: number): void {
    this.at = at;
    this.#end('broken');
  }

  #end(state: ScanState): void {
    this.state = state;
  }

  #scanStructure(end: number): void {
    const bytes = this.#bytes;
    let at = this.at;
    while (at < end) {
      const byte = bytes[at] as number;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
        at++;
        continue;
      }
      this.at = at;
      if (byte === COMMA) this.#comma();
      else if (byte === COLON) this.#colon();
      else if (byte === QUOTE) this.#openText();
      else if (byte === OPEN_OBJECT || byte === OPEN_ARRAY) this.#open(byte === OPEN_OBJECT);
      else if (byte === CLOSE_OBJECT || byte === CLOSE_ARRAY) this.#close(byte === CLOSE_OBJECT);
      else this.#openScalar(byte);
      if (this.state !== 'unfinished' || this.#token !== Token.None) return;
      at = this.at;
    }
    this.at = at;
  }

  #comma(): void {
    if (this.#expect !== Expect.CommaOrClose) {
      this.#break(this.at);
      return;
    }
    this.#expect = this.#isObject[this.#depth - 1] ? Expect.Field : Expect.Value;
    this.at++;
  }

  #colon(): void {
    if (this.#expect !== Expect.Colon) {
      this.#break(this.at);
      return;
    }
    this.#expect = Expect.Value;
    this.at++;
  }

  #takesValue(): boolean {
    return this.#expect === Expect.Value || this.#expect === Expect.ValueOrClose;
  }

  #open(isObject: boolean): void {
    if (!this.#takesValue()) {
      this.#break(this.at);
      return;
    }
    if (this.#depth === jsonDepthMax) {
      this.#end('too deep');
      return;
    }
    this.#starts[this.#depth] = this.at;
    this.#isObject[this.#depth] = isObject ? 1 : 0;
    this.#depth++;
    this.#expect = isObject ? Expect.FieldOrClose : Expect.ValueOrClose;
    this.at++;
  }

  #close(isObject: boolean): void {
    const isEmpty = this.#expect === (isObject ? Expect.FieldOrClose : Expect.ValueOrClose);
    const isRight = this.#depth > 0 && this.#isObject[this.#depth - 1] === (isObject ? 1 : 0);
    if (!isRight || !(isEmpty || this.#expect === Expect.CommaOrClose)) {
      this.#break(this.at);
      return;
    }
    this.#depth--;
    this.at++;
    this.#endValue(this.#starts[this.#depth] as number);
  }

  #endValue(start: number): void {
    this.values++;
    this.#expect = this.#depth === 0 ? Expect.End : Expect.CommaOrClose;
    if (this.#depth <= this.#listener.depthMax) this.#listener.value(this.#depth, start, this.at);
  }

  #openText(): void {
    const isField = this.#expect === Expect.Field || this.#expect === Expect.FieldOrClose;
    if (!isField && !this.#takesValue()) {
      this.#break(this.at);
      return;
    }
    this.#tokenStart = this.at++;
    this.#token = Token.Text;
  }

  #scanText(end: number): void {
    const bytes = this.#bytes;
    let at = this.at;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) {
        this.at = at + 1;
        this.#token = Token.None;
        this.#endText();
        return;
      }
      if (byte < 0x20) {
        this.#break(this.#tokenStart);
        return;
      }
      if (byte === BACKSLASH) {
        const length = escapeLength(bytes, at);
        if (length === 0) {
          this.#break(this.#tokenStart);
          return;
        }
        at += length - 1;
      }
    }
    this.at = at;
  }

  #endText(): void {
    if (this.#takesValue()) {
      this.#endValue(this.#tokenStart);
      return;
    }
    this.fields++;
    this.#expect = Expect.Colon;
    if (this.#depth <= this.#listener.depthMax) {
      this.#listener.field(this.#depth, this.#tokenStart, this.at);
    }
  }

  /** A number, or one of the three literals. */
  #openScalar(byte: number): void {
    if (!this.#takesValue()) {
      this.#break(this.at);
      return;
    }
    const start = this.at;
    const first = byte === MINUS ? (this.#bytes[start + 1] as number) : byte;
    if (isDigit(first)) {
      this.#tokenStart = start;
      this.at = start + (byte === MINUS ? 2 : 1);
      // Only a fraction or an exponent may follow a leading zero.
      if (first === 0x30 && isDigit(this.#bytes[this.at] as number)) this.#endNumber();
      else this.#token = Token.Whole;
      return;
    }
    const length = wordLength(this.#bytes, start);
    if (length === 0) {
      this.#break(start);
      return;
    }
    this.at += length;
    this.#endValue(start);
  }

  #scanNumber(end: number): void {
    const bytes = this.#bytes;
    let at = this.at;
    while (at < end && isDigit(bytes[at] as number)) at++;
    this.at = at;
    if (at === end) return;
    const byte = bytes[at] as number;
    const isExponent = byte === 0x45 || byte === 0x65;
    const sign = isExponent && (bytes[at + 1] === MINUS || bytes[at + 1] === 0x2b) ? 1 : 0;
    const continues =
      (byte === DOT && this.#token === Token.Whole) || (isExponent && this.#token !== Token.Exponent);
    if (!continues || !isDigit(bytes[at + 1 + sign] as number)) {
      this.#endNumber();
      return;
    }
    this.#token = isExponent ? Token.Exponent : Token.Fraction;
    this.at = at + 2 + sign;
  }

  #endNumber(): void {
    const isLong = this.at - this.#tokenStart > attributeLimits.numberDigitsMax;
    if (isLong || this.#token === Token.Exponent) this.longNumbers++;
    this.#token = Token.None;
    this.#endValue(this.#tokenStart);
  }
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

/** The length of the escape sequence at this position; 0 if there is none. */
function escapeLength(bytes: Uint8Array, at: number): number {
  switch (bytes[at + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // "/"
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return 2;
    case 0x75: // u
      for (let digit = at + 2; digit < at + 6; digit++) if (!isHexDigit(bytes[digit] ?? 0)) return 0;
      return 6;
    default:
      return 0;
  }
}

function isHexDigit(byte: number): boolean {
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}

const words: Readonly<Record<number, Buffer>> = {
  116: Buffer.from('true'),
  102: Buffer.from('false'),
  110: Buffer.from('null'),
};

/** The length of the literal at this position; 0 if there is none. */
function wordLength(bytes: Uint8Array, at: number): number {
  const word = words[bytes[at] as number];
  if (word === undefined) return 0;
  for (let index = 1; index < word.length; index++) if (bytes[at + index] !== word[index]) return 0;
  return word.length;
}
