import { randomUUID } from 'node:crypto';
import {
  dumpTable,
  openSnapshot,
  readSequences,
  type StoredTable,
  storedTables,
  type TableDigest,
  tableDigests,
  textSettings,
} from '../../storage/backups/dump.js';
import {
  countRows,
  emptyTables,
  hasOurTables,
  loadRows,
  RowRejected,
  setMigrationTimes,
  setSequences,
  startIndexAnew,
  truncateTables,
} from '../../storage/backups/load.js';
import { backedUpTables, leftOutTables } from '../../storage/backups/tables.js';
import { analyze, type Database, type Executor, transaction } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import {
  isUnfinishedMove,
  lockUnfinishedMove,
  markUnfinishedMove,
  unmarkUnfinishedMove,
} from '../../storage/installation.js';
import { appliedMigrations, runPending } from '../../storage/migrate.js';
import { notEmpty } from './fill-database.js';

export interface MoveOptions {
  /** Called at the start, with how many rows there are and how many of them an interrupted move has copied. */
  readonly onStart?: (rows: { readonly total: number; readonly copied: number }) => void;
  /** Called if the rows of an interrupted move can't be used, because the source has changed since. */
  readonly onStartOver?: () => void;
  /** Called as rows are written, with how many more there are. */
  readonly onRows?: (count: number) => void;
  /** Called when all rows are written and are compared with the source next. */
  readonly onComparing?: () => void;
}

/** One attempt. Only the latest may write to its target. */
interface Move {
  readonly source: Database;
  readonly target: Database;
  readonly tables: readonly StoredTable[];
  write<T>(work: (tx: Executor) => Promise<T>): Promise<T>;
}

/**
 * Copies everything into an empty database, or into one that an interrupted move has left. Batches are committed one by
 * one, in the order of the source, so the rows that are there say where to continue. No service starts on the target
 * until every row of it was compared with the source as it is by then. Returns how many rows each table has.
 */
export async function moveData(
  source: Database,
  target: Database,
  options: MoveOptions = {},
): Promise<readonly TableDigest[]> {
  const move = await beginMove(source, target);
  const copied = await countAll(target, move.tables);
  options.onStart?.({ total: await countAll(source, move.tables), copied });
  const resumed = copied > 0 ? await tryToComplete(move, options) : 'differs';
  if (resumed !== 'differs') return resumed;
  if (copied > 0) {
    options.onStartOver?.();
    await move.write((tx) => truncateTables(tx, move.tables));
  }
  const completed = await tryToComplete(move, options);
  if (completed === 'differs') throw changedMeanwhile(source);
  return completed;
}

/** Migrates the target, and marks it with a new ID. */
async function beginMove(source: Database, target: Database): Promise<Move> {
  const id = randomUUID();
  const tables = await transaction(target, async (tx) => {
    await tx.query('SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0');
    const isResumed = await mayContinueIn(target, tx);
    if (!isResumed && (await hasOurTables(tx, [...backedUpTables, ...leftOutTables]))) throw notEmpty(target);
    if (isResumed) await unmarkUnfinishedMove(tx);
    await runPending(tx);
    await markUnfinishedMove(tx, id);
    const stored = await storedTables(tx);
    if (!isResumed) await emptyTables(tx, stored);
    return stored;
  });
  const write = <T>(work: (tx: Executor) => Promise<T>) =>
    transaction(target, async (tx) => {
      await tx.query(
        `SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0; ${textSettings}`,
      );
      await lockUnfinishedMove(tx, id);
      return work(tx);
    });
  return { source, target, tables, write };
}

/** An embedded database is moved to in a directory of its own, so whatever is in it was moved. */
async function mayContinueIn({ kind }: Database, tx: Executor): Promise<boolean> {
  return (await isUnfinishedMove(tx)) || (kind === 'embedded' && (await hasOurTables(tx, backedUpTables)));
}

async function tryToComplete(
  move: Move,
  { onRows, onComparing }: MoveOptions,
): Promise<readonly TableDigest[] | 'differs'> {
  try {
    await copyMissing(move, onRows);
  } catch (error) {
    if (error instanceof RowRejected) return 'differs'; // such as a row that refers to one of a table copied before
    throw error;
  }
  onComparing?.();
  return compareAndFinish(move);
}

async function copyMissing(move: Move, onRows: MoveOptions['onRows']): Promise<void> {
  const { source, target, tables } = move;
  await inSnapshot(source, async (from) => {
    for (const table of tables) {
      const copied = await inSnapshot(target, (tx) => countRows(tx, table));
      if (copied > 0 && copied === (await countRows(from, table))) continue;
      await copyTable(from, move, table, copied, onRows);
    }
  });
}

/** Copies the rows of a table except for the first ones. */
async function copyTable(
  from: Executor,
  { write }: Move,
  table: StoredTable,
  skipped: number,
  onRows: MoveOptions['onRows'],
): Promise<void> {
  let at = 0;
  for await (const lines of dumpTable(from, table)) {
    const missing = lines.slice(Math.max(0, skipped - at));
    at += lines.length;
    if (missing.length === 0) continue;
    await write((tx) => loadRows(tx, table, missing.map(withoutLineEnd)));
    onRows?.(missing.length);
  }
}

function withoutLineEnd(line: Buffer): string {
  return line.toString('utf8', 0, line.length - 1);
}

/** The source is read last, so that nothing is missed that changes meanwhile. */
async function compareAndFinish({
  source,
  target,
  tables,
  write,
}: Move): Promise<readonly TableDigest[] | 'differs'> {
  const result = await write(async (tx) => {
    const copied = await tableDigests(tx, tables);
    const wanted = await inSnapshot(source, (from) => tableDigests(from, tables));
    if (differences(wanted, copied).length > 0) return 'differs';
    await setSequences(tx, await readSequences(source.pool));
    await setMigrationTimes(tx, await appliedMigrations(source.pool));
    await startIndexAnew(tx);
    await unmarkUnfinishedMove(tx);
    return copied;
  });
  // A database without statistics works, too, and gets them sooner or later.
  if (result !== 'differs') await analyze(target.pool).catch(() => {});
  return result;
}

async function countAll(database: Database, tables: readonly StoredTable[]): Promise<number> {
  return inSnapshot(database, async (tx) => {
    let rows = 0;
    for (const table of tables) rows += await countRows(tx, table);
    return rows;
  });
}

async function inSnapshot<T>(database: Database, read: (tx: Executor) => Promise<T>): Promise<T> {
  const snapshot = await openSnapshot(database);
  try {
    return await read(snapshot.tx);
  } finally {
    await snapshot.close();
  }
}

/** The tables whose rows are not the same. */
export function differences(one: readonly TableDigest[], other: readonly TableDigest[]): string[] {
  return one
    .filter((each, i) => each.digest !== other[i]?.digest || each.rows !== other[i]?.rows)
    .map(({ table }) => table);
}

function changedMeanwhile({ description }: Database): StartupError {
  return new StartupError(
    `The source changed while it was copied. Stop every service that uses ${description}, and run the command again.`,
  );
}
