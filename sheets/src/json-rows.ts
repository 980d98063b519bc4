import { isDamageText } from './formula-guard.js';
import { listCell } from './lists.js';
import { isExactNumber, plainNumber } from './plain-number.js';
import { TableError } from './problems.js';
import type { CellNote, RawRow, Uncertainty } from './row.js';

export interface JsonObject {
  readonly number: number;
  readonly line: number;
  /** Values by key. Keys of nested objects are joined with a dot. */
  readonly values: ReadonlyMap<string, JsonValue>;
}

export interface JsonValue {
  readonly text: string;
  readonly uncertainty: Uncertainty | undefined;
}

export interface JsonScanner {
  push(text: string): JsonObject[];
  end(): void;
  line(): number;
}

/**
 * Reads objects one at a time, whether they are elements of an array or follow each other. Only the text of one object
 * is held in memory.
 */
export function createJsonScanner(objectCharactersMax: number): JsonScanner {
  let text = '';
  let line = 1;
  let number = 1;
  /** The current position, and the nesting depth in the object; 0 between objects. */
  let at = 0;
  let depth = 0;
  let began = 0;
  let insideText = false;
  let inArray: 'not yet' | 'inside' | 'ended' = 'not yet';
  /** In an array, whether a comma or an object must follow. */
  let expects: 'object' | 'comma' = 'object';

  /** Line endings are counted up to here. */
  let counted = 0;

  function countLines(upTo: number): void {
    line += lineEnds(text.slice(counted, upTo));
    counted = upTo;
  }

  function broken(): TableError {
    if (depth === 0) countLines(at);
    return new TableError({ code: 'JSON_BROKEN', line });
  }

  function between(character: string): void {
    if (character === '{' && inArray !== 'ended' && !(inArray === 'inside' && expects === 'comma')) {
      countLines(at);
      began = at;
      depth = 1;
    } else if (character === '[' && inArray === 'not yet' && number === 1) inArray = 'inside';
    else if (character === ',' && inArray === 'inside' && expects === 'comma') expects = 'object';
    else if (character === ']' && inArray === 'inside' && (expects === 'comma' || number === 1))
      inArray = 'ended';
    else if (character.trim() !== '' && character !== '\uFEFF') throw broken();
  }

  function read(): JsonObject[] {
    const objects: JsonObject[] = [];
    for (; at < text.length; at++) {
      const character = text[at] as string;
      if (depth === 0) between(character);
      else if (insideText) {
        if (character === '\\') at++;
        else if (character === '"') insideText = false;
      } else if (character === '"') insideText = true;
      else if (character === '{' || character === '[') depth++;
      else if (character === '}' || character === ']') {
        if (depth > 1) {
          depth--;
          continue;
        }
        const values = valuesOf(text.slice(began, at + 1));
        if (values === undefined) throw broken();
        objects.push({ number, line, values });
        depth = 0;
        number++;
        expects = 'comma';
      }
    }
    if (depth > 0 && text.length - began > objectCharactersMax) {
      throw new TableError({ code: 'ROW_TOO_LONG', line, max: objectCharactersMax });
    }
    const keptFrom = depth > 0 ? began : text.length;
    countLines(keptFrom);
    text = text.slice(keptFrom);
    at -= keptFrom;
    counted = 0;
    began = 0;
    return objects;
  }

  return {
    push: (more) => {
      text += more;
      return read();
    },
    end: () => {
      if (depth > 0 || inArray === 'inside') throw broken();
    },
    line: () => line,
  };
}

function lineEnds(text: string): number {
  let count = 0;
  for (let found = text.indexOf('\n'); found !== -1; found = text.indexOf('\n', found + 1)) count++;
  return count;
}

/** Replaces a number before parsing, because a parsed number has only 15 exact digits. */
const numberKey = '\0number';
const numberTag = JSON.stringify(numberKey);

