import type { Executor } from '../database.js';
import { copyOut } from './copy-out.js';
import { backedUpTables, sequences } from './tables.js';

export interface Column {
  readonly name: string;
  /** As in a CREATE TABLE. */
  readonly type: string;
}

export interface StoredTable {
  readonly name: string;
  readonly columns: readonly Column[];
}

/** The tables of a backup that exist, with the columns that can be written. An earlier schema has fewer. */
export async function storedTables(executor: Executor): Promise<StoredTable[]> {
  const { rows } = await executor.query<StoredTable>(
    `SELECT relname AS name,
            json_agg(json_build_object('name', attname, 'type', format_type(atttypid, atttypmod)) ORDER BY attnum) AS columns
     FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
     WHERE pg_class.oid IN (SELECT to_regclass(name) FROM unnest($1::text[]) AS name)
       AND attnum > 0 AND NOT attisdropped AND attgenerated = ''
     GROUP BY relname ORDER BY array_position($1::text[], relname::text)`,
    [backedUpTables],
  );
  return rows;
}

/** About how much one statement reads. While it runs on the embedded database, nothing else does. */
const batchBytes = 2 * 1024 * 1024;

/**
 * The rows of a table in COPY's text format, in batches of pages. Pages that are added after the snapshot contain
 * nothing that it can see.
 */
export async function* dumpTable(tx: Executor, { name, columns }: StoredTable): AsyncGenerator<Buffer[]> {
  const { rows } = await tx.query<{ pages: number; bytes: number }>(
    `SELECT (pg_relation_size(oid) / current_setting('block_size')::integer)::integer AS pages,
            pg_table_size(oid)::float8 AS bytes
     FROM pg_class WHERE oid = to_regclass($1)`,
    [name],
  );
  const { pages = 0, bytes = 0 } = rows[0] ?? {};
  // Long values are stored elsewhere, and a page refers to many of them.
  const step = Math.max(1, Math.floor((batchBytes / Math.max(bytes, 1)) * pages));
  const list = columns.map((column) => quoted(column.name)).join();
  for (let page = 0; page < pages; page += step) {
    const lines = await copyOut(
      tx,
      `SELECT ${list} FROM ONLY ${quoted(name)} WHERE ctid >= '(${page},0)' AND ctid < '(${page + step},0)'`,
    );
    if (lines.length > 0) yield lines;
  }
}

export function quoted(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}

export interface SequenceState {
  readonly lastValue: string;
  readonly isCalled: boolean;
}

/** Sequences are not part of a snapshot: read after it was opened, they are at least as far as its rows. */
export async function readSequences(executor: Executor): Promise<Record<string, SequenceState>> {
  const states: Record<string, SequenceState> = {};
  for (const name of sequences) {
    const { rows: found } = await executor.query('SELECT WHERE to_regclass($1) IS NOT NULL', [name]);
    if (found.length === 0) continue;
    const { rows } = await executor.query<SequenceState>(
      `SELECT last_value::text AS "lastValue", is_called AS "isCalled" FROM ${quoted(name)}`,
    );
    states[name] = rows[0] as SequenceState;
  }
  return states;
}
