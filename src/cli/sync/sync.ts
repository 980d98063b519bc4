import { createHash, randomBytes } from 'node:crypto';
import { basename, join } from 'node:path';
import type { Rollcall } from '#client';
import {
  createSurveyor,
  createSyncRowReader,
  type DeactivateMax,
  type ResumeState,
  runSync,
  type Survey,
  type SyncRun,
  type TableOptions,
  Tally,
  tableWarningText,
} from '#sheets';
import { fieldLimits } from '../../contract/limits.js';
import { type Attribute, loadDefinitions } from '../attribute-definitions.js';
import { limitHeapGrowth } from '../heap-growth.js';
import { host } from '../host.js';
import { printMessage } from '../output.js';
import { isPlan, type PlanOptions, planQuery } from '../planning/options.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { briefRetry, type Connection, clientAt, connection, patientRetry } from '../session/connect.js';
import { stateDirectory } from '../session/stored-login.js';
import { type Stop, stopOnSignals, throwIfStopped } from '../stop.js';
import { count } from '../terminal/numbers.js';
import { createProgress } from '../terminal/progress.js';
import { err } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import { type Columns, columnsOf, columnsText } from './file/columns.js';
import { asProblem, openSource, openSourceTable, type Source } from './file/source.js';
import { interrupted } from './journal/interrupted.js';
import { Journal, type JournalHeader, journalFormat, readResumeState } from './journal/journal.js';
import { checkReport, ReportNotWritten, writeReport } from './journal/report.js';
import type { FileNames } from './names/decide-names.js';
import { type GivenDecision, givenDecisions, type NameOptions } from './names/given-decisions.js';
import { rememberFileNames, resolveFileNames } from './names/resolve-names.js';
import { plannedCallsOf } from './planned-calls.js';
import { printSummary } from './summary.js';
import {
  httpTarget,
  missingUsersTarget,
  type ReassignedIds,
  type TargetOptions,
} from './target/http-target.js';
import { findMissingUsers, listRoleHolders } from './target/missing-users.js';
import { outageNotifier } from './target/outage.js';

export interface SyncOptions
  extends Pick<TableOptions, 'format' | 'encoding' | 'separator' | 'sheet' | 'headingRow'>,
    PlanOptions,
    NameOptions {
  readonly map?: readonly string[];
  readonly renameFrom?: string;
  /** A time, or "file" for the last modification of the file. */
  readonly asOf?: string;
  readonly empty: 'leaves' | 'clears';
  readonly deactivateMissing?: boolean;
  readonly maxDeactivate: DeactivateMax;
  readonly includeRoles?: boolean;
  readonly keep?: readonly string[];
  readonly deliver: 'now' | 'hold';
  readonly notify?: boolean;
  readonly rehire?: boolean;
  readonly dryRun?: boolean;
  readonly report?: string;
  readonly resume?: boolean;
  readonly note?: string;
  readonly confirm?: boolean;
  readonly chunk: number;
  readonly json?: boolean;
}

/** `rollcall sync FILE` */
export async function sync(path: string, options: SyncOptions): Promise<CommandResult> {
  limitHeapGrowth();
  planQuery(options); // rejects wrong use before anything is read
  if (options.report !== undefined) checkReport(options.report);
  const target = connection(host().env);
  const decisions = await givenDecisions(options);
  const stop = stopOnSignals();
  const source = await openSource(path, stop.signal);
  try {
    const file = await surveyFile(source, target, options, stop);
    return await syncFile({ source, ...file, target, decisions, options, stop });
  } catch (error) {
    throw asProblem(source, error);
  } finally {
    source.close();
  }
}

/** Reads the whole file before anything is done: a truncated file must not be applied. */
async function surveyFile(
  source: Source,
  { url, auth }: Connection,
  options: SyncOptions,
  { signal }: Stop,
): Promise<Pick<Work, 'columns' | 'attributes' | 'surveyed'>> {
  const table = await openSourceTable(source, options);
  const definitions = await loadDefinitions(clientAt(url, { auth, retry: briefRetry }));
  const columns = columnsOf(table.headings, definitions, options);
  printMessage(err.dim(columnsText(columns, table.headings)));
  for (const note of columns.notes) printMessage(`${err.yellow('!')} ${sanitize(note)}`);
  const progress = createProgress({ doing: `Reading ${source.name}`, unit: 'rows' });
  try {
    const surveyor = createSurveyor(columns);
    let rows = 0;
    for await (const row of table.rows) {
      throwIfStopped(signal);
      surveyor.add(row);
      progress.at(++rows);
    }
    for (const warning of table.warnings) {
      progress.note(`${err.yellow('!')} ${tableWarningText(warning, table.headings)}`);
    }
    return { columns, attributes: definitions.visible, surveyed: surveyor.survey() };
  } finally {
    progress.end();
  }
}

