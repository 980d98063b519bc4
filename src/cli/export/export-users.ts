import type { Page } from '#client';
import { pageLimitMax } from '../../contract/limits.js';
import { keepHeapLean } from '../lean-heap.js';
import { oneAhead } from '../one-ahead.js';
import { printJson, say } from '../output.js';
import { separators } from '../separators.js';
import { connect, connectBriefly, patientlyTried } from '../session/connect.js';
import { counted, duration } from '../terminal/numbers.js';
import { createProgress, type Progress } from '../terminal/progress.js';
import { err } from '../terminal/style.js';
import { type UserFilters, userQuery } from '../users/filters.js';
import { brokenOff } from './broken-off.js';
import { type Column, columnsByDefault } from './columns.js';
import { type Format, type FormatOptions, formatOf } from './format.js';
import { pagesOf } from './pages.js';
import { openTarget, type Target } from './target.js';
import { writtenTable } from './written-table.js';

export interface ExportOptions extends FormatOptions, UserFilters {
  readonly columns?: readonly Column[] | undefined;
}

/** `rollcall export` */
export async function exportUsers(options: ExportOptions): Promise<void> {
  keepHeapLean();
  const startedAt = performance.now();
  const format = formatOf(options, process.stdout.isTTY === true);
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const read = pageReader(options, stop.signal);
  const target = await openTarget(options.output, stop.signal);
  const rows = await written({ read, options, format, target, signal: stop.signal });
  const ms = Math.round(performance.now() - startedAt);
  if (!options.json) say(err.dim(summary(rows, ms, target)));
  else if (target.file !== undefined) printJson({ rows, file: target.file, format, ms });
}

type ReadPage = (cursor: string | undefined) => Promise<Page<'listUsers'>>;

/** Once there is something to lose, it waits for a service that is away; at the start somebody may want to know. */
function pageReader(options: ExportOptions, signal: AbortSignal): ReadPage {
  const [brief, patient] = [connectBriefly(), connect({ retry: patientlyTried })];
  const query = { ...userQuery(options), limit: pageLimitMax };
  return async (cursor) => {
    const rollcall = cursor === undefined ? brief : patient;
    return (await rollcall.call('listUsers', { query: { ...query, cursor }, signal })).body.data;
  };
}

interface Work {
  readonly read: ReadPage;
  readonly options: ExportOptions;
  readonly format: Format;
  readonly target: Target;
  readonly signal: AbortSignal;
}

/** Writes the table, and tells how many people are in it. */
async function written({ read, options, format, target, signal }: Work): Promise<number> {
  const { columns = columnsByDefault, separator = ',', bom = false } = options;
  const shape = { format, columns, separator: separators[separator], bom };
  let rows = 0;
  const progress = progressBeside(target);
  async function* counting() {
    for await (const users of oneAhead(pagesOf(read))) {
      yield users;
      rows += users.length;
      progress?.at(rows);
    }
  }
  try {
    for await (const bytes of writtenTable(counting(), shape)) await target.write(bytes);
    signal.throwIfAborted();
    await target.finish();
    return rows;
  } catch (error) {
    await target.abandon();
    throw brokenOff(error, { rows, file: target.file, signal });
  } finally {
    progress?.end();
  }
}

/** Where the people themselves run over the terminal, a line that is drawn again and again would be in their way. */
function progressBeside({ file }: Target): Progress | undefined {
  if (file === undefined && process.stdout.isTTY) return undefined;
  return createProgress({ doing: 'Exporting', unit: 'people' });
}

function summary(rows: number, ms: number, { file }: Target): string {
  const where = file === undefined ? '' : ` to ${file}`;
  if (rows === 0) return 'Nobody is like that: the table is empty. Leave a filter away.';
  return `${counted(rows, 'person', 'people')}${where} in ${duration(ms)}.`;
}
