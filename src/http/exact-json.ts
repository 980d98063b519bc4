/**
 * A JSON reader for the documents that JSON.parse would blur: it keeps the digits of every number, knows which fields
 * are given twice, and tells where the text stops being JSON. Some eight times slower than JSON.parse, so it reads only
 * documents that a quick scan found to need it. The caller bounds the nesting.
 */
export class ExactNumber {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

export interface RepeatedField {
  /** The way to the object: field names and array positions. */
  readonly path: readonly (string | number)[];
  readonly field: string;
}

export interface ExactDocument {
  readonly value: unknown;
  readonly repeated: readonly RepeatedField[];
}

export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
  readonly line: number;
  readonly column: number;

  constructor(text: string, position: number) {
    super('not JSON');
    const before = text.slice(0, position).split('\n');
    this.line = before.length;
    this.column = (before.at(-1)?.length ?? 0) + 1;
  }
}

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const word = /true|false|null/y;

export function readExactJson(text: string): ExactDocument {
  const repeated: RepeatedField[] = [];
  const path: (string | number)[] = [];
  let at = 0;

  const match = (token: RegExp): string | undefined => {
    token.lastIndex = at;
    const found = token.exec(text)?.[0];
    at += found?.length ?? 0;
    return found;
  };
  const peek = (): string | undefined => {
    match(blank);
    return text[at];
  };
  const expect = (character: string): void => {
    if (peek() !== character) throw new JsonSyntaxError(text, at);
    at++;
  };
  const readString = (): string => {
    const start = at;
    for (at++; text[at] !== '"'; at++) {
      if (at >= text.length) throw new JsonSyntaxError(text, start);
      if (text[at] === '\\') at++;
    }
    at++;
    try {
      return JSON.parse(text.slice(start, at));
    } catch {
      throw new JsonSyntaxError(text, start); // a bad escape, or a control character
    }
  };

  const readObject = (): Record<string, unknown> => {
    // Without a prototype, so that "__proto__" is a field like any other.
    const object: Record<string, unknown> = Object.create(null);
    expect('{');
    if (peek() === '}') at++;
    else {
      for (;;) {
        if (peek() !== '"') throw new JsonSyntaxError(text, at);
        const field = readString();
        if (Object.hasOwn(object, field)) repeated.push({ path: [...path], field });
        expect(':');
        path.push(field);
        object[field] = readValue();
        path.pop();
        if (peek() !== ',') break;
        at++;
      }
      expect('}');
    }
    return object;
  };

  const readArray = (): unknown[] => {
    const array: unknown[] = [];
    expect('[');
    if (peek() === ']') at++;
    else {
      for (;;) {
        path.push(array.length);
        array.push(readValue());
        path.pop();
        if (peek() !== ',') break;
        at++;
      }
      expect(']');
    }
    return array;
  };

  const readValue = (): unknown => {
    const next = peek();
    if (next === '{') return readObject();
    if (next === '[') return readArray();
    if (next === '"') return readString();
    const literal = match(word);
    if (literal !== undefined) return JSON.parse(literal);
    const source = match(number);
    if (source === undefined || source === '') throw new JsonSyntaxError(text, at);
    return new ExactNumber(source);
  };

  const value = readValue();
  if (peek() !== undefined) throw new JsonSyntaxError(text, at);
  return { value, repeated };
}

/** JSON.stringify for trees that hold exact numbers. */
export function writeExactJson(value: unknown): string {
  if (value instanceof ExactNumber) return value.source;
  if (Array.isArray(value)) return `[${value.map(writeExactJson).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([field, member]) => `${JSON.stringify(field)}:${writeExactJson(member)}`).join(',')}}`;
  }
  return JSON.stringify(value);
}
