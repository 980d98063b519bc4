import type { Row, Table } from '#sheets';
import type { SyncRow } from '../decide.js';
import type { FileRow } from '../file/rows.js';
import type { Outcome } from '../outcome.js';
import { type Users, usersOf } from './lookup.js';
import type { SyncContext } from './sync-context.js';

/** Some rows of the file, sorted by what comes of them. */
export interface Chunk {
  readonly name: string;
  readonly count: number;
  /** It was done before an interruption: what it has is only to be remembered. */
  readonly isDone: boolean;
  readonly wrong: readonly Outcome[];
  readonly putOff: readonly SyncRow[];
  readonly now: readonly SyncRow[];
  readonly users: Users;
}

/**
 * Reads the rows and looks up their people, a chunk ahead of what is sent. That finds the same: rows of the file that touch
 * the same employee ID are either put off or contradict each other.
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
    yield prepared(run, `file-${number++}`, some);
    some = [];
  }
  if (some.length > 0) yield prepared(run, `file-${number}`, some);
}

async function prepared(
  { survey, soFar, context }: SyncContext,
  name: string,
  rows: readonly FileRow[],
): Promise<Chunk> {
  const isDone = soFar?.chunks.has(name) === true;
  const wrong: Outcome[] = [];
  const putOff: SyncRow[] = [];
  const now: SyncRow[] = [];
  for (const each of rows) {
    const problem = survey.contradictions.get(each.row) ?? each.problem;
    if (problem || !('sync' in each)) wrong.push(wrongRow(each, problem));
    else if (survey.turns.turnOf.has(each.row)) putOff.push(each.sync);
    else now.push(each.sync);
  }
  const users = isDone ? new Map() : await usersOf(context, now);
  return { name, count: rows.length, isDone, wrong, putOff, now, users };
}

function wrongRow({ row, employeeID }: FileRow, problem: Outcome['problem']): Outcome {
  return { row, employeeID: employeeID ?? null, kind: 'failed', problem };
}
