import { concatenated, peek, pieces, type TableSource } from './bytes.js';
import { columnWarnings } from './column-warnings.js';
import { sheetRow, textRow } from './fit-row.js';
import { findHeadingRow, headingRowsExamined } from './heading-row.js';
import { doubledHeadings, type Heading, readHeadings } from './headings.js';
import { seemsToBe } from './kind.js';
import { type Encoding, TableError, type TableWarning } from './problems.js';
import { isBlank, isBlankRow, type RawRow, type Row } from './row.js';
import type { Separator } from './text/csv-scanner.js';
import { decode, type EncodingFound, sniffEncoding } from './text/decode.js';
import { openText } from './text/open-text.js';

export type TableFormat = 'csv' | 'xlsx' | 'json';

export interface TableOptions {
  /** The format of a text. A workbook is always detected by its content. */
  readonly format?: 'csv' | 'json' | undefined;
  readonly encoding?: Encoding | undefined;
  readonly separator?: Separator | undefined;
  /** The name of a sheet of a workbook. */
  readonly sheet?: string | undefined;
  /** The row with the headings, as numbered in the file. Detected if left out. */
  readonly headingRow?: number | undefined;
  readonly rowsMax?: number | undefined;
  readonly rowCharactersMax?: number | undefined;
  readonly columnsMax?: number | undefined;
  readonly inflatedBytesMax?: number | undefined;
}

export interface Table {
  readonly format: TableFormat;
  /** UTF-8 as long as everything is ASCII, which may turn out to be Windows-1252. */
  readonly encoding: Encoding | undefined;
  readonly separator: Separator | undefined;
  readonly sheet: string | undefined;
  readonly sheets: readonly string[];
  /** 0 for JSON, where headings are keys. */
  readonly headingRow: number;
  readonly headings: readonly Heading[];
  /** Complete when the rows have been read. */
  readonly warnings: readonly TableWarning[];
  /** Can be read once. Throws a TableError. */
  readonly rows: AsyncIterable<Row>;
  /** Releases the source if the rows aren't needed. Reading them, even in part, releases it as well. */
  close(): Promise<void>;
}

const defaults = { rowCharactersMax: 1_048_576, columnsMax: 1_000, inflatedBytesMax: 300_000_000 };
/** How many bytes are examined to detect the format. */
const headBytes = 65_536;
const collectedPartBytes = 1_048_576;

/** A detected format, before its headings are read. */
interface Opened {
  readonly format: TableFormat;
  readonly encoding?: EncodingFound;
  readonly separator?: Separator | undefined;
  readonly sheet?: string;
  readonly sheets?: readonly string[];
  readonly batches: AsyncGenerator<RawRow[]>;
}

/** Opens a table and reads up to its first row. Throws a TableError if the source isn't a table. */
export async function openTable(source: TableSource, options: TableOptions = {}): Promise<Table> {
  const warnings: TableWarning[] = [];
  let headingRow = 0;
  const opened = await open(source, options, (warning) =>
    warnings.push(...withoutTitles(warning, headingRow)),
  );
  const { format, encoding, separator, sheet, sheets = [], batches } = opened;
  const heading = await readHeadingRow(batches, format === 'json' ? 0 : options.headingRow);
  headingRow = heading.row.number;
  // Those of a short file are complete before its headings are found.
  warnings.splice(0, warnings.length, ...warnings.flatMap((warning) => withoutTitles(warning, headingRow)));
  const headings = readHeadings(heading.row.cells);
  warnings.push(...doubledHeadings(headings));
  const column = columnWarnings((warning) => warnings.push(warning));
  const check = (row: RawRow): Row => {
    return format === 'xlsx' ? sheetRow(row, headings, column) : textRow(row, headings.length);
  };
  const bounds = { width: headings.length, rowsMax: options.rowsMax ?? Infinity };
  const rows = dataRows(heading.rest, batches, check, bounds);
  const first = await rows.next();
  if (first.done) {
    throw new TableError({ code: 'ONLY_HEADINGS', headings: headings.map(({ name }) => name) });
  }
  return {
    format,
    get encoding() {
      return encoding?.encoding;
    },
    separator,
    sheet,
    sheets,
    headingRow,
    headings,
    warnings,
    rows: eachRow(first.value, rows),
    close: async () => {
      await rows.return(undefined);
    },
  };
}

