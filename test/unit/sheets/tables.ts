import {
  openTable,
  type Row,
  type Table,
  TableError,
  type TableOptions,
  type TableProblem,
  type TableSource,
} from '../../../sheets/src/index.js';

/** Splits bytes into chunks, as a file stream does. */
export async function* inChunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export interface ReadTable extends Table {
  readonly allRows: readonly Row[];
}

export async function read(source: TableSource | Uint8Array, options?: TableOptions): Promise<ReadTable> {
  const table = await openTable(source instanceof Uint8Array ? inChunks(source, 65_536) : source, options);
  const allRows: Row[] = [];
  for await (const row of table.rows) allRows.push(row);
  return Object.assign(table, { allRows });
}

export async function cells(source: TableSource | Uint8Array, options?: TableOptions): Promise<string[][]> {
  const { allRows } = await read(source, options);
  return allRows.map((row) => [...row.cells]);
}

export async function problem(
  source: TableSource | Uint8Array,
  options?: TableOptions,
): Promise<TableProblem | 'none'> {
  try {
    await read(source, options);
    return 'none';
  } catch (error) {
    if (error instanceof TableError) return error.problem;
    throw error;
  }
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
export const latin1 = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'latin1'));
export const utf16le = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le'));
export const utf16be = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'utf16le').swap16());
export const joined = (...parts: (Uint8Array | readonly number[])[]): Uint8Array =>
  new Uint8Array(Buffer.concat(parts.map((part) => Uint8Array.from(part))));