interface Work {
  readonly source: Source;
  readonly columns: Columns;
  readonly attributes: readonly Attribute[];
  readonly surveyed: Survey;
  readonly target: Connection;
  readonly decisions: readonly GivenDecision[];
  readonly options: SyncOptions;
  readonly stop: Stop;
}

async function syncFile(work: Work): Promise<CommandResult> {
  const { source, surveyed, target, options, stop } = work;
  if (isPlan(options) && surveyed.renames.rounds > 0) throw dependentRenames();
  const startedAt = performance.now();
  const asOf = asOfTime(source, options);
  const path = journalPath(work);
  const resumed = await resumeStateOf(path, surveyed, options);
  const requestId = resumed?.requestId ?? newRequestId();
  const outage = outageNotifier();
  const rollcall = clientAt(target.url, {
    auth: target.auth,
    requestId,
    retry: { ...patientRetry, ...outage.retry },
  });
  const { body: me } = await clientAt(target.url, { auth: target.auth, retry: briefRetry }).call('getMe');
  const names = await resolveFileNames(rollcall, surveyed.names, {
    ...{ file: source.name, given: work.decisions, options, signal: stop.signal },
  });
  const lookup = { rollcall, signal: stop.signal, asOf };
  const roleHolders = await listRoleHolders(lookup);
  const missing = options.deactivateMissing
    ? await findMissingUsers(lookup, surveyed, roleHolders, options)
    : undefined;

  if (!options.dryRun) await rememberFileNames(rollcall, names, stop.signal);
  const journal = resumed ? Journal.resume(path) : Journal.start(path, { requestId });
  const dryRun = options.dryRun === true;
  const targetOptions: TargetOptions = {
    ...lookup,
    keyPrefix: `${requestId}-${randomBytes(4).toString('hex')}`,
    deliver: options.deliver,
    notify: options.notify ?? false,
    rehire: options.rehire === true,
    confirm: options.confirm === true,
    dryRun,
    plan: options,
    label: { source: sourceLabel(source), note: options.note },
    reassigned: asOf === undefined ? reassignedIds(source) : undefined,
  };
  const protectedUsers = me.data.scopes.includes('access:admin') ? new Set() : roleHolders;
  const doing = `${dryRun ? 'Planning' : 'Syncing'} ${source.name}`;
  const progress = createProgress({ doing, total: { count: surveyed.rows, isExact: true }, unit: 'rows' });
  stop.notifyWith(progress.note);
  outage.notifyWith(progress.note);
  const tally = resumed?.tally ?? new Tally();
  try {
    await applyFile(work, names, {
      survey: surveyed,
      target: httpTarget(targetOptions),
      journal,
      missing: missing && { ids: missing, target: missingUsersTarget(targetOptions) },
      resumed,
      rowsPerChunk: options.chunk,
      rehire: targetOptions.rehire,
      isProtected: ({ serial }) => protectedUsers.has(serial),
      dryRun,
      canRetry: !isPlan(options),
      tally,
      checkpoint: () => throwIfStopped(stop.signal),
      onProgress: progress.at,
    });
  } catch (error) {
    progress.end();
    const report = await reportSoFar(options, journal);
    throw interrupted(error, { journal, tally, rows: surveyed.rows, dryRun, report });
  }
  progress.end();
  warnOfReassignedIds(source, targetOptions.reassigned);
  const ms = performance.now() - startedAt;
  return finish(work, { rollcall, journal, tally, names, requestId, ms });
}

/** What has happened before an interruption. Returns the file, unless it could not be written. */
async function reportSoFar({ report, dryRun }: SyncOptions, journal: Journal): Promise<string | undefined> {
  if (report === undefined || !journal.hasEntries) return undefined;
  try {
    await writeReport(report, journal, dryRun ? 'plan' : 'run');
    return report;
  } catch (error) {
    if (error instanceof ReportNotWritten) return undefined; // the interruption matters more, and --resume tries again
    throw error;
  }
}

/** The second call could only be previewed after the first one has run. */
function dependentRenames(): CommandProblem {
  return new CommandProblem(
    'refused',
    'Some rows take an employee ID that another row gives up, and such rows cannot be planned. Nothing was done. Sync them without --effective-at and --approval, or leave them out.',
  );
}

function asOfTime({ name, modifiedAt }: Source, { asOf }: SyncOptions): string | undefined {
  if (asOf !== 'file') return asOf;
  if (modifiedAt) return modifiedAt.toISOString();
  throw new CommandProblem(
    'wrongUse',
    `--as-of file needs a file, but the rows come from ${name}. Give a time instead.`,
  );
}

/** The file name, as far as a call can keep it. */
function sourceLabel({ name }: Source): string {
  const visible = basename(name).replace(/\p{C}/gu, '').trim();
  return [...visible].slice(0, fieldLimits.labelMaxLength).join('');
}

function reassignedIds({ modifiedAt }: Source): ReassignedIds | undefined {
  return modifiedAt && { since: modifiedAt.toISOString(), ids: new Set() };
}