async function open(
  source: TableSource,
  options: TableOptions,
  warn: (warning: TableWarning) => void,
): Promise<Opened> {
  const limits = { ...defaults, ...defined(options) };
  const text = { ...limits, format: options.format, separator: options.separator };
  if (typeof source === 'string') return openText(pasted(source), text);
  const { head, all, release } = await peek(pieces(source), headBytes);
  const beginning = concatenated(head);
  const kind = seemsToBe(beginning);
  if (kind === 'zip') {
    const file = source instanceof Blob ? source : await collected(all, limits.inflatedBytesMax);
    await release();
    // Loaded when needed: without it, reading a CSV file takes 10 MB less.
    const { openXlsx } = await import('./xlsx/open-xlsx.js');
    return { format: 'xlsx', ...(await openXlsx(file, { ...limits, sheet: options.sheet, warn })) };
  }
  if (kind !== 'text' && options.encoding === undefined) {
    await release();
    throw new TableError({ code: 'NOT_A_TABLE', seems: kind.lookalike });
  }
  const given = options.encoding ?? sniffEncoding(beginning);
  const encoding: EncodingFound = { encoding: given ?? 'utf-8' };
  return { ...(await openText(decode(all, encoding, given), text)), encoding };
}

async function* pasted(text: string): AsyncGenerator<string> {
  yield text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * The directory of a workbook is at its end, so it can't be streamed. A blob of blobs doesn't copy them, so only one
 * part is in memory twice at any time.
 */
async function collected(chunks: AsyncIterable<Uint8Array>, bytesMax: number): Promise<Blob> {
  const parts: Blob[] = [];
  let waiting: Uint8Array<ArrayBuffer>[] = [];
  let waitingBytes = 0;
  let bytes = 0;
  const pack = (): void => {
    parts.push(new Blob(waiting));
    waiting = [];
    waitingBytes = 0;
  };
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > bytesMax) throw new TableError({ code: 'WORKBOOK_TOO_LARGE', max: bytesMax });
    waiting.push(chunk.slice());
    waitingBytes += chunk.length;
    if (waitingBytes >= collectedPartBytes) pack();
  }
  pack();
  return new Blob(parts);
}

async function readHeadingRow(
  batches: AsyncGenerator<RawRow[]>,
  given: number | undefined,
): Promise<{ row: RawRow; rest: RawRow[] }> {
  const rows: RawRow[] = [];
  for (let next = await batches.next(); !next.done; next = await batches.next()) {
    // Rows above a given one are not kept: there may be a million blank ones.
    const from = given === undefined ? 0 : next.value.findIndex((row) => isAtOrBelow(row, given));
    if (from === -1) continue;
    for (const row of next.value.slice(from)) rows.push(row);
    if (given !== undefined || rows.length >= headingRowsExamined) break;
  }
  const at = given === undefined ? findHeadingRow(rows) : 0;
  const row = rows[at];
  if (row === undefined) throw new TableError({ code: 'EMPTY' });
  return { row, rest: rows.slice(at + 1) };
}

function isAtOrBelow({ number, cells }: RawRow, headingRow: number): boolean {
  return number >= headingRow && !isBlank(cells);
}

/** Titles above the headings are often merged across the table, which does no harm. */
function withoutTitles(warning: TableWarning, headingRow: number): TableWarning[] {
  if (warning.code !== 'MERGED_CELLS' || warning.ranges.length < warning.count) return [warning];
  const ranges = warning.ranges.filter((range) => Number(/\d+$/.exec(range)?.[0]) >= headingRow);
  return ranges.length === 0 ? [] : [{ ...warning, ranges, count: ranges.length }];
}

/** In batches, because awaiting each row would take longer than reading it. */
async function* dataRows(
  first: readonly RawRow[],
  batches: AsyncGenerator<RawRow[]>,
  check: (row: RawRow) => Row,
  { width, rowsMax }: { readonly width: number; readonly rowsMax: number },
): AsyncGenerator<Row[]> {
  let count = 0;
  const checked = (rows: readonly RawRow[]): Row[] => {
    const kept = rows.filter((row) => !isBlankRow(row, width)).map(check);
    count += kept.length;
    if (count > rowsMax) throw new TableError({ code: 'TOO_MANY_ROWS', max: rowsMax });
    return kept;
  };
  try {
    const rows = checked(first);
    if (rows.length > 0) yield rows;
    for (let next = await batches.next(); !next.done; next = await batches.next()) {
      const more = checked(next.value);
      if (more.length > 0) yield more;
    }
  } finally {
    await batches.return(undefined);
  }
}

async function* eachRow(first: Row[], batches: AsyncGenerator<Row[]>): AsyncGenerator<Row> {
  try {
    yield* first;
    for (let next = await batches.next(); !next.done; next = await batches.next()) yield* next.value;
  } finally {
    await batches.return(undefined);
  }
}

/** Without undefined values, so that defaults apply. */
function defined<T extends object>(options: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined)) as never;
}
