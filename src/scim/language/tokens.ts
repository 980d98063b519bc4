/** Where a text stops making sense, counted from 0, and what would make sense there. */
export interface SyntaxProblem {
  readonly position: number;
  readonly expected: string;
}

export type Parsed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: SyntaxProblem };

/** Longer than any filter that fits into a URL. */
export const textMaxLength = 10_240;

export function explainSyntax({ position, expected }: SyntaxProblem): string {
  return `Expected ${expected} at character ${position + 1}.`;
}

/** Reads a whole text. A reader that returns undefined has told the tokens what it expected. */
export function parseText<T>(
  text: string,
  read: (tokens: TokenReader) => T | undefined,
  end = 'the end',
): Parsed<T> {
  if (text.length > textMaxLength) {
    const expected = `no more than ${textMaxLength} characters`;
    return { ok: false, problem: { position: textMaxLength, expected } };
  }
  const tokens = new TokenReader(text);
  const value = read(tokens);
  const isComplete = value !== undefined && tokens.next.kind === 'end';
  return isComplete ? { ok: true, value } : { ok: false, problem: tokens.problem ?? tokens.problemAt(end) };
}

export type Punctuation = '(' | ')' | '[' | ']' | ',';

interface Token {
  /** `text` is a JSON string, `stray` one that isn't valid or has no end. */
  readonly kind: 'word' | 'text' | 'punctuation' | 'stray' | 'end';
  /** Of a JSON string, its value. */
  readonly text: string;
  readonly position: number;
}

const tokenPattern = /\s*(?:([()[\],])|("[^"\\]*(?:\\.[^"\\]*)*")|([^\s()[\],"]+))/suy;

/** An attribute with its sub-attributes, and optionally with the URN of its schema. */
const attributePattern = /^(?:urn:[\w.:%+/-]+:)?[a-z$][\w$-]*(?:\.[a-z$][\w$-]*)*$/i;
const subAttributePattern = /^\.[a-z$][\w$-]*$/i;

export class TokenReader {
  readonly #tokens: readonly Token[];
  readonly #end: Token;
  #at = 0;
  #problem: SyntaxProblem | undefined;

  constructor(text: string) {
    this.#tokens = tokensOf(text);
    this.#end = { kind: 'end', text: '', position: text.length };
  }

  get next(): Token {
    return this.#tokens[this.#at] ?? this.#end;
  }

  get problem(): SyntaxProblem | undefined {
    return this.#problem;
  }

  /** Undefined, so that readers can return it. Only the first problem counts. */
  fail(expected: string): undefined {
    this.#problem ??= this.problemAt(expected);
  }

  problemAt(expected: string): SyntaxProblem {
    const { kind, position } = this.next;
    return { position, expected: kind === 'stray' ? 'a complete JSON string' : expected };
  }

  take(): Token {
    const token = this.next;
    this.#at++;
    return token;
  }

  takePunctuation(wanted: Punctuation): boolean {
    const isNext = this.next.kind === 'punctuation' && this.next.text === wanted;
    if (isNext) this.#at++;
    return isNext;
  }

  /** Keywords are the same in any case. */
  takeKeyword(keyword: string): boolean {
    const isNext = this.next.kind === 'word' && this.next.text.toLowerCase() === keyword;
    if (isNext) this.#at++;
    return isNext;
  }

  takeAttribute(): string | undefined {
    const { kind, text } = this.next;
    return kind === 'word' && attributePattern.test(text) ? this.take().text : this.fail('an attribute');
  }

  /** What follows a value path, as in `emails[type eq "work"].value`. */
  takeSubAttribute(): string | undefined {
    const { kind, text } = this.next;
    return kind === 'word' && subAttributePattern.test(text) ? this.take().text.slice(1) : undefined;
  }
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  for (let from = 0; from < end; from = tokenPattern.lastIndex) {
    tokenPattern.lastIndex = from;
    const match = tokenPattern.exec(text);
    const token = match ? tokenOf(match) : stray(text, from);
    tokens.push(token);
    if (token.kind === 'stray') break;
  }
  return tokens;
}

/** A quotation mark that has no other one. */
function stray(text: string, from: number): Token {
  return { kind: 'stray', text: '', position: text.indexOf('"', from) };
}

function tokenOf({ 0: all, 1: mark, 2: json, 3: word, index }: RegExpExecArray): Token {
  const text = mark ?? json ?? word ?? '';
  const position = index + all.length - text.length;
  if (mark !== undefined) return { kind: 'punctuation', text, position };
  if (json === undefined) return { kind: 'word', text, position };
  const value = parseString(json);
  return value === undefined ? { kind: 'stray', text, position } : { kind: 'text', text: value, position };
}

function parseString(json: string): string | undefined {
  try {
    return String(JSON.parse(json));
  } catch {
    return undefined; // an escape or a control character that JSON doesn't have
  }
}