/** A file that is older than a rename may mean somebody else than who has the employee ID now. */
function warnOfReassignedIds({ name }: Source, reassigned: ReassignedIds | undefined): void {
  if (!reassigned || reassigned.ids.size === 0) return;
  const { ids, since } = reassigned;
  const examples = [...ids].slice(0, 3).join(', ');
  const subject =
    ids.size === 1
      ? `The employee ID ${examples} has`
      : `${count(ids.size)} employee IDs (${examples}${ids.size > 3 ? ', …' : ''}) have`;
  printMessage(
    `${err.yellow('!')} ${subject} changed hands since ${name} was written (${since.slice(0, 16).replace('T', ' ')} UTC). To address users by the employee IDs of that time, use --as-of file.`,
  );
}

async function applyFile(
  { source, columns, attributes, options }: Work,
  { meaningOf }: FileNames,
  run: SyncRun,
): Promise<void> {
  const isComplete = options.deactivateMissing === true;
  const rowOptions = { empty: options.empty, isComplete, meaningOf, attributes };
  source.checkUnchanged();
  const table = await openSourceTable(source, options);
  await runSync(run, table.rows, createSyncRowReader(table.headings, columns, rowOptions));
  source.checkUnchanged();
}

interface Finished {
  readonly rollcall: Rollcall;
  readonly journal: Journal;
  readonly tally: Tally;
  readonly names: FileNames;
  readonly requestId: string;
  readonly ms: number;
}

/** The report is written from the journal, which is kept if that fails, so that the report can be written later. */
async function finish(
  { source, surveyed, target, options }: Work,
  { rollcall, journal, tally, names, requestId, ms }: Finished,
): Promise<CommandResult> {
  const mode = options.dryRun ? 'plan' : 'run';
  const plannedCalls = tally.counts.planned > 0 ? await plannedCallsOf(rollcall, requestId) : [];
  const facts = {
    file: source.name,
    url: target.url,
    rows: surveyed.rows,
    mode,
    tally,
    newEntries: {
      organizationSerial: [...names.newSerials.organizationSerial],
      tagSerials: [...names.newSerials.tagSerials],
    },
    plannedCalls,
    requestId,
    ms,
  } as const;
  try {
    if (options.report !== undefined) await writeReport(options.report, journal, mode);
  } catch (error) {
    if (!(error instanceof ReportNotWritten)) throw error;
    printSummary({ ...facts, report: undefined }, options.json);
    journal.close(options.dryRun ? 'removed' : 'kept');
    const advice = options.dryRun
      ? ''
      : ' All rows are done. To write only the report, run the same command with --resume and another --report.';
    throw new CommandProblem('someFailed', `${error.message}${advice}`);
  }
  journal.close('removed');
  printSummary({ ...facts, report: options.report }, options.json);
  return tally.counts.failed > 0 ? 'someFailed' : 'done';
}

/** What an interrupted sync of the same file with the same options has left behind. */
async function resumeStateOf(
  path: string,
  { renames }: Survey,
  options: SyncOptions,
): Promise<(ResumeState & JournalHeader) | undefined> {
  if (options.dryRun) return undefined;
  if (options.resume !== true) {
    if (Journal.exists(path)) {
      printMessage(
        'An earlier sync of this file was interrupted. This one starts over, which is safe. To continue that one, use --resume.',
      );
    }
    return undefined;
  }
  const resumed = Journal.exists(path)
    ? await readResumeState(path, (row) => renames.awaited.has(row))
    : undefined;
  if (resumed) return resumed;
  throw new CommandProblem(
    'wrongUse',
    'There is no interrupted sync of this file with these options. Either it finished, or the file or an option has changed since. Run again without --resume: rows that are already up to date are skipped.',
  );
}

/** One per file, service and set of options that affect rows. */
function journalPath({ source, target, columns, decisions, options }: Work): string {
  const { empty, rehire, deactivateMissing, includeRoles, keep, chunk, dryRun, sheet, headingRow } = options;
  const asOf = asOfTime(source, options);
  const { effectiveAt, approval, ifChanged } = options;
  const plan = isPlan(options) ? { effectiveAt, approval, ifChanged } : undefined;
  const rowOptions = {
    columns: { mapping: columns.mapping, from: columns.from },
    asOf,
    empty,
    rehire,
    deactivateMissing,
    includeRoles,
    keep,
    chunk,
    sheet,
    headingRow,
    plan,
    decisions,
    unknown: options.unknown,
  };
  const hash = createHash('sha256').update(
    `${journalFormat} ${source.fingerprint} ${target.url} ${JSON.stringify(rowOptions)}`,
  );
  return join(stateDirectory(), 'sync', `${hash.digest('hex').slice(0, 32)}${dryRun ? '.plan' : ''}.ndjson`);
}

function newRequestId(): string {
  const time = new Date().toISOString().replace(/[-:]|\..*/g, '');
  return `sync-${time}-${randomBytes(3).toString('hex')}`;
}
