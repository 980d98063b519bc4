import type { Row } from '../row.js';
import { type ApplyOptions, applyRows } from './apply-rows.js';
import { notFreed } from './calls.js';
import { type Chunk, chunksOf, inChunks, usersOf } from './chunks.js';
import { FreedNames } from './freed-names.js';
import { type ChunkOutcomes, deferredChunk } from './journal.js';
import { inManagerOrder } from './manager-order.js';
import { deactivateMissing } from './missing-users.js';
import type { SyncOutcome } from './outcomes.js';
import type { FileRow, SyncRow } from './rows.js';
import type { KnownUsers, SyncRun } from './sync-run.js';

/** No more rows than this are kept for a retry at the end. With that many, order is not what makes them fail. */
const retriesMax = 50_000;
/** Minimum size of a retry chunk: two rows that swap something have to be in one call. */
const retryChunkMin = 500;

/**
 * Applies the rows in file order, each chunk as updates and then creates; then rows whose employee ID has been freed
 * meanwhile; then once more the rows that found a name taken; and finally deactivates missing users.
 * Continues after a chunk once its outcomes have been taken.
 */
export async function* applyFile(
  run: SyncRun,
  rows: AsyncIterable<Row>,
  read: (row: Row) => FileRow,
): AsyncGenerator<ChunkOutcomes> {
  const { rowsPerChunk, survey, resumed, missing } = run;
  const deferred: Deferred = {
    ...{ renameRounds: new Map(), retries: [], failed: new Set(resumed?.failed) },
    freed: new FreedNames(),
  };
  let done = 0;
  for await (const chunk of chunksOf(run, rows, read)) {
    const applied = await runChunk(run, deferred, chunk);
    if (applied) yield applied;
    done += chunk.count;
    run.onProgress(done);
  }
  for (let round = 1; round <= survey.renames.rounds; round++) {
    for (const [at, some] of inChunks(deferred.renameRounds.get(round) ?? [], rowsPerChunk)) {
      const applied = await runRenameRound(run, deferred, deferredChunk.rename(round, at), some);
      if (applied) yield applied;
    }
  }
  const retries = inManagerOrder(
    deferred.retries,
    ({ employeeID }) => employeeID,
    ({ fields }) => fields.managerEmployeeID ?? '',
  );
  for (const [at, some] of inChunks(retries, Math.max(rowsPerChunk, retryChunkMin))) {
    yield await apply(run, deferred, { chunk: deferredChunk.retry(at), rows: some, isRetry: true });
  }
  if (missing) yield* deactivateMissing(run, missing);
}

interface Deferred extends Pick<ApplyOptions, 'freed'> {
  /** Rows that wait for others, by round. */
  readonly renameRounds: Map<number, SyncRow[]>;
  readonly retries: SyncRow[];
  /** Rows that others wait for and that have failed, or wait for approval themselves. */
  readonly failed: Set<number>;
}

/** undefined if an interrupted run has applied the chunk. */
async function runChunk(
  run: SyncRun,
  deferred: Deferred,
  { name, isDone, invalid, settled, now, users, ...chunk }: Chunk,
): Promise<ChunkOutcomes | undefined> {
  const { roundOf } = run.survey.renames;
  for (const row of chunk.deferred) defer(deferred, roundOf.get(row.row) ?? 0, row);
  for (const { row } of invalid) noteFailed(run, deferred, row);
  if (!isDone)
    return apply(run, deferred, { chunk: name, rows: now, users, already: [...invalid, ...settled] });
  restoreDeferred(run, deferred, now);
  return undefined;
}

/** Brings back the rows of a finished chunk that still have to be retried. */
function restoreDeferred(run: SyncRun, deferred: Deferred, rows: readonly SyncRow[]): void {
  const open = rows.filter(({ row }) => run.resumed?.retries.has(row));
  deferred.retries.push(...open);
  for (const { row } of open) noteFailed(run, deferred, row);
}

function defer({ renameRounds }: Deferred, round: number, row: SyncRow): void {
  const rows = renameRounds.get(round);
  if (rows) rows.push(row);
  else renameRounds.set(round, [row]);
}

/** undefined if an interrupted run has applied the chunk. */
async function runRenameRound(
  run: SyncRun,
  deferred: Deferred,
  chunk: string,
  rows: readonly SyncRow[],
): Promise<ChunkOutcomes | undefined> {
  const { resumed, survey } = run;
  if (resumed?.chunks.has(chunk)) {
    restoreDeferred(run, deferred, rows);
    return undefined;
  }
  const { waitsFor } = survey.renames;
  const isBlocked = ({ row }: SyncRow) => deferred.failed.has(waitsFor.get(row) ?? 0);
  const blocked = rows.filter(isBlocked).map((row) => notFreed(row, waitsFor.get(row.row) ?? 0));
  const free = rows.filter((row) => !isBlocked(row));
  return apply(run, deferred, { chunk, rows: free, already: blocked });
}

interface ChunkToApply {
  readonly chunk: string;
  readonly rows: readonly SyncRow[];
  /** If they have been looked up. */
  readonly users?: KnownUsers;
  /** Outcomes of rows that cannot be applied. */
  readonly already?: readonly SyncOutcome[];
  readonly isRetry?: boolean;
}

async function apply(
  run: SyncRun,
  deferred: Deferred,
  { chunk, rows, users, already = [], isRetry = false }: ChunkToApply,
): Promise<ChunkOutcomes> {
  run.checkpoint();
  const { outcomes, retry } = await applyRows(run, chunk, rows, users ?? (await usersOf(run.target, rows)), {
    isLast: isRetry || deferred.retries.length >= retriesMax,
    mode: isRetry ? 'finalState' : 'oneByOne',
    freed: deferred.freed,
  });
  deferred.retries.push(...retry);
  const all = [...already, ...outcomes].sort((a, b) => (a.row ?? 0) - (b.row ?? 0));
  for (const { row, kind } of all) {
    if (kind === 'failed' || kind === 'planned') noteFailed(run, deferred, row);
  }
  // A retried row may free an ID that others wait for, but only after they have run: to them it failed.
  for (const { row } of retry) noteFailed(run, deferred, row);
  return { chunk, outcomes: all, retries: retry.map(({ row }) => row) };
}

function noteFailed({ survey }: SyncRun, { failed }: Deferred, row: number | null): void {
  if (row !== null && survey.renames.awaited.has(row)) failed.add(row);
}
