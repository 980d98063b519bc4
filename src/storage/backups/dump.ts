import pg from 'pg';
import type { Database, Executor } from '../database.js';
import { backedUpTables, sequences } from './tables.js';

interface Column {
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

/** Columns of a table that are dumped as something else. */
type Replacements = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * What is not in a backup, which others can read than those who can read the database. The public part of a signing key
 * is enough to verify the tokens that are in use. A restored service signs with a key of its own.
 */
export const withoutPrivateKeys: Replacements = {
  signing_keys: { private_jwk: `private_jwk - 'd'`, secret: 'NULL', secret_key_id: 'NULL' },
};

/**
 * The rows of a table in COPY's text format, in batches. Pages that are added after the snapshot contain nothing that it
 * can see.
 */
export async function* dumpTable(
  tx: Executor,
  table: StoredTable,
  replacements: Replacements = {},
): AsyncGenerator<Buffer[]> {
  const replaced = replacements[table.name] ?? {};
  const list = table.columns.map(({ name }) => replaced[name] ?? quoted(name)).join();
  for await (const { from, to } of batchesOf(tx, table)) {
    const lines = await copyOut(
      tx,
      `SELECT ${list} FROM ONLY ${quoted(table.name)} WHERE ctid >= '${from}' AND ctid < '${to}'`,
    );
    if (lines.length > 0) yield lines;
  }
}

/** Places of rows: the first of a batch, and the one after its last. */
interface RowRange {
  readonly from: string;
  readonly to: string;
}

async function* batchesOf(tx: Executor, table: StoredTable): AsyncGenerator<RowRange> {
  const { rows } = await tx.query<{ pages: number; longValueBytes: number }>(
    `SELECT (pg_relation_size(oid) / current_setting('block_size')::integer)::integer AS pages,
            (pg_table_size(oid) - pg_relation_size(oid))::float8 AS "longValueBytes"
     FROM pg_class WHERE oid = to_regclass($1)`,
    [table.name],
  );
  const { pages = 0, longValueBytes = 0 } = rows[0] ?? {};
  if (longValueBytes > batchBytes) yield* batchesBySize(tx, table, pages);
  else yield* batchesOfPages(pages);
}

const pagesPerBatch = batchBytes / 8192;

function* batchesOfPages(pages: number): Generator<RowRange> {
  for (let page = 0; page < pages; page += pagesPerBatch)
    yield { from: `(${page},0)`, to: `(${page + pagesPerBatch},0)` };
}

/** Long values are stored elsewhere, and one page can refer to hundreds of megabytes of them. */
async function* batchesBySize(
  tx: Executor,
  { name, columns }: StoredTable,
  pages: number,
): AsyncGenerator<RowRange> {
  const size = columns.map((column) => `coalesce(pg_column_size(${quoted(column.name)}), 0)`).join(' + ');
  let from = '(0,0)';
  let batched = 0;
  for (const range of batchesOfPages(pages)) {
    const { rows } = await tx.query<{ at: string; bytes: number }>(
      `SELECT ctid::text AS at, ${size} AS bytes FROM ONLY ${quoted(name)}
       WHERE ctid >= '${range.from}' AND ctid < '${range.to}' ORDER BY ctid`,
    );
    for (const { at, bytes } of rows) {
      if (batched + bytes > batchBytes && batched > 0) {
        yield { from, to: at };
        from = at;
        batched = 0;
      }
      batched += bytes;
    }
  }
  yield { from, to: `(${pages},0)` };
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

export interface Snapshot {
  readonly tx: Executor;
  /** Can be called again. */
  close(): Promise<void>;
}

/** A reader that stops reading for this long, such as a stalled download, must not hold back the server's vacuum. */
const idleMax = '10min';

/**
 * Opens a read-only snapshot that lasts until it is closed. Values are written as text in the same way by every
 * database: without the settings of its server or role.
 */
export async function openSnapshot({ pool }: Database): Promise<Snapshot> {
  const client = await pool.connect();
  let isClosed = false;
  const close = async () => {
    if (isClosed) return;
    isClosed = true;
    const broken = await client.query('ROLLBACK').then(
      () => undefined,
      (error: Error) => error,
    );
    client.release(broken);
  };
  try {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    await client.query(
      `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = '${idleMax}'; ${textSettings}`,
    );
    return { tx: client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** What the text of a value depends on, and in what order a table is read. */
export const textSettings = `SET LOCAL synchronize_seqscans = off; SET LOCAL TimeZone = 'UTC'; SET LOCAL DateStyle = 'ISO, YMD'; SET LOCAL IntervalStyle = 'postgres';
  SET LOCAL extra_float_digits = 1; SET LOCAL bytea_output = 'hex'`;

export interface TableDigest {
  readonly table: string;
  readonly rows: number;
  /** Of all rows, whatever their order: the XOR of a hash of each. Rows of a table differ, so none cancel out. */
  readonly digest: string;
}

/** Reads every row. Two databases whose text settings are the same give the same digests for the same rows. */
export async function tableDigests(tx: Executor, tables: readonly StoredTable[]): Promise<TableDigest[]> {
  const digests: TableDigest[] = [];
  for (const { name, columns } of tables) {
    const row = `ROW(${columns.map((column) => quoted(column.name)).join()})::text`;
    const { rows } = await tx.query<{ rows: number; digest: string }>(
      `SELECT count(*)::float8 AS rows,
              coalesce(bit_xor(('x' || left(encode(sha256(convert_to(${row}, 'UTF8')), 'hex'), 16))::bit(64)::bigint), 0)::text AS digest
       FROM ONLY ${quoted(name)}`,
    );
    digests.push({ table: name, ...(rows[0] as { rows: number; digest: string }) });
  }
  return digests;
}

/** A `COPY … TO STDOUT`. A subclass of the driver's own query, because others are refused on pipelined connections. */
class CopyOut extends pg.Query {
  readonly lines: Buffer[] = [];

  /** Called by the driver, whose types omit it. One message is one row; its bytes are only valid during the call. */
  handleCopyData({ chunk }: { chunk: Buffer }): void {
    this.lines.push(Buffer.from(chunk));
  }
}

/** Returns the rows in COPY's text format, each with its line end. The caller limits how many there can be. */
function copyOut(executor: Executor, select: string): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const query = new CopyOut(`COPY (${select}) TO STDOUT`, (error: Error | undefined) =>
      error ? reject(error) : resolve(query.lines),
    );
    Promise.resolve(executor.query(query)).catch(reject);
  });
}
