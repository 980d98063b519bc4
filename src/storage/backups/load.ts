import type { Executor } from '../database.js';
import { firstSerial } from '../indexing/index-state.js';
import { textArray } from '../sql.js';
import { quoted, type SequenceState, type StoredTable } from './dump.js';

/** Deletes what migrations have inserted, because a backup contains those rows as well. */
export async function emptyTables(tx: Executor, tables: readonly StoredTable[]): Promise<void> {
  for (const { name } of tables.toReversed()) await tx.query(`DELETE FROM ONLY ${quoted(name)}`);
}

/** All of them at once, because they refer to each other, and what a backup leaves out refers to them. */
export async function truncateTables(tx: Executor, tables: readonly StoredTable[]): Promise<void> {
  await tx.query(`TRUNCATE ${tables.map(({ name }) => quoted(name)).join()} CASCADE`);
}

export async function countRows(executor: Executor, { name }: StoredTable): Promise<number> {
  const { rows } = await executor.query<{ count: number }>(
    `SELECT count(*)::float8 AS count FROM ONLY ${quoted(name)}`,
  );
  return rows[0]?.count ?? 0;
}

/** A row does not fit its table. Has no message of the database, which would quote values. */
export class RowRejected extends Error {
  override readonly name = 'RowRejected';
}

/** Invalid values, violated constraints, and numbers that are too large. */
const rejectedState = /^(?:22|23|42)...$/;

/** Inserts rows in COPY's text format. `COPY … FROM STDIN` would be faster, but the embedded database has no such thing. */
export function loadRows(tx: Executor, table: StoredTable, lines: readonly string[]): Promise<void> {
  const columns = table.columns.map(({ name }) => quoted(name)).join();
  return withValues(
    tx,
    table,
    lines,
    (values, from) => `INSERT INTO ${quoted(table.name)} (${columns}) SELECT ${values} FROM ${from}`,
  );
}

/** Checks that every value of the rows has the type of its column, without inserting them. */
export function checkRows(tx: Executor, table: StoredTable, lines: readonly string[]): Promise<void> {
  return withValues(tx, table, lines, (values, from) => `SELECT count(ROW(${values})) FROM ${from}`);
}

/** Runs a statement over the values of rows, converted to the types of their columns. */
async function withValues(
  tx: Executor,
  { columns }: StoredTable,
  lines: readonly string[],
  statement: (values: string, from: string) => string,
): Promise<void> {
  const values: (string | null)[][] = columns.map(() => []);
  for (const line of lines) {
    const row = copyLineValues(line, columns.length);
    if (row.length !== columns.length) throw new RowRejected();
    for (let i = 0; i < row.length; i++) values[i]?.push(row[i] as string | null);
  }
  const parameters = columns.map((_, i) => `$${i + 1}::text[]`).join();
  const inputs = columns.map((_, i) => `c${i}`).join();
  const converted = columns.map(({ type }, i) => `c${i}::${type}`).join();
  const run = tx.query(
    statement(converted, `unnest(${parameters}) AS loaded (${inputs})`),
    values.map(textArray),
  );
  await run.catch((error: Error & { code?: string }) => {
    throw rejectedState.test(error.code ?? '') ? new RowRejected() : error;
  });
}

export async function setSequences(
  tx: Executor,
  states: Readonly<Record<string, SequenceState>>,
): Promise<void> {
  for (const [name, { lastValue, isCalled }] of Object.entries(states))
    await tx.query('SELECT setval($1::regclass, $2::bigint, $3)', [quoted(name), lastValue, isCalled]);
}

/**
 * What was stopped since must not go on: nobody is signed in, and calls that may have run since wait until someone takes
 * them over.
 */
export async function holdWhatMayHaveEnded(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM sessions');
  await tx.query(
    `WITH held AS (UPDATE planned_calls SET needs_takeover = true WHERE due_at <= now() RETURNING call_id)
     UPDATE calls SET claimed_until = NULL, state = CASE WHEN succeeded + failed = 0 THEN 'planned' ELSE 'interrupted' END
     FROM held WHERE id = call_id AND state IN ('running', 'interrupted')`,
  );
}

/** When each migration was first applied matters: some things wait until an upgrade is over. */
export async function setMigrationTimes(
  tx: Executor,
  migrations: readonly { readonly name: string; readonly appliedAt: string }[],
): Promise<void> {
  await tx.query(
    `UPDATE schema_migrations SET applied_at = given.at
     FROM unnest($1::text[], $2::timestamptz[]) AS given (name, at) WHERE given.name = schema_migrations.name`,
    [migrations.map(({ name }) => name), migrations.map(({ appliedAt }) => appliedAt)],
  );
}

/** The tables for lists and searches are not in a backup: the indexer fills them, in the order of this database. */
export async function startIndexAnew(tx: Executor): Promise<void> {
  await tx.query(
    `UPDATE index_state SET built_to = $1, attributes_position = position, name_collation_version = NULL,
       users_total = 0, users_active = 0`,
    [firstSerial],
  );
}

/** Whether the database contains any table of ours. */
export async function hasOurTables(executor: Executor, names: readonly string[]): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NOT NULL) AS found',
    [names],
  );
  return rows[0]?.found === true;
}

const escapes: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** The values of a line in COPY's text format, as PostgreSQL writes it; one more than expected if there are more. */
export function copyLineValues(line: string, expected: number): (string | null)[] {
  const values = line.split('\t', expected + 1);
  return line.includes('\\') ? values.map(unescaped) : values;
}

function unescaped(value: string): string | null {
  if (value === '\\N') return null;
  return value.replace(/\\(.)/gs, (_, character: string) => escapes[character] ?? character);
}
