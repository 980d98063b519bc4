import {
  type FileRow,
  inManagerOrder,
  notFreed,
  type Row,
  type SyncOutcome,
  type SyncRow,
  type Table,
} from '#sheets';
import { prefetch } from '../../prefetch.js';
import { throwIfStopped } from '../../stop.js';
import { deferredChunk } from '../journal/journal.js';
import { type ApplyOptions, applyRows } from './apply-rows.js';
import { type Chunk, chunksOf } from './chunks.js';
import { deactivateMissing } from './deactivate-missing.js';
import { type Users, usersOf } from './lookup.js';
import type { SyncContext } from './sync-context.js';

/** No more rows than this are kept for a retry at the end. With that many, order is not what makes them fail. */
const retriesMax = 50_000;
/** Minimum size of a retry chunk: two rows that swap something have to be in one call. */
const retryChunkMin = 500;

/**
 * Applies the rows in file order, each chunk as updates and then creates; then rows whose employee ID has been freed
 * meanwhile; then once more the rows that found a name taken; and finally deactivates missing users.
 */
export async function execute(run: SyncContext, table: Table, read: (row: Row) => FileRow): Promise<void> {
  const deferred: Deferred = { renameRounds: new Map(), retries: [], failed: new Set(run.resumed?.failed) };
  let done = 0;
  for await (const chunk of prefetch(chunksOf(run, table, read))) {
    await runChunk(run, deferred, chunk);
    done += chunk.count;
    run.progress.at(done);
  }

  for (let round = 1; round <= run.survey.renames.rounds; round++) {
    await inChunks(run.rowsPerChunk, deferred.renameRounds.get(round) ?? [], (some, at) =>
      runRenameRound(run, deferred, deferredChunk.rename(round, at), some),
    );
  }
  const retryChunk = Math.max(run.rowsPerChunk, retryChunkMin);
  const retries = inManagerOrder(
    deferred.retries,
    ({ employeeID }) => employeeID,
    ({ fields }) => fields.managerEmployeeID ?? '',
  );
  await inChunks(retryChunk, retries, (some, at) => runRetry(run, deferred, deferredChunk.retry(at), some));
  if (run.missing) await deactivateMissing(run, run.missing);
}

interface Deferred {
  /** Rows that wait for others, by round. */
  readonly renameRounds: Map<number, SyncRow[]>;
  readonly retries: SyncRow[];
  /** Rows that others wait for and that have failed, or wait for approval themselves. */
  readonly failed: Set<number>;
}

async function runChunk(run: SyncContext, deferred: Deferred, chunk: Chunk): Promise<void> {
  const { roundOf } = run.survey.renames;
  for (const row of chunk.deferred) defer(deferred, roundOf.get(row.row) ?? 0, row);
  for (const { row } of chunk.invalid) noteFailed(run, deferred, row);
  if (chunk.isDone) restoreDeferred(run, deferred, chunk.now);
  else await applyAndRecord(run, deferred, chunk.name, chunk.now, chunk.invalid, { users: chunk.users });
}

/** Brings back the rows of a finished chunk that still have to be retried. */
function restoreDeferred(run: SyncContext, deferred: Deferred, rows: readonly SyncRow[]): void {
  const open = rows.filter(({ row }) => run.resumed?.retries.has(row));
  deferred.retries.push(...open);
  for (const { row } of open) noteFailed(run, deferred, row);
}

function defer({ renameRounds }: Deferred, round: number, row: SyncRow): void {
  const rows = renameRounds.get(round);
  if (rows) rows.push(row);
  else renameRounds.set(round, [row]);
}

async function runRenameRound(
  run: SyncContext,
  deferred: Deferred,
  chunk: string,
  rows: readonly SyncRow[],
): Promise<void> {
  const { resumed, survey } = run;
  if (resumed?.chunks.has(chunk)) {
    restoreDeferred(run, deferred, rows);
    return;
  }
  const { waitsFor } = survey.renames;
  const isBlocked = ({ row }: SyncRow) => deferred.failed.has(waitsFor.get(row) ?? 0);
  const blocked = rows.filter(isBlocked).map((row) => notFreed(row, waitsFor.get(row.row) ?? 0));
  const free = rows.filter((row) => !isBlocked(row));
  await applyAndRecord(run, deferred, chunk, free, blocked);
}

async function runRetry(
  run: SyncContext,
  deferred: Deferred,
  chunk: string,
  rows: readonly SyncRow[],
): Promise<void> {
  await applyAndRecord(run, deferred, chunk, rows, [], { isLast: true, mode: 'finalState' });
}

/** Applies the rows of a chunk and writes their outcomes to the journal. */
async function applyAndRecord(
  run: SyncContext,
  deferred: Deferred,
  chunk: string,
  rows: readonly SyncRow[],
  already: readonly SyncOutcome[],
  { users, ...options }: ApplyOptions & { readonly users?: Users } = {},
): Promise<void> {
  const { context, tally } = run;
  throwIfStopped(context.signal);
  const isLast = options.isLast === true || deferred.retries.length >= retriesMax;
  const known = users ?? (await usersOf(context, rows));
  const { outcomes, retry } = await applyRows(context, chunk, rows, known, { ...options, isLast });
  // A retried row may free an ID that others wait for, but only after they have run: to them it failed.
  deferred.retries.push(...(options.isLast ? [] : retry));
  const all = [...already, ...outcomes].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  for (const { row, kind } of all) {
    if (kind === 'failed' || kind === 'planned') noteFailed(run, deferred, row);
  }
  for (const { row } of retry) noteFailed(run, deferred, row);
  context.journal.done(
    chunk,
    all,
    retry.map(({ row }) => row),
  );
  tally.add(all);
}

function noteFailed({ survey }: SyncContext, { failed }: Deferred, row: number | null): void {
  if (row !== null && survey.renames.awaited.has(row)) failed.add(row);
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
