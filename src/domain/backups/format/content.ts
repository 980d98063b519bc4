import type { SequenceState } from '../../../storage/backups/dump.js';
import type { BackedUpTable } from '../../../storage/backups/tables.js';
import { damaged } from './header.js';

/** What precedes the rows of a table: one line of JSON. */
export interface TableStart {
  readonly table: string;
  readonly columns: readonly string[];
}

/** The last line: one line of JSON. */
export interface ContentEnd {
  /** How many rows each table has. */
  readonly rows: Readonly<Record<string, number>>;
  readonly sequences: Readonly<Record<string, SequenceState>>;
}

/** Ends the rows of a table, as in PostgreSQL's own files: no row begins like this. */
const tableEnd = '\\.\n';
const tableEndInside = `\n${tableEnd}`;

export function writeTableStart(start: TableStart): Buffer {
  return Buffer.from(`${JSON.stringify(start)}\n`);
}

export const writtenTableEnd = Buffer.from(tableEnd);

export function writeContentEnd(end: ContentEnd): Buffer {
  return Buffer.from(`${JSON.stringify(end)}\n`);
}

export type ContentPart =
  | { readonly kind: 'table'; readonly start: TableStart }
  /** Whole lines. */
  | { readonly kind: 'rows'; readonly bytes: Buffer; readonly count: number }
  | { readonly kind: 'end'; readonly end: ContentEnd };

/**
 * How long a line can be. A small file can decompress to a line that takes all memory, so it is refused before it is
 * complete. Only the outcomes of a bulk call, which are one row per transaction, can be longer than some kilobytes.
 */
const lineMaxBytes = { json: 1024 * 1024, row: 16 * 1024 * 1024, outcomes: 128 * 1024 * 1024 };
const outcomeTables: readonly string[] = ['call_items', 'call_parts'] satisfies BackedUpTable[];

function lineLimit(table: string | undefined): number {
  if (table === undefined) return lineMaxBytes.json;
  return outcomeTables.includes(table) ? lineMaxBytes.outcomes : lineMaxBytes.row;
}

/** More than there are, and as many as PostgreSQL allows. */
const tablesMax = 1_000;
const columnsMax = 1_600;

/** Reads the content back, and checks that each table has as many rows as the last line says. */
export async function* readContent(blocks: AsyncIterable<Buffer>): AsyncGenerator<ContentPart> {
  const rows: Record<string, number> = {};
  let rest: Buffer = Buffer.alloc(0);
  let table: string | undefined;
  let end: ContentEnd | undefined;
  for await (const block of wholeLines(blocks, () => lineLimit(table))) {
    rest = rest.length === 0 ? block : Buffer.concat([rest, block]);
    for (let isStuck = false; !isStuck; ) {
      const part = table === undefined ? nextLine(rest) : nextRows(rest);
      rest = rest.subarray(part.length);
      isStuck = part.length === 0;
      if (part.rows && table !== undefined) {
        const count = lineEnds(part.rows);
        rows[table] = (rows[table] ?? 0) + count;
        if (count > 0) yield { kind: 'rows', bytes: part.rows, count };
        if (part.isTableEnd) table = undefined;
      } else if (part.line) {
        if (end) throw damaged('something follows its last line');
        const line = parsedLine(part.line);
        if ('table' in line) {
          if (Object.hasOwn(rows, line.table)) throw damaged('a table occurs twice');
          if (Object.keys(rows).length === tablesMax) throw damaged('it has too many tables');
          table = line.table;
          rows[table] = 0;
          yield { kind: 'table', start: line };
        } else end = line;
      }
    }
  }
  if (!end || table !== undefined || rest.length > 0) throw damaged('its last line is missing');
  if (!isSame(rows, end.rows)) throw damaged('the number of rows is wrong');
  yield { kind: 'end', end };
}

/** Joins blocks until one of them ends a line, so that a long line is not searched again with each block. */
async function* wholeLines(blocks: AsyncIterable<Buffer>, lineMax: () => number): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const block of blocks) {
    parts.push(block);
    length += block.length;
    const end = block.indexOf(0x0a);
    if (length - (end < 0 ? 0 : block.length - end) > lineMax()) throw damaged('a line is too long');
    if (end < 0) continue;
    yield joined(parts);
    parts = [];
    length = 0;
  }
  if (length > 0) yield joined(parts);
}

function joined(parts: readonly Buffer[]): Buffer {
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

interface Taken {
  /** How many bytes it takes from the buffer; 0 if more are needed. */
  readonly length: number;
  readonly line?: Buffer;
  readonly rows?: Buffer;
  readonly isTableEnd?: boolean;
}

function nextLine(buffer: Buffer): Taken {
  const end = buffer.indexOf(0x0a);
  return end < 0 ? { length: 0 } : { length: end + 1, line: buffer.subarray(0, end) };
}

function nextRows(buffer: Buffer): Taken {
  if (buffer.subarray(0, tableEnd.length).equals(writtenTableEnd))
    return { length: tableEnd.length, rows: buffer.subarray(0, 0), isTableEnd: true };
  const end = buffer.indexOf(tableEndInside);
  if (end >= 0)
    return { length: end + tableEndInside.length, rows: buffer.subarray(0, end + 1), isTableEnd: true };
  // The end of the table may have been cut in two, so its possible beginning stays.
  const last = buffer.lastIndexOf(0x0a, -tableEnd.length);
  return last < 0 ? { length: 0 } : { length: last + 1, rows: buffer.subarray(0, last + 1) };
}

function lineEnds(bytes: Buffer): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}

function parsedLine(line: Buffer): TableStart | ContentEnd {
  try {
    const value = JSON.parse(line.toString()) as TableStart | ContentEnd;
    if ('table' in value ? isTableStart(value) : isContentEnd(value)) return value;
  } catch {
    // reported below
  }
  throw damaged('a line cannot be read');
}

function isTableStart({ table, columns }: TableStart): boolean {
  return (
    typeof table === 'string' &&
    Array.isArray(columns) &&
    columns.length > 0 &&
    columns.length <= columnsMax &&
    columns.every((column) => typeof column === 'string' && column !== '') &&
    isDistinct(columns)
  );
}

function isDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

function isContentEnd({ rows, sequences }: ContentEnd): boolean {
  return (
    Object.values(rows).every(Number.isInteger) &&
    Object.values(sequences).every(
      ({ lastValue, isCalled }) => /^\d{1,18}$/.test(lastValue) && typeof isCalled === 'boolean',
    )
  );
}

function isSame(counted: Readonly<Record<string, number>>, expected: ContentEnd['rows']): boolean {
  const names = Object.keys(expected);
  return (
    names.length === Object.keys(counted).length && names.every((name) => counted[name] === expected[name])
  );
}
