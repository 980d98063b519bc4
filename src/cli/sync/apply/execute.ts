import type { Row, Table } from '#sheets';
import { oneAhead } from '../../one-ahead.js';
import { stopIfAsked } from '../../stop.js';
import type { SyncRow } from '../decide.js';
import type { FileRow } from '../file/rows.js';
import type { Outcome } from '../outcome.js';
import { type ApplyOptions, applyRows } from './apply-rows.js';
import { type Chunk, chunksOf } from './chunks.js';
import { deactivateMissing } from './deactivate-missing.js';
import { type Users, usersOf } from './lookup.js';
import type { SyncContext } from './sync-context.js';

/** More rows than this are not kept for another attempt at the end; what is in their way is no matter of order then. */
const againMax = 50_000;
/** So many of them go together at least: two that swap something have to be in one call. */
const againTogether = 500;

/**
 * The right order: the rows as the file has them, each chunk as updates and then creates; then rows whose employee ID was
 * freed meanwhile; then, once more, rows that found a name taken; and who is missing at last.
 */
export async function execute(run: SyncContext, table: Table, read: (row: Row) => FileRow): Promise<void> {
  const later: Later = { turns: new Map(), again: [], failed: new Set(run.soFar?.failed) };
  let done = 0;
  for await (const chunk of oneAhead(chunksOf(run, table, read))) {
    await runChunk(run, later, chunk);
    done += chunk.count;
    run.progress.at(done);
  }

  for (let turn = 1; turn <= run.survey.turns.last; turn++) {
    await inChunks(run.rowsPerChunk, later.turns.get(turn) ?? [], (some, at) =>
      runTurn(run, later, `turn-${turn}-${at}`, some),
    );
  }
  const together = Math.max(run.rowsPerChunk, againTogether);
  await inChunks(together, later.again, (some, at) => runAgain(run, later, `again-${at}`, some));
  if (run.missing) await deactivateMissing(run, run.missing);
}

interface Later {
  /** Rows that wait for others, by their turn. */
  readonly turns: Map<number, SyncRow[]>;
  readonly again: SyncRow[];
  /** Rows that failed, among those that others wait for. */
  readonly failed: Set<number>;
}

async function runChunk(run: SyncContext, later: Later, chunk: Chunk): Promise<void> {
  const { turnOf } = run.survey.turns;
  for (const row of chunk.putOff) putOff(later, turnOf.get(row.row) ?? 0, row);
  for (const { row } of chunk.wrong) noteFailed(run, later, row);
  if (!chunk.isDone) await settle(run, later, chunk.name, chunk.now, chunk.wrong, { users: chunk.users });
  else remember(run, later, chunk.now);
}

/** What is still open of rows that were gone through before an interruption. */
function remember(run: SyncContext, later: Later, rows: readonly SyncRow[]): void {
  const open = rows.filter(({ row }) => run.soFar?.again.has(row));
  later.again.push(...open);
  for (const { row } of open) noteFailed(run, later, row);
}

function putOff({ turns }: Later, turn: number, row: SyncRow): void {
  const rows = turns.get(turn);
  if (rows) rows.push(row);
  else turns.set(turn, [row]);
}

async function runTurn(
  run: SyncContext,
  later: Later,
  chunk: string,
  rows: readonly SyncRow[],
): Promise<void> {
  const { soFar, survey } = run;
  if (soFar?.chunks.has(chunk)) {
    remember(run, later, rows);
    return;
  }
  const { waitsFor } = survey.turns;
  const isStuck = ({ row }: SyncRow) => later.failed.has(waitsFor.get(row) ?? 0);
  const stuck = rows.filter(isStuck).map((row) => notFreed(row, waitsFor.get(row.row) ?? 0));
  const free = rows.filter((row) => !isStuck(row));
  await settle(run, later, chunk, free, stuck);
}

function notFreed({ row, employeeID }: SyncRow, freeing: number): Outcome {
  const detail = `Row ${freeing} was to give up "${employeeID}" first, and failed. Mend that row.`;
  return { row, employeeID, kind: 'failed', problem: { code: 'RENAME_FIRST', detail } };
}

async function runAgain(
  run: SyncContext,
  later: Later,
  chunk: string,
  rows: readonly SyncRow[],
): Promise<void> {
  await settle(run, later, chunk, rows, [], { isLast: true, mode: 'finalState' });
}

/** Does what a chunk is about, and sees its outcomes into the journal. */
async function settle(
  run: SyncContext,
  later: Later,
  chunk: string,
  rows: readonly SyncRow[],
  already: readonly Outcome[],
  { users, ...options }: ApplyOptions & { readonly users?: Users } = {},
): Promise<void> {
  const { context, tally } = run;
  stopIfAsked(context.signal);
  const isLast = options.isLast === true || later.again.length >= againMax;
  const known = users ?? (await usersOf(context, rows));
  const { outcomes, again } = await applyRows(context, chunk, rows, known, { ...options, isLast });
  // A row that found a name taken may free what others wait for, but later than they come: they wait in vain.
  later.again.push(...(options.isLast ? [] : again));
  const all = [...already, ...outcomes].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  for (const { row, kind } of all) if (kind === 'failed') noteFailed(run, later, row);
  for (const { row } of again) noteFailed(run, later, row);
  context.journal.done(
    chunk,
    all,
    again.map(({ row }) => row),
  );
  tally.add(all);
}

function noteFailed({ survey }: SyncContext, { failed }: Later, row: number | null): void {
  if (row !== null && survey.turns.awaited.has(row)) failed.add(row);
}

async function inChunks<T>(
  rowsPerChunk: number,
  rows: readonly T[],
  work: (some: readonly T[], at: number) => Promise<void>,
): Promise<void> {
  for (let at = 0; at < rows.length; at += rowsPerChunk) {
    await work(rows.slice(at, at + rowsPerChunk), at / rowsPerChunk);
  }
}
