import { isUtf8 } from 'node:buffer';
import { isSameNumber } from '../contract/attribute-rules.js';
import { tooLargeObject } from '../contract/attribute-values.js';
import { type Failure, failure } from '../contract/errors.js';
import { attributeLimits, fieldLimits, jsonDepthMax } from '../contract/limits.js';
import { type JsonListener, JsonScanner } from './json-scanner.js';

/** A JSON body. Its content is checked by the operation. */
export interface JsonBody {
  readonly value: unknown;
  /** The first field that occurs twice, if any. */
  readonly repeatedField: string | undefined;
  /** The same among some of the fields. */
  repeatedAmong(fields: Readonly<Record<string, unknown>>): string | undefined;
  readonly bytes: Buffer;
  /** The body that an object within it would be: the value of a field, of a field of that, and so on. */
  within(...path: readonly string[]): JsonBody | undefined;
  /** The fields whose values are numbers that parsing has changed. */
  readonly changedNumbers: ReadonlySet<string>;
}

const none: ReadonlySet<string> = new Set();

type ReadBody =
  | { readonly ok: true; readonly body: JsonBody }
  | { readonly ok: false; readonly failure: Failure };

/** More than any operation has. A body with more is rejected for its fields without being built. */
const fieldsMax = 100 + attributeLimits.attributesMax;

/** Reads a body of some kilobytes in one go, or of some megabytes if nested lists may be long. */
export function readJsonBody(bytes: Buffer, { hasLists = false } = {}): ReadBody {
  const problem = encodingProblem(bytes);
  if (problem) return { ok: false, failure: problem };
  const members = new Members(bytes);
  const scanner = new JsonScanner(bytes, startOf(bytes), members);
  scanner.scan(bytes.length);
  if (scanner.state !== 'done') {
    return { ok: false, failure: scanFailure(scanner, new TextPosition(bytes).advance(scanner.at)) };
  }
  const value = members.read(hasLists ? 0 : scanner.fields);
  return {
    ok: true,
    body: {
      value,
      repeatedField: members.repeated(),
      repeatedAmong: (fields) => members.repeated((name) => Object.hasOwn(fields, name)),
      bytes,
      within: (...path) => members.within(...path),
      changedNumbers: scanner.longNumbers === 0 ? none : members.changedNumbers(),
    },
  };
}

/** The top-level fields of the body, as far as they are read. */
class Members implements JsonListener {
  readonly depthMax = 1;
  readonly #bytes: Buffer;
  #start = 0;
  readonly #names: string[] = [];
  readonly #values: (readonly [start: number, end: number])[] = [];

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  field(_depth: number, start: number, end: number): void {
    if (this.#names.length <= fieldsMax) this.#names.push(textAt(this.#bytes, start, end));
  }

  value(depth: number, start: number, end: number): void {
    if (depth === 0) this.#start = start;
    else if (this.#values.length < this.#names.length) this.#values.push([start, end]);
  }

  repeated(counts: (name: string) => boolean = () => true): string | undefined {
    const seen = new Set<string>();
    return this.#names.find((name) => counts(name) && seen.size === seen.add(name).size);
  }

  within(field = '', ...path: readonly string[]): JsonBody | undefined {
    const range = this.#values[this.#names.indexOf(field)];
    const read = range && readJsonBody(this.#bytes.subarray(...range));
    if (!read?.ok) return undefined;
    return path.length === 0 ? read.body : read.body.within(...path);
  }

  changedNumbers(): ReadonlySet<string> {
    const isChanged = ([start, end]: readonly [number, number]) =>
      isNumber(this.#bytes, start) && !isSameNumber(this.#bytes.toString('latin1', start, end));
    return new Set(this.#names.filter((_, at) => isChanged(this.#values[at] ?? [0, 0])));
  }

  /** The value of the body, given its total number of fields. Operations only accept objects. */
  read(fields: number): unknown {
    if (this.#bytes[this.#start] !== 0x7b) return placeholder(this.#bytes, this.#start);
    if (fields > fieldsMax) return this.#outline();
    return JSON.parse(this.#bytes.toString('utf8', this.#start));
  }

  /** The first fields, without nested content. */
  #outline(): unknown {
    // Without a prototype, so that "__proto__" is a field like any other.
    const outline: Record<string, unknown> = Object.create(null);
    for (const [index, [start, end]] of this.#values.entries()) {
      const first = this.#bytes[start];
      const isContainer = first === 0x7b || first === 0x5b;
      outline[this.#names[index] as string] =
        isContainer || end - start > valueMaxBytes
          ? placeholder(this.#bytes, start)
          : JSON.parse(this.#bytes.toString('utf8', start, end));
    }
    return outline;
  }
}

function isNumber(bytes: Uint8Array, start: number): boolean {
  const first = bytes[start] as number;
  return first === 0x2d || (first >= 0x30 && first <= 0x39);
}

export function encodingProblem(bytes: Buffer): Failure | undefined {
  if (bytes.length === 0) return notJson('The body is empty. Send a JSON object.');
  return isUtf8(bytes) ? undefined : notJson('The body is not valid UTF-8. Encode it as UTF-8.');
}

/** The offset after a byte order mark, if there is one. */
export function startOf(bytes: Buffer): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

/** Why a scan did not complete. */
export function scanFailure({ state }: JsonScanner, { line, column }: TextPosition): Failure {
  return state === 'too deep'
    ? failure('REQUEST_BODY_TOO_DEEP', `The body exceeds ${jsonDepthMax} levels of nesting.`, {
        limit: jsonDepthMax,
      })
    : notJson(`The body is not valid JSON. Check line ${line}, column ${column}.`);
}

/** A position in a text for display. Columns are counted in UTF-16 code units, as in editors and JavaScript. */
export class TextPosition {
  line = 1;
  column = 1;
  at: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.at = startOf(bytes);
  }

  advance(end: number): this {
    for (; this.at < end; this.at++) {
      const byte = this.#bytes[this.at] as number;
      if (byte === 0x0a) {
        this.line++;
        this.column = 1;
      } else if ((byte & 0xc0) !== 0x80) {
        this.column += byte >= 0xf0 ? 2 : 1;
      }
    }
    return this;
  }
}

function notJson(detail: string): Failure {
  return failure('REQUEST_BODY_NOT_JSON', detail);
}

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
      return tooLargeObject;
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
