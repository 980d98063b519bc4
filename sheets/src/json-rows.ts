import { isErrorText } from './error-texts.js';
import { listCell } from './lists.js';
import { plainNumber } from './plain-number.js';
import { TableError } from './problems.js';
import type { RawRow } from './row.js';

export interface JsonObject {
  readonly number: number;
  readonly line: number;
  /** Texts by key; those of nested objects by the keys joined with a dot. */
  readonly values: ReadonlyMap<string, string>;
}

export interface JsonScanner {
  push(text: string): JsonObject[];
  end(): void;
  line(): number;
}

/**
 * Reads objects one after the other, whether they are the elements of one array or stand by themselves: only the text
 * of one object is held at a time.
 */
export function createJsonScanner(objectCharactersMax: number): JsonScanner {
  let text = '';
  let line = 1;
  let number = 1;
  /** Where the search goes on, and how deep in the object it is; 0 between objects. */
  let at = 0;
  let depth = 0;
  let began = 0;
  let insideText = false;
  let inArray: 'not yet' | 'inside' | 'ended' = 'not yet';
  /** In an array, whether a comma or an object has to come next. */
  let expects: 'object' | 'comma' = 'object';

  /** Line ends are counted up to here. */
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

/** Numbers are made texts before they are parsed: a parsed one has no more than 15 exact digits. */
function valuesOf(json: string): ReadonlyMap<string, string> | undefined {
  const withTexts = json.replace(/"(?:[^"\\]|\\.)*"|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
    token.startsWith('"') ? token : `"${plainNumber(token)}"`,
  );
  const values = new Map<string, string>();
  try {
    collect(JSON.parse(withTexts), '', values);
  } catch {
    return undefined;
  }
  return values;
}

function collect(object: Readonly<Record<string, unknown>>, path: string, values: Map<string, string>): void {
  for (const [key, value] of Object.entries(object)) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      collect(value as Readonly<Record<string, unknown>>, `${path}${key}.`, values);
    } else values.set(path + key, cellText(value));
  }
}

function cellText(value: unknown): string {
  if (value === null) return '';
  if (Array.isArray(value)) return listCell(value.map(listElement));
  return String(value);
}

function listElement(element: unknown): string {
  return typeof element === 'object' ? JSON.stringify(element) : String(element);
}

/** The keys of the first objects, in the order in which they come. */
export function keysOf(objects: readonly JsonObject[]): ReadonlySet<string> {
  return new Set(objects.flatMap(({ values }) => [...values.keys()]));
}

/**
 * A key that none of the first objects has is told as a stray cell, by its name. There are no formulas in JSON: what
 * reads like the error of one is a text.
 */
export function toRow({ number, line, values }: JsonObject, keys: ReadonlySet<string>): RawRow {
  const cells = Array.from(keys, (key) => values.get(key) ?? '');
  for (const [key, text] of values) if (text !== '' && !keys.has(key)) cells.push(key);
  const notErrors = cells.flatMap((cell, column) => (isErrorText(cell) ? [column] : []));
  return notErrors.length > 0 ? { number, line, cells, notErrors } : { number, line, cells };
}
