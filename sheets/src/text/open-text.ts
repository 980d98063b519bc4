import { peek } from '../bytes.js';
import { createJsonScanner, type JsonObject, keysOf, toRow } from '../json-rows.js';
import { type Lookalike, TableError } from '../problems.js';
import type { RawRow } from '../row.js';
import { type CsvLimits, createCsvScanner, type Separator } from './csv-scanner.js';
import { guessSeparator } from './separator.js';

/** How much of a text is examined to detect its format. */
const sampleCharacters = 65_536;

export interface TextOptions extends CsvLimits {
  readonly format: 'csv' | 'json' | undefined;
  readonly separator: Separator | undefined;
}

export interface OpenedText {
  readonly format: 'csv' | 'json';
  readonly separator: Separator | undefined;
  readonly batches: AsyncGenerator<RawRow[]>;
}

export async function openText(texts: AsyncGenerator<string>, options: TextOptions): Promise<OpenedText> {
  const { head, isWhole, all, release } = await peek(texts, sampleCharacters);
  const sample = head.join('');
  const lookalike = textLookalike(sample);
  if (lookalike !== undefined && options.format === undefined) {
    await release();
    throw new TableError({ code: 'NOT_A_TABLE', seems: lookalike });
  }
  if (options.format === 'json' || (options.format === undefined && isJson(sample))) {
    return { format: 'json', separator: undefined, batches: jsonBatches(all, options) };
  }
  // Excel accepts a first line that declares the separator.
  const told = /^sep=([,;\t|])(?:\r\n|\r|\n|$)/i.exec(sample);
  const separator =
    options.separator ?? (told?.[1] as Separator | undefined) ?? guessSeparator(sample, isWhole);
  return { format: 'csv', separator, batches: csvBatches(all, separator, options, told !== null) };
}

async function* csvBatches(
  texts: AsyncGenerator<string>,
  separator: Separator,
  limits: CsvLimits,
  skipsFirst: boolean,
): AsyncGenerator<RawRow[]> {
  const scanner = createCsvScanner(separator, limits);
  const wanted = (rows: RawRow[]): RawRow[] => (skipsFirst ? rows.filter(({ number }) => number > 1) : rows);
  for await (const text of withLines(texts, scanner)) yield wanted(scanner.push(text));
  yield wanted(scanner.end());
}

/** The keys of the first objects become the headings, as a row with number 0. */
async function* jsonBatches(texts: AsyncGenerator<string>, limits: CsvLimits): AsyncGenerator<RawRow[]> {
  const scanner = createJsonScanner(limits.rowCharactersMax);
  let keys: ReadonlySet<string> | undefined;
  let waiting: JsonObject[] = [];
  let characters = 0;
  function rowsOfWaiting(): RawRow[] {
    const known = keys ?? keysOf(waiting);
    if (known.size > limits.columnsMax) {
      throw new TableError({ code: 'TOO_MANY_COLUMNS', line: scanner.line(), max: limits.columnsMax });
    }
    const rows = waiting.map((object) => toRow(object, known));
    if (keys === undefined) rows.unshift({ number: 0, line: 0, cells: [...known] });
    keys = known;
    waiting = [];
    return rows;
  }
  for await (const text of withLines(texts, scanner)) {
    waiting.push(...scanner.push(text));
    characters += text.length;
    if (characters >= sampleCharacters) yield rowsOfWaiting();
  }
  scanner.end();
  yield rowsOfWaiting();
}

/** Invalid bytes are in the line that is being read. */
async function* withLines(
  texts: AsyncGenerator<string>,
  scanner: { line(): number },
): AsyncGenerator<string> {
  try {
    yield* texts;
  } catch (error) {
    if (error instanceof TableError && error.problem.code === 'ENCODING_BROKEN') {
      throw new TableError({ ...error.problem, line: scanner.line() });
    }
    throw error;
  }
}

/** Reports named .xls or .csv are sometimes web pages or XML. */
function textLookalike(text: string): Lookalike | undefined {
  const beginning = text.trimStart().slice(0, 100).toLowerCase();
  if (/^<(?:!doctype html|html|head|body|table|meta|style)\b/.test(beginning)) return 'html';
  return beginning.startsWith('<?xml') ? 'xml' : undefined;
}

/** A heading in brackets isn't JSON: an array must contain objects, and an object must have a key. */
function isJson(text: string): boolean {
  return /^\s*(?:\[\s*(?:\{|\]\s*$)|\{\s*["}])/.test(text);
}
