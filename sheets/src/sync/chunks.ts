import type { Row } from '../row.js';
import type { SyncOutcome } from './outcomes.js';
import type { FileRow, SyncRow } from './rows.js';
import type { KnownUsers, SyncRun, SyncTarget } from './sync-run.js';

/** A chunk of the file's rows, sorted by what happens to them. */
export interface Chunk {
  readonly name: string;
  readonly count: number;
  /** Applied before an interruption. Only its deferred rows are still needed. */
  readonly isDone: boolean;
  readonly invalid: readonly SyncOutcome[];
  /** Known to change nothing. */
  readonly settled: readonly SyncOutcome[];
  readonly deferred: readonly SyncRow[];
  readonly now: readonly SyncRow[];
  readonly users: KnownUsers;
}

type ChunkOptions = Pick<SyncRun, 'survey' | 'target' | 'resumed' | 'rowsPerChunk' | 'isSettled'>;

/**
 * Reads rows and looks up their users one chunk ahead of what is sent. The lookup is still valid by then: rows that touch
 * the same employee ID are either deferred or contradict each other.
 */
export function chunksOf(
  run: ChunkOptions,
  rows: AsyncIterable<Row>,
  read: (row: Row) => FileRow,
): AsyncGenerator<Chunk> {
  return prefetch(preparedChunks(run, rows, read));
}

async function* preparedChunks(
  run: ChunkOptions,
  rows: AsyncIterable<Row>,
  read: (row: Row) => FileRow,
): AsyncGenerator<Chunk> {
  let number = 0;
  let some: FileRow[] = [];
  let settled: SyncOutcome[] = [];
  for await (const row of rows) {
    if (run.isSettled?.(row.number)) settled.push({ row: row.number, employeeID: null, kind: 'unchanged' });
    else some.push(read(row));
    if (some.length + settled.length < run.rowsPerChunk) continue;
    yield prepareChunk(run, `file-${number++}`, some, settled);
    some = [];
    settled = [];
  }
  if (some.length + settled.length > 0) yield prepareChunk(run, `file-${number}`, some, settled);
}

async function prepareChunk(
  { survey, resumed, target }: ChunkOptions,
  name: string,
  rows: readonly FileRow[],
  settled: readonly SyncOutcome[],
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
  const users = isDone ? new Map() : await usersOf(target, now);
  const count = rows.length + settled.length;
  return { name, count, isDone, invalid, settled, deferred, now, users };
}

function invalidRow({ row, employeeID }: FileRow, problem: SyncOutcome['problem']): SyncOutcome {
  return { row, employeeID: employeeID ?? null, kind: 'failed', problem };
}

/** The users that rows refer to, by their new or previous employee ID. */
export async function usersOf(
  target: Pick<SyncTarget, 'lookup'>,
  rows: readonly SyncRow[],
): Promise<KnownUsers> {
  const ids = new Set<string>();
  for (const { employeeID, from } of rows) {
    ids.add(employeeID);
    if (from !== undefined) ids.add(from);
  }
  return ids.size === 0 ? new Map() : target.lookup([...ids]);
}

/** The same items; the next one is requested while the current one is processed. */
export async function* prefetch<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { value, done } = await next;
      if (done) return;
      next = iterator.next();
      next.catch(() => {}); // reported when it is awaited
      yield value;
    }
  } finally {
    void iterator.return?.(); // a consumer that stops early does not wait for the pending item
  }
}

/** The items in chunks of a size, each with its number. */
export function* inChunks<T>(
  items: Iterable<T>,
  size: number,
): Generator<readonly [at: number, some: readonly T[]]> {
  let at = 0;
  let some: T[] = [];
  for (const item of items) {
    some.push(item);
    if (some.length < size) continue;
    yield [at++, some];
    some = [];
  }
  if (some.length > 0) yield [at, some];
}
