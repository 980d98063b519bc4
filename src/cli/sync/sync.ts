import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Table, TableOptions } from '#sheets';
import { keepHeapLean } from '../lean-heap.js';
import { say } from '../output.js';
import { CommandProblem } from '../problem.js';
import type { Ended } from '../run.js';
import { brieflyTried, type Connection, clientAt, connection, patientlyTried } from '../session/connect.js';
import { stateDirectory } from '../session/directories.js';
import { type Stop, stopIfAsked, stopOnSignals } from '../stop.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { err } from '../terminal/style.js';
import type { ApplyContext } from './apply/apply-rows.js';
import { execute } from './apply/execute.js';
import { type DeactivateMax, findMissing } from './apply/find-missing.js';
import { outageTeller } from './apply/outage.js';
import type { SyncContext } from './apply/sync-context.js';
import { type Columns, columnsOf, columnsText } from './file/columns.js';
import { IdIndex } from './file/id-index.js';
import { asProblem, createRowReader, openSourceTable } from './file/rows.js';
import { openSource, type Source } from './file/source.js';
import { type Survey, survey } from './file/survey.js';
import { tableWarningText } from './file/table-text.js';
import { interrupted } from './journal/interrupted.js';
import { Journal } from './journal/journal.js';
import { checkReport, ReportUnwritten, writeReport } from './journal/report.js';
import { type ResumeState, readResumeState, Tally } from './journal/resume-state.js';
import { printSummary } from './summary.js';

export interface SyncOptions
  extends Pick<TableOptions, 'format' | 'encoding' | 'separator' | 'sheet' | 'headingRow'> {
  readonly map?: readonly string[];
  readonly renameFrom?: string;
  readonly empty: 'leaves' | 'clears';
  readonly deactivateMissing?: boolean;
  readonly maxDeactivate: DeactivateMax;
  readonly keep?: readonly string[];
  readonly deliver: 'now' | 'hold';
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly resume?: boolean;
  readonly confirm?: boolean;
  readonly chunk: number;
  readonly json?: boolean;
}

/** `rollcall sync FILE`: makes the people of the service those of the file. */
export async function sync(path: string, options: SyncOptions): Promise<Ended> {
  keepHeapLean();
  if (options.report !== undefined) checkReport(options.report);
  const target = connection(process.env);
  const stop = stopOnSignals();
  const source = await openSource(path, stop.signal);
  try {
    const { columns, surveyed } = await readThrough(source, options, stop);
    return await carryOut({ source, columns, surveyed, target, options, stop });
  } catch (error) {
    throw asProblem(source, error);
  } finally {
    source.close();
  }
}

/** The whole file is read before anything is done: half of one may end with anything. */
async function readThrough(
  source: Source,
  options: SyncOptions,
  { signal }: Stop,
): Promise<{ columns: Columns; surveyed: Survey }> {
  const table = await openSourceTable(source, options);
  const columns = columnsOf(table.headings, options);
  say(err.dim(columnsText(columns, table.headings)));
  const progress = createProgress({ doing: `Reading ${source.name}`, unit: 'rows' });
  try {
    const surveyed = await survey(table, columns, (rows) => {
      stopIfAsked(signal);
      progress.at(rows);
    });
    for (const warning of table.warnings) {
      progress.note(`${err.yellow('!')} ${tableWarningText(warning, table.headings)}`);
    }
    return { columns, surveyed };
  } finally {
    progress.end();
  }
}

interface Work {
  readonly source: Source;
  readonly columns: Columns;
  readonly surveyed: Survey;
  readonly target: Connection;
  readonly options: SyncOptions;
  readonly stop: Stop;
}

async function carryOut(work: Work): Promise<Ended> {
  const { source, surveyed, target, options, stop } = work;
  const startedAt = performance.now();
  const path = journalPath(work);
  const soFar = await pickUp(path, surveyed, options);
  const requestId = soFar?.requestId ?? newRequestId();
  const outage = outageTeller();
  const rollcall = clientAt(target.url, {
    auth: target.auth,
    requestId,
    retry: { ...patientlyTried, ...outage.retry },
  });
  await clientAt(target.url, { auth: target.auth, retry: brieflyTried }).call('getMe');
  const missing = options.deactivateMissing
    ? await lookForMissing({ rollcall, signal: stop.signal }, surveyed, options)
    : undefined;

  const journal = soFar ? Journal.goOn(path) : Journal.begin(path, { requestId });
  const context: ApplyContext = {
    rollcall,
    keyPrefix: `${requestId}-${randomBytes(4).toString('hex')}`,
    deliver: options.deliver,
    confirm: options.confirm === true,
    dryRun: options.dryRun === true,
    signal: stop.signal,
    journal,
    people: surveyed.people,
    intended: soFar?.intended ?? new Map(),
    freed: { ids: new Set(), usernames: new IdIndex() },
  };
  const tally = soFar?.tally ?? new Tally();
  const doing = `${context.dryRun ? 'Planning' : 'Syncing'} ${source.name}`;
  const progress = createProgress({ doing, total: surveyed.rows, unit: 'rows' });
  stop.tell(progress.note);
  outage.tell(progress.note);
  const run = { context, survey: surveyed, missing, soFar, rowsPerChunk: options.chunk, tally, progress };
  try {
    await goThrough(work, run);
  } catch (error) {
    progress.end();
    throw interrupted(error, { journal, tally, rows: surveyed.rows, dryRun: context.dryRun });
  }
  progress.end();
  return finish(work, run, { requestId, ms: performance.now() - startedAt });
}