function valuesOf(json: string): ReadonlyMap<string, JsonValue> | undefined {
  let keysWritten = 0;
  const withTexts = json.replace(
    /"(?:[^"\\]|\\.)*"(\s*:)?|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g,
    (token, colon: string | undefined) => {
      if (colon !== undefined) keysWritten++;
      return token.startsWith('"') ? token : `{${numberTag}:"${token}"}`;
    },
  );
  const values = new Map<string, JsonValue>();
  try {
    const object = JSON.parse(withTexts) as JsonRecord;
    collect(object, '', values);
    // A parser keeps the last of two equal keys. Either may be right, so the whole object is uncertain.
    if (keysWritten !== countKeys(object)) {
      for (const [key, { text }] of values) values.set(key, { text, uncertainty: 'KEY_TWICE' });
    }
  } catch {
    return undefined;
  }
  return values;
}

/** An object repeats its name in those of all objects in it. No heading is nearly that long. */
const nameCharactersMax = 1_000;

type JsonRecord = Readonly<Record<string, unknown>>;

function collect(object: JsonRecord, path: string, values: Map<string, JsonValue>): void {
  for (const [key, value] of Object.entries(object)) {
    const name = path + key;
    if (name.length > nameCharactersMax) throw new RangeError('a name is too long');
    if (isRecord(value) && numberIn(value) === undefined) collect(value, `${name}.`, values);
    // {"a":{"b":1},"a.b":2} has two values for one key.
    else values.set(name, values.has(name) ? { text: '', uncertainty: 'KEY_TWICE' } : jsonValue(value));
  }
}

function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function numberIn(value: unknown): string | undefined {
  const written = isRecord(value) ? value[numberKey] : undefined;
  return typeof written === 'string' ? written : undefined;
}

function countKeys(value: unknown): number {
  if (Array.isArray(value)) return value.reduce((count: number, element) => count + countKeys(element), 0);
  if (!isRecord(value) || numberIn(value) !== undefined) return 0;
  return Object.values(value).reduce((count: number, element) => count + 1 + countKeys(element), 0);
}

function jsonValue(value: unknown): JsonValue {
  const number = numberIn(value);
  if (number !== undefined) {
    return { text: plainNumber(number), uncertainty: isKept(number) ? undefined : 'NUMBER_NOT_EXACT' };
  }
  if (value === null) return { text: '', uncertainty: undefined };
  if (Array.isArray(value)) {
    const isExact = value.every((element) => isKept(numberIn(element) ?? '0'));
    const elements = value.filter((element) => element !== null).map(listElement);
    return { text: listCell(elements), uncertainty: isExact ? 'LIST' : 'NUMBER_NOT_EXACT' };
  }
  return { text: String(value), uncertainty: typeof value === 'boolean' ? 'BOOLEAN' : undefined };
}

/** Whether every program that handled the number could keep it: most read doubles (RFC 8259, section 6). */
function isKept(number: string): boolean {
  const plain = plainNumber(number);
  return /^-?\d+$/.test(plain) ? Number.isSafeInteger(Number(plain)) : isExactNumber(number);
}

function listElement(element: unknown): string {
  const number = numberIn(element);
  if (number !== undefined) return plainNumber(number);
  if (typeof element !== 'object') return String(element);
  return JSON.stringify(element, (_, value: unknown) => numberIn(value) ?? value);
}

/** The keys of the first objects, in order of appearance. */
export function keysOf(objects: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(objects.flatMap(({ values }) => [...values.keys()]));
}

/**
 * A key that none of the first objects has is reported as a stray cell, by name. JSON has no formulas, so what looks
 * damaged is a text.
 */
export function toRow({ number, line, values }: JsonObject, keys: ReadonlySet<string>): RawRow {
  const cells: string[] = [];
  const notes: CellNote[] = [];
  for (const key of keys) {
    const { text = '', uncertainty } = values.get(key) ?? {};
    const column = cells.push(text) - 1;
    if (uncertainty !== undefined) notes.push({ code: 'VALUE_UNCERTAIN', column, reason: uncertainty });
    else if (isDamageText(text)) notes.push({ code: 'IS_TEXT', column });
  }
  for (const [key, { text }] of values) if (text !== '' && !keys.has(key)) cells.push(key);
  return notes.length > 0 ? { number, line, cells, notes } : { number, line, cells };
}
