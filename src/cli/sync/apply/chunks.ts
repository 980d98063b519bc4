import type { FileRow, Row, SyncOutcome, SyncRow, Table } from '#sheets';
import { type Users, usersOf } from './lookup.js';
import type { SyncContext } from './sync-context.js';

/** A chunk of the file's rows, sorted by what happens to them. */
export interface Chunk {
  readonly name: string;
  readonly count: number;
  /** Applied before an interruption. Only its deferred rows are still needed. */
  readonly isDone: boolean;
  readonly invalid: readonly SyncOutcome[];
  readonly deferred: readonly SyncRow[];
  readonly now: readonly SyncRow[];
  readonly users: Users;
}

/**
 * Reads rows and looks up their users one chunk ahead of what is sent. The lookup is still valid by then: rows that touch
 * the same employee ID are either deferred or contradict each other.
 */
export async function* chunksOf(
  run: SyncContext,
  { rows }: Table,
  read: (row: Row) => FileRow,
): AsyncGenerator<Chunk> {
  let number = 0;
  let some: FileRow[] = [];
  for await (const row of rows) {
    some.push(read(row));
    if (some.length < run.rowsPerChunk) continue;
    yield prepareChunk(run, `file-${number++}`, some);
    some = [];
  }
  if (some.length > 0) yield prepareChunk(run, `file-${number}`, some);
}

async function prepareChunk(
  { survey, resumed, context }: SyncContext,
  name: string,
  rows: readonly FileRow[],
): Promise<Chunk> {
  const isDone = resumed?.chunks.has(name) === true;
  const invalid: SyncOutcome[] = [];
  const deferred: SyncRow[] = [];
  const now: SyncRow[] = [];
  for (const each of rows) {
    const problem = survey.contradictions.get(each.row) ?? each.problem;
    if (problem || !('sync' in each)) invalid.push(invalidRow(each, problem));
    else if (survey.renames.roundOf.has(each.row)) deferred.push(each.sync);
    else now.push(each.sync);
  }
  const users = isDone ? new Map() : await usersOf(context, now);
  return { name, count: rows.length, isDone, invalid, deferred, now, users };
}

function invalidRow({ row, employeeID }: FileRow, problem: SyncOutcome['problem']): SyncOutcome {
  return { row, employeeID: employeeID ?? null, kind: 'failed', problem };
}