async function goThrough({ source, columns, options }: Work, run: SyncContext): Promise<void> {
  source.checkUnchanged();
  const table = await openSourceTable(source, options);
  await execute(run, table, rowReader(table, columns, options));
  source.checkUnchanged();
}

function rowReader(table: Table, columns: Columns, { empty, deactivateMissing }: SyncOptions) {
  // Who is in a full export is active, unless the file itself says who is.
  const presentIsActive = deactivateMissing === true && columns.mapping.isActive === undefined;
  return createRowReader(table, columns, { empty, presentIsActive });
}

/** The report comes from the journal, which is kept if that fails: what was done stays done and can still be told. */
async function finish(
  { source, surveyed, target, options }: Work,
  { context, tally }: SyncContext,
  { requestId, ms }: { readonly requestId: string; readonly ms: number },
): Promise<Ended> {
  const { journal } = context;
  const mode = context.dryRun ? 'plan' : 'run';
  const facts = {
    file: source.name,
    url: target.url,
    rows: surveyed.rows,
    mode,
    tally,
    requestId,
    ms,
  } as const;
  try {
    if (options.report !== undefined) await writeReport(options.report, journal, mode);
  } catch (error) {
    if (!(error instanceof ReportUnwritten)) throw error;
    printSummary({ ...facts, report: undefined }, options.json);
    journal.close(context.dryRun ? 'removed' : 'kept');
    const again = context.dryRun
      ? ''
      : ' All rows are done. For the report alone, run the same command with --resume and another --report.';
    throw new CommandProblem('someFailed', `${error.message}${again}`);
  }
  journal.close('removed');
  printSummary({ ...facts, report: options.report }, options.json);
  return tally.counts.failed > 0 ? 'someFailed' : 'done';
}

async function lookForMissing(
  context: Pick<ApplyContext, 'rollcall' | 'signal'>,
  surveyed: Survey,
  { maxDeactivate, keep = [] }: SyncOptions,
): Promise<IdIndex> {
  const progress: Progress = createProgress({ doing: 'Looking who is missing', unit: 'people' });
  try {
    return await findMissing(context, surveyed, { max: maxDeactivate, keep: new Set(keep) }, progress.at);
  } finally {
    progress.end();
  }
}

/** What an interrupted sync of the same file, with the same meaning, has left behind. */
async function pickUp(
  path: string,
  { turns }: Survey,
  options: SyncOptions,
): Promise<ResumeState | undefined> {
  if (options.dryRun) return undefined;
  if (options.resume !== true) {
    if (Journal.isAt(path)) {
      say(
        'A sync of this file was interrupted before. This one begins anew, which is safe; --resume would go on with it.',
      );
    }
    return undefined;
  }
  const soFar = Journal.isAt(path) ? await readResumeState(path, (row) => turns.awaited.has(row)) : undefined;
  if (soFar) return soFar;
  throw new CommandProblem(
    'wrongUse',
    'There is no interrupted sync of this file with these options: it came to its end, or the file or an option was changed since. Run it without --resume; what is done already is not done again.',
  );
}

/** One for each file, service and meaning of the file; options that change no row are left out. */
function journalPath({ source, target, columns, options }: Work): string {
  const { empty, deactivateMissing, keep, chunk, dryRun, sheet, headingRow } = options;
  const meaning = { columns, empty, deactivateMissing, keep, chunk, sheet, headingRow };
  const hash = createHash('sha256').update(`${source.fingerprint} ${target.url} ${JSON.stringify(meaning)}`);
  return join(stateDirectory(), 'sync', `${hash.digest('hex').slice(0, 32)}${dryRun ? '.plan' : ''}.ndjson`);
}

function newRequestId(): string {
  const time = new Date().toISOString().replace(/[-:]|\..*/g, '');
  return `sync-${time}-${randomBytes(3).toString('hex')}`;
}
