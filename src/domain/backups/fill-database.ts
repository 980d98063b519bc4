import { type StoredTable, storedTables, textSettings } from '../../storage/backups/dump.js';
import {
  checkRows,
  emptyTables,
  hasOurTables,
  loadRows,
  RowRejected,
  setMigrationTimes,
  setSequences,
  startIndexAnew,
} from '../../storage/backups/load.js';
import { backedUpTables, leftOutTables, sequences } from '../../storage/backups/tables.js';
import { analyze, type Database, type Executor, transaction } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { type AppliedMigration, migrationNames, runPending } from '../../storage/migrate.js';
import type { ContentEnd, ContentPart } from './format/content.js';
import { damaged, UnusableBackup } from './format/header.js';

export interface Source {
  /** Those of the database that the rows come from. */
  readonly migrations: readonly AppliedMigration[];
  readonly parts: AsyncIterable<ContentPart>;
}

export interface FillOptions {
  /** Called as rows are written, with how many more there are. */
  readonly onRows?: (count: number) => void;
  /** Called at the end, with the current schema. */
  readonly finish?: (tx: Executor) => Promise<void>;
}

/**
 * Fills an empty database, in one transaction: the schema at the time of the backup, its rows, and then the migrations
 * since. If anything fails, the database is as empty as before.
 */
export async function fillDatabase(
  database: Database,
  source: Source,
  options: FillOptions = {},
): Promise<void> {
  const level = schemaLevel(source.migrations);
  await transaction(database, async (tx) => {
    await tx.query(`SET LOCAL idle_in_transaction_session_timeout = 0; ${textSettings}`);
    if (await hasOurTables(tx, [...backedUpTables, ...leftOutTables])) throw notEmpty(database);
    await runPending(tx, level);
    const tables = await storedTables(tx);
    await emptyTables(tx, tables);
    await read(tx, tables, source.parts, loadRows, options.onRows);
    await runPending(tx);
    await setMigrationTimes(tx, source.migrations);
    await startIndexAnew(tx);
    await options.finish?.(tx);
  });
  await analyze(database.pool);
}

/** Reads the rows as a restore would, but keeps none of them. The database is only needed to know the schema. */
export function tryRows(
  scratch: Database,
  source: Source,
  onRows: (count: number) => void,
): Promise<ContentEnd> {
  const level = schemaLevel(source.migrations);
  return transaction(scratch, async (tx) => {
    await tx.query(textSettings);
    await runPending(tx, level);
    return read(tx, await storedTables(tx), source.parts, checkRows, onRows);
  });
}

/** The version of the last migration. Throws if this Rollcall does not know all of them. */
export function schemaLevel(migrations: readonly AppliedMigration[]): number {
  const unknown = migrations.find(({ name }) => !migrationNames.includes(name));
  if (unknown)
    throw new UnusableBackup(
      `The backup was made by a newer Rollcall: this one does not know its migration ${unknown.name}. Use that version, or a newer one.`,
    );
  return Number.parseInt(migrations.at(-1)?.name ?? '0', 10);
}

export function notEmpty({ description }: Pick<Database, 'description'>): StartupError {
  return new StartupError(
    `${description} already contains data of Rollcall, which is never overwritten. Name an empty database or another directory.`,
  );
}

/** About how much text one statement inserts. */
const batchBytes = 2 * 1024 * 1024;

async function read(
  tx: Executor,
  tables: readonly StoredTable[],
  parts: AsyncIterable<ContentPart>,
  take: typeof loadRows,
  onRows: FillOptions['onRows'],
): Promise<ContentEnd> {
  const found: StoredTable[] = [];
  for await (const part of parts) {
    const table = found.at(-1);
    if (part.kind === 'table') found.push(tableFor(part.start, tables));
    else if (part.kind === 'end') {
      await setSequences(tx, knownSequences(part.end.sequences));
      rejectIncomplete(found, tables);
      return part.end;
    } else if (table) {
      for (const lines of batches(part.bytes)) await take(tx, table, lines).catch(rejected(table));
      onRows?.(part.count);
    }
  }
  throw damaged('its last line is missing');
}

/** A table or column that is missing would be restored as empty. */
function rejectIncomplete(found: readonly StoredTable[], tables: readonly StoredTable[]): void {
  for (const { name, columns } of tables) {
    const table = found.find((each) => each.name === name);
    if (!table) throw damaged(`it lacks the table ${name}`);
    const contained = new Set(table.columns.map((column) => column.name));
    const missing = columns.find((column) => !contained.has(column.name));
    if (missing) throw damaged(`its table ${name} lacks the column ${missing.name}`);
  }
}

function rejected({ name }: StoredTable) {
  return (error: unknown): never => {
    throw error instanceof RowRejected ? damaged(`a row does not fit the table ${name}`) : error;
  };
}

/** The database may have sequences of others. */
function knownSequences<T>(states: Readonly<Record<string, T>>): Readonly<Record<string, T>> {
  const unknown = Object.keys(states).find((name) => !(sequences as readonly string[]).includes(name));
  if (unknown !== undefined) throw damaged(`there is no sequence ${JSON.stringify(unknown)}`);
  return states;
}

/** Names come from a file, so they are looked up before they get into a statement. */
function tableFor(
  { table, columns }: { readonly table: string; readonly columns: readonly string[] },
  tables: readonly StoredTable[],
): StoredTable {
  const known = tables.find(({ name }) => name === table);
  if (!known) throw damaged(`there is no table ${JSON.stringify(table)}`);
  return {
    name: known.name,
    columns: columns.map((name) => {
      const column = known.columns.find((each) => each.name === name);
      if (!column) throw damaged(`${known.name} has no column ${JSON.stringify(name)}`);
      return column;
    }),
  };
}

function* batches(bytes: Buffer): Generator<string[]> {
  for (let start = 0; start < bytes.length; ) {
    const cut = bytes.indexOf(0x0a, Math.min(start + batchBytes, bytes.length - 1));
    yield bytes.toString('utf8', start, cut).split('\n');
    start = cut + 1;
  }
}
