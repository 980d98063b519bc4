import type { Reply, ReplyBody, Schemas } from '#client';
import {
  attributeIn,
  type CsvCell,
  csvLine,
  listCell,
  prefetch,
  type Separator,
  TableError,
  toXlsx,
} from '#sheets';
import { pageLimitMax } from '../../contract/limits.js';
import { separators } from '../arguments.js';
import { loadDefinitions } from '../attribute-definitions.js';
import { limitHeapGrowth } from '../heap-growth.js';
import { host } from '../host.js';
import { printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { connect, connectInteractive, patientRetry } from '../session/connect.js';
import { requestProblem } from '../session/request-problem.js';
import { stopped, stopSignals } from '../stop.js';
import { counted, duration } from '../terminal/numbers.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { err } from '../terminal/style.js';
import { type SelectedUsers, userQuery } from '../users/filters.js';
import { pagesOf } from '../users/list-users.js';
import { formatNoMatches } from '../users/matches.js';
import { type Column, columnsNamed } from './columns.js';
import { type Format, type FormatOptions, columns as fieldColumns, formatOf } from './format.js';
import { openTarget, type Target } from './target.js';

interface ExportOptions extends FormatOptions, SelectedUsers {
  readonly columns?: readonly string[] | undefined;
}

/** `rollcall export` */
export async function exportUsers(options: ExportOptions): Promise<void> {
  limitHeapGrowth();
  const startedAt = performance.now();
  const format = formatOf(options, host().stdout.isTTY === true);
  const stop = new AbortController();
  for (const signal of stopSignals()) host().once(signal, () => stop.abort());
  const columns = await columnsOf(options, stop.signal);
  const read = pageReader(options, stop.signal);
  const target = await openTarget(options.output, stop.signal);
  const rows = await writeExport({ read, options, columns, format, target, signal: stop.signal });
  const ms = Math.round(performance.now() - startedAt);
  if (!options.json) printMessage(err.dim(summary(rows, ms, target, options)));
  else if (target.file !== undefined) printJson({ rows, file: target.file, format, ms });
}

/** Asks the service which attributes there are, unless no column can be one. */
async function columnsOf({ columns: names, output }: ExportOptions, signal: AbortSignal): Promise<Column[]> {
  const isField = (name: string) => fieldColumns.some((each) => each === name);
  if (names?.every(isField)) return columnsNamed(names, []);
  const { visible } = await loadDefinitions(connectInteractive()).catch((error) => {
    throw abortedExport(error, { rows: 0, file: output, signal });
  });
  return columnsNamed(names, visible);
}

type ReadPage = Parameters<typeof pagesOf>[0];

/** The first page fails fast; later ones wait out an outage, because there is something to lose. */
function pageReader(options: ExportOptions, signal: AbortSignal): ReadPage {
  const [brief, patient] = [connectInteractive(), connect({ retry: patientRetry })];
  const query = { ...userQuery(options), limit: pageLimitMax };
  return async (page) => {
    const rollcall = page.cursor === undefined ? brief : patient;
    const options = { query: { ...query, ...page }, signal };
    const { body } = await rollcall.call('listUsers', options);
    if (body.data.isComplete) return body.data;
    printMessage(err.dim('Waiting until the index has caught up with many recent changes…'));
    return completePage(await patient.call('listUsers', { ...options, untilComplete: true }));
  };
}

function completePage({ body }: Reply<'listUsers'>): ReplyBody<'listUsers'>['data'] {
  if (body.data.isComplete) return body.data;
  throw new CommandProblem(
    'refused',
    'The export would be incomplete: the index has not caught up with many recent changes. Try again later, or export without --search and --sort name.',
  );
}

interface Work {
  readonly read: ReadPage;
  readonly options: ExportOptions;
  readonly columns: readonly Column[];
  readonly format: Format;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Returns the number of users written. */
async function writeExport(work: Work): Promise<number> {
  const { read, options, columns, format, target, signal } = work;
  const { separator = ',', bom = false, raw = false } = options;
  const shape = { format, columns, separator: separators[separator], bom, raw };
  let rows = 0;
  const progress = createExportProgress(target);
  async function* countingPages() {
    for await (const { items, total } of prefetch(pagesOf(read, progress && 'approximate'))) {
      if (total) progress?.expect(total);
      yield items;
      rows += items.length;
      progress?.at(rows);
    }
  }
  try {
    for await (const bytes of encodeTable(countingPages(), shape)) await target.write(bytes);
    signal.throwIfAborted();
    await target.finish();
    return rows;
  } catch (error) {
    await target.abandon();
    throw abortedExport(error, { rows, file: target.file, signal });
  } finally {
    progress?.end();
  }
}

/** None if the rows themselves go to the terminal. */
function createExportProgress({ file }: Target): Progress | undefined {
  if (file === undefined && host().stdout.isTTY) return undefined;
  return createProgress({ doing: 'Exporting', unit: 'users' });
}

function summary(rows: number, ms: number, { file }: Target, options: ExportOptions): string {
  const where = file === undefined ? '' : ` to ${file}`;
  if (rows === 0) return `The table is empty. ${formatNoMatches(options)}`;
  return `${counted(rows, 'user')}${where} in ${duration(ms)}.`;
}

type User = Schemas['User'];

type Pages = AsyncIterable<readonly User[]>;

interface TableShape {
  readonly format: Format;
  readonly columns: readonly Column[];
  readonly separator: Separator;
  readonly bom: boolean;
  readonly raw: boolean;
}

/** Streams the bytes of the table as pages arrive. */
function encodeTable(pages: Pages, shape: TableShape): AsyncIterable<Uint8Array> {
  const { format, columns } = shape;
  if (format === 'xlsx')
    return toXlsx(rows(pages, columns), { columnWidths: columns.map(({ width }) => width) });
  return format === 'csv' ? csv(pages, shape) : ndjson(pages, columns);
}

async function* csv(pages: Pages, shape: TableShape): AsyncGenerator<Uint8Array> {
  const { columns, separator, bom, raw } = shape;
  // Text that looks like a formula error is text: the service stores it as such.
  const options = { separator, allTexts: true, raw };
  yield Buffer.from((bom ? '\uFEFF' : '') + csvLine(headingsOf(columns), options));
  for await (const users of pages) {
    yield Buffer.from(users.map((user) => csvLine(cells(user, columns), options)).join(''));
  }
}

async function* ndjson(pages: Pages, columns: readonly Column[]): AsyncGenerator<Uint8Array> {
  for await (const users of pages) yield Buffer.from(users.map((user) => jsonLine(user, columns)).join(''));
}

/** As the API returns users. Every line has all keys, so that the first ones tell which columns there are. */
function jsonLine(user: User, columns: readonly Column[]): string {
  const fields: Record<string, unknown> = {};
  const attributes: Record<string, unknown> = {};
  for (const { from } of columns) {
    if ('field' in from) fields[from.field] = user[from.field];
    else attributes[from.attribute] = attributeIn(user.attributes, from.attribute) ?? null;
  }
  const some = Object.keys(attributes).length > 0 ? { attributes } : {};
  return `${JSON.stringify({ ...fields, ...some })}\n`;
}

async function* rows(pages: Pages, columns: readonly Column[]): AsyncGenerator<readonly CsvCell[]> {
  yield headingsOf(columns);
  for await (const users of pages) for (const user of users) yield cells(user, columns);
}

function headingsOf(columns: readonly Column[]): string[] {
  return columns.map(({ heading }) => heading);
}

function cells(user: User, columns: readonly Column[]): CsvCell[] {
  return columns.map(({ from }) => {
    const value = 'field' in from ? user[from.field] : attributeIn(user.attributes, from.attribute);
    return Array.isArray(value) ? listCell(value) : (value as CsvCell); // no field or attribute has other values
  });
}

interface ExportProgress {
  readonly rows: number;
  readonly file: string | undefined;
  readonly signal: AbortSignal;
}

/** Why an export stopped, and how much was written. */
function abortedExport(error: unknown, progress: ExportProgress): unknown {
  const problem = problemOf(error, progress.signal);
  if (!problem) return error;
  const { exit, message, cause } = problem;
  return new CommandProblem(exit, `${message}\n${writtenSoFar(progress)}`, { cause });
}

function problemOf(error: unknown, signal: AbortSignal): CommandProblem | undefined {
  if (signal.aborted) return stopped();
  if (error instanceof CommandProblem) return error;
  const instead = 'Export as CSV or NDJSON, which have no such limit.';
  if (error instanceof TableError && error.problem.code === 'TOO_MANY_ROWS') {
    const most = counted(error.problem.max - 1, 'user');
    return new CommandProblem('refused', `A workbook holds at most ${most}, and there are more. ${instead}`);
  }
  // A cell is too long: the tags of one user.
  if (error instanceof RangeError) return new CommandProblem('refused', `${error.message} ${instead}`);
  return requestProblem('export users', error);
}

function writtenSoFar({ rows, file }: ExportProgress): string {
  if (file !== undefined) return `Nothing was written to ${file}.`;
  return rows === 0
    ? 'Nothing was written.'
    : `The output is incomplete: it ends after ${counted(rows, 'user')}.`;
}
