import { pageLimitMax } from '../contract/limits.js';
import { host } from './host.js';
import { err, out } from './terminal/style.js';
import { table } from './terminal/table.js';
import { sanitize } from './terminal/text-width.js';

export interface JsonOption {
  readonly json?: boolean | undefined;
}

/** Data goes to stdout, messages to stderr, so that output can be piped. */
export function print(text: string): void {
  host().stdout.write(`${text}\n`);
}

export function printMessage(text: string): void {
  host().stderr.write(`${text}\n`);
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** Prints one record, as JSON or as lines of names and values. */
export function printRecord<T extends object>(
  record: T,
  { json }: JsonOption,
  shown: (record: T) => readonly (readonly [name: string, value: string])[],
): void {
  if (json) {
    printJson(record);
    return;
  }
  const lines = shown(record);
  const width = Math.max(...lines.map(([name]) => name.length));
  for (const [name, value] of lines) print(`${out.dim(name.padEnd(width))}  ${sanitize(value)}`.trimEnd());
}

export interface ListShape<T> {
  readonly headings: readonly string[];
  readonly row: (item: T) => readonly string[];
  /** Printed if there are no entries; says what to do. */
  readonly empty: string;
  /** How much of the list is printed: "50 of 1,204 users". */
  readonly summary?: (printed: Printed) => string;
}

export interface ListOptions extends JsonOption {
  readonly limit?: number | undefined;
  readonly all?: boolean | undefined;
}

export const listLimitDefault = 50;

/** One more than is shown, to know whether there are more; at most what the service allows. */
export function pageLimit({ all, limit = listLimitDefault }: ListOptions): number {
  return all ? pageLimitMax : Math.min(limit + 1, pageLimitMax);
}

/** Prints a list, as a JSON array with one element per line or as a table. */
export async function printList<T>(
  items: AsyncIterable<T>,
  { json, all, limit = listLimitDefault }: ListOptions,
  shape: ListShape<T>,
): Promise<void> {
  const max = all ? Number.POSITIVE_INFINITY : limit;
  const list = json ? await printArray(items, max) : await printTable(items, max, shape);
  const summary = shape.summary?.(list);
  if (list.isMore) {
    const shown = summary ?? `Showing the first ${list.printed}`;
    printMessage(err.dim(`${shown}. For more, use --limit ${2 * limit} or --all.`));
  } else if (summary !== undefined && !json && list.printed > 0) {
    printMessage(err.dim(`${summary}.`));
  }
}

export interface Printed {
  readonly printed: number;
  readonly isMore: boolean;
}

async function printArray<T>(items: AsyncIterable<T>, max: number): Promise<Printed> {
  let printed = 0;
  let isMore = false;
  for await (const item of items) {
    isMore = printed === max;
    if (isMore) break;
    host().stdout.write(`${printed === 0 ? '[' : ','}\n${JSON.stringify(item)}`);
    printed++;
  }
  print(printed === 0 ? '[]' : '\n]');
  return { printed, isMore };
}

/** Columns line up within this many rows, so that a long list still streams. */
const rowsPerTable = 1_000;

async function printTable<T>(items: AsyncIterable<T>, max: number, shape: ListShape<T>): Promise<Printed> {
  let rows: (readonly string[])[] = [];
  let printed = 0;
  let isMore = false;
  const flush = () => {
    const text = table([shape.headings, ...rows]);
    if (rows.length > 0) print(printed > rows.length ? text.slice(text.indexOf('\n') + 1) : text);
    rows = [];
  };
  for await (const item of items) {
    isMore = printed === max;
    if (isMore) break;
    rows.push(shape.row(item));
    printed++;
    if (rows.length === rowsPerTable) flush();
  }
  flush();
  if (printed === 0) printMessage(shape.empty);
  return { printed, isMore };
}
