import type { Row, Table } from '#sheets';
import { CommandProblem } from '../problem.js';
import type { Progress } from '../terminal/progress.js';
import { type ApplyContext, type ApplyOptions, applyRows, type Users, usersOf } from './apply.js';
import type { SyncRow } from './decide.js';
import type { IdIndex } from './id-index.js';
import { deactivate, deactivatedBefore } from './missing.js';
import { oneAhead } from './one-ahead.js';
import type { Outcome } from './outcome.js';
import type { FileRow } from './rows.js';
import type { SoFar, Tally } from './so-far.js';
import type { Survey } from './survey.js';

export interface SyncRun {
  readonly context: ApplyContext;
  readonly survey: Survey;
  /** Active people whom the file does not have, if they are to be deactivated. */
  readonly missing: IdIndex | undefined;
  readonly soFar: SoFar | undefined;
  readonly rowsPerChunk: number;
  readonly tally: Tally;
  readonly progress: Progress;
}

/** More rows than this are not kept for another attempt at the end; what is in their way is no matter of order then. */
const againMax = 50_000;
/** So many of them go together at least: two that swap something have to be in one call. */
const againTogether = 500;

/**
 * The right order: the rows as the file has them, each chunk as updates and then creates; then rows whose employee ID was
 * freed meanwhile; then, once more, rows that found a name taken; and who is missing at last.
 */
export async function runSync(run: SyncRun, table: Table, read: (row: Row) => FileRow): Promise<void> {
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

/** Some rows of the file, sorted by what comes of them. */
interface Chunk {
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
async function* chunksOf(run: SyncRun, { rows }: Table, read: (row: Row) => FileRow): AsyncGenerator<Chunk> {
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
  { survey, soFar, context }: SyncRun,
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

interface Later {
  /** Rows that wait for others, by their turn. */
  readonly turns: Map<number, SyncRow[]>;
  again: SyncRow[];
  /** Rows that failed, among those that others wait for. */
  readonly failed: Set<number>;
}

async function runChunk(run: SyncRun, later: Later, chunk: Chunk): Promise<void> {
  const { turnOf } = run.survey.turns;
  for (const row of chunk.putOff) putOff(later, turnOf.get(row.row) ?? 0, row);
  for (const { row } of chunk.wrong) noteFailed(run, later, row);
  if (!chunk.isDone) await settle(run, later, chunk.name, chunk.now, chunk.wrong, { users: chunk.users });
  else later.again.push(...chunk.now.filter(({ row }) => run.soFar?.again.has(row)));
}

function wrongRow({ row, employeeID }: FileRow, problem: Outcome['problem']): Outcome {
  return { row, employeeID: employeeID ?? null, kind: 'failed', problem };
}

function putOff({ turns }: Later, turn: number, row: SyncRow): void {
  const rows = turns.get(turn);
  if (rows) rows.push(row);
  else turns.set(turn, [row]);
}

async function runTurn(run: SyncRun, later: Later, chunk: string, rows: readonly SyncRow[]): Promise<void> {
  const { soFar, survey } = run;
  if (soFar?.chunks.has(chunk)) {
    later.again.push(...rows.filter(({ row }) => soFar.again.has(row)));
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

async function runAgain(run: SyncRun, later: Later, chunk: string, rows: readonly SyncRow[]): Promise<void> {
  await settle(run, later, chunk, rows, [], { isLast: true, mode: 'finalState' });
}

/** Does what a chunk is about, and sees its outcomes into the journal. */
async function settle(
  run: SyncRun,
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

function noteFailed({ survey }: SyncRun, { failed }: Later, row: number | null): void {
  if (row !== null && survey.turns.awaited.has(row)) failed.add(row);
}

async function deactivateMissing(run: SyncRun, missing: IdIndex): Promise<void> {
  const { context, tally, soFar } = run;
  const before = [...(soFar?.intended ?? [])].flatMap(([id, kind]) =>
    kind === 'deactivated' && !run.survey.people.has(id) ? [id] : [],
  );
  let number = 0;
  const told = (chunk: string, outcomes: readonly Outcome[]) => {
    context.journal.done(chunk, outcomes, []);
    tally.add(outcomes);
  };
  const stamp = soFar ? `missing-${Date.now()}` : 'missing';
  told(`${stamp}-before`, await deactivatedBefore(context, before));
  let ids: string[] = [];
  const flush = async () => {
    stopIfAsked(context.signal);
    const chunk = `${stamp}-${number++}`;
    if (ids.length > 0) told(chunk, await deactivate(context, chunk, ids));
    ids = [];
  };
  for (const [id] of missing) {
    ids.push(id);
    if (ids.length === run.rowsPerChunk) await flush();
  }
  await flush();
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

function stopIfAsked(signal: AbortSignal): void {
  if (signal.aborted) throw new CommandProblem('someFailed', 'Stopped, as you asked.');
}
