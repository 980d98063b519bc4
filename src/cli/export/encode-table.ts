import type { Schemas } from '#client';
import { type CsvCell, csvLine, listCell, type Separator, toXlsx } from '#sheets';
import { type Column, columnWidths } from './columns.js';
import type { Format } from './format.js';

type User = Schemas['User'];
type Pages = AsyncIterable<readonly User[]>;

export interface TableShape {
  readonly format: Format;
  readonly columns: readonly Column[];
  readonly separator: Separator;
  readonly bom: boolean;
  readonly raw: boolean;
}

/** Streams the bytes of the table as pages arrive. */
export function encodeTable(pages: Pages, shape: TableShape): AsyncIterable<Uint8Array> {
  const { format, columns } = shape;
  if (format === 'xlsx') return toXlsx(rows(pages, columns), { columnWidths: columnWidths(columns) });
  return format === 'csv' ? csv(pages, shape) : ndjson(pages, columns);
}

async function* csv(pages: Pages, shape: TableShape): AsyncGenerator<Uint8Array> {
  const { columns, separator, bom, raw } = shape;
  // Text that looks like a formula error is text: the service stores it as such.
  const options = { separator, allTexts: true, raw };
  yield Buffer.from((bom ? '\uFEFF' : '') + csvLine(columns, options));
  for await (const users of pages) {
    yield Buffer.from(users.map((user) => csvLine(cells(user, columns), options)).join(''));
  }
}

async function* ndjson(pages: Pages, columns: readonly Column[]): AsyncGenerator<Uint8Array> {
  for await (const users of pages) yield Buffer.from(users.map((user) => jsonLine(user, columns)).join(''));
}

function jsonLine(user: User, columns: readonly Column[]): string {
  return `${JSON.stringify(Object.fromEntries(columns.map((column) => [column, user[column]])))}\n`;
}

async function* rows(pages: Pages, columns: readonly Column[]): AsyncGenerator<readonly CsvCell[]> {
  yield columns;
  for await (const users of pages) for (const user of users) yield cells(user, columns);
}

function cells(user: User, columns: readonly Column[]): CsvCell[] {
  return columns.map((column) => (column === 'tagSerials' ? listCell(user.tagSerials) : user[column]));
}
