import { appliedMigrations } from '../../storage/applied-migrations.js';
import { type TableDigest, tableDigests } from '../../storage/backups/digests.js';
import { dumpTable, readSequences, type StoredTable, storedTables } from '../../storage/backups/dump.js';
import {
  countRows,
  emptyTables,
  emptyWithReferring,
  hasOurTables,
  loadRows,
  RowRejected,
  setMigrationTimes,
  setSequences,
  startIndexAnew,
} from '../../storage/backups/load.js';
import { openSnapshot, textSettings } from '../../storage/backups/snapshot.js';
import { backedUpTables, leftOutTables } from '../../storage/backups/tables.js';
import { analyze, type Database, type Executor, transaction } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { runPending } from '../../storage/migrate.js';
import { isUnfinishedMove, markUnfinishedMove, unmarkUnfinishedMove } from '../../storage/unfinished-move.js';
import { notEmpty } from './fill-database.js';

export interface MoveOptions {
  /** Called at the start, with how many rows there are and how many of them an interrupted move has copied. */
  readonly onStart?: (rows: { readonly total: number; readonly copied: number }) => void;
  /** Called as rows are written, with how many more there are. */
  readonly onRows?: (count: number) => void;
  /** Called when all rows are written and are compared with the source next. */
  readonly onComparing?: () => void;
}

/**
 * Copies everything into an empty database, or into one that an interrupted move has left. Batches are committed one by
 * one, in the order of the source, so the rows that are there say where to continue. No service starts on the target
 * until every row of it was compared with the source as it is by then. Returns how many rows each table has.
 */
export async function moveData(
  source: Database,
  target: Database,
  { onStart, onRows, onComparing }: MoveOptions = {},
): Promise<readonly TableDigest[]> {
  const tables = await prepareTarget(target);
  const existing = await rowsIn(target, tables);
  onStart?.({ total: await rowsIn(source, tables), copied: existing });
  for (let mayRepeat = existing > 0; ; mayRepeat = false) {
    await copyMissing(source, target, tables, onRows);
    onComparing?.();
    const [wanted, copied] = [await digestsOf(source, tables), await digestsOf(target, tables)];
    const differing = differences(wanted, copied);
    if (differing.length === 0) {
      await finish(source, target);
      return copied;
    }
    if (!mayRepeat) throw changedMeanwhile(source);
    // The source has changed since the interruption.
    await transaction(target, (tx) => emptyWithReferring(tx, differing));
  }
}

/** The schema without rows, or what an interrupted move has left. */
async function prepareTarget(target: Database): Promise<StoredTable[]> {
  return transaction(target, async (tx) => {
    const isResumed = await mayContinueIn(target, tx);
    if (!isResumed && (await hasOurTables(tx, [...backedUpTables, ...leftOutTables]))) throw notEmpty(target);
    await markUnfinishedMove(tx);
    await runPending(tx);
    const tables = await storedTables(tx);
    if (!isResumed) await emptyTables(tx, tables);
    return tables;
  });
}

/** An embedded database is moved to in a directory of its own, so whatever is in it was moved. */
async function mayContinueIn({ kind }: Database, tx: Executor): Promise<boolean> {
  return (await isUnfinishedMove(tx)) || (kind === 'embedded' && (await hasOurTables(tx, backedUpTables)));
}

async function rowsIn({ pool }: Database, tables: readonly StoredTable[]): Promise<number> {
  let rows = 0;
  for (const table of tables) rows += await countRows(pool, table);
  return rows;
}

async function copyMissing(
  source: Database,
  target: Database,
  tables: readonly StoredTable[],
  onRows: MoveOptions['onRows'],
): Promise<void> {
  const snapshot = await openSnapshot(source);
  try {
    for (const table of tables) {
      const copied = await countRows(target.pool, table);
      if (copied > 0 && copied === (await countRows(snapshot.tx, table))) continue;
      await copyTable(snapshot.tx, target, table, copied, onRows);
    }
  } finally {
    await snapshot.close();
  }
}

/** Copies the rows of a table except for the first ones. If these turn out to be others, it copies all of them. */
async function copyTable(
  from: Executor,
  target: Database,
  table: StoredTable,
  skipped: number,
  onRows: MoveOptions['onRows'],
): Promise<void> {
  let at = 0;
  try {
    for await (const lines of dumpTable(from, table)) {
      const missing = lines.slice(Math.max(0, skipped - at));
      at += lines.length;
      if (missing.length === 0) continue;
      await inTextSettings(target, (tx) => loadRows(tx, table, missing.map(withoutLineEnd)));
      onRows?.(missing.length);
    }
  } catch (error) {
    if (skipped === 0 || !(error instanceof RowRejected)) throw error;
    await transaction(target, (tx) => emptyWithReferring(tx, [table.name]));
    await copyTable(from, target, table, 0, onRows);
  }
}

function withoutLineEnd(line: Buffer): string {
  return line.toString('utf8', 0, line.length - 1);
}

async function digestsOf(database: Database, tables: readonly StoredTable[]): Promise<TableDigest[]> {
  const snapshot = await openSnapshot(database);
  try {
    return await tableDigests(snapshot.tx, tables);
  } finally {
    await snapshot.close();
  }
}

async function finish(source: Database, target: Database): Promise<void> {
  const migrations = await appliedMigrations(source.pool);
  const sequences = await readSequences(source.pool);
  await inTextSettings(target, async (tx) => {
    await setSequences(tx, sequences);
    await setMigrationTimes(tx, migrations);
    await startIndexAnew(tx);
    await unmarkUnfinishedMove(tx);
  });
  await analyze(target.pool);
}

function inTextSettings<T>(database: Database, work: (tx: Executor) => Promise<T>): Promise<T> {
  return transaction(database, async (tx) => {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = 0; ${textSettings}`);
    return work(tx);
  });
}

/** The tables whose rows are not the same. */
export function differences(one: readonly TableDigest[], other: readonly TableDigest[]): string[] {
  return one
    .filter((each, i) => each.digest !== other[i]?.digest || each.rows !== other[i]?.rows)
    .map(({ table }) => table);
}

function changedMeanwhile({ description }: Database): StartupError {
  return new StartupError(
    `The source changed while it was copied. Stop every service that uses ${description}, and run the command again: it copies what has changed.`,
  );
}
