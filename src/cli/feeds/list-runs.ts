import type { Rollcall, Schemas } from '#client';
import type { FeedRowKind, FeedRunState } from '../../contract/enums.js';
import { openTarget } from '../export/target.js';
import { outcomeText } from '../outcome-text.js';
import { type ListOptions, type ListShape, pageLimit, printList, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import { reportFormat, reportShapes } from '../row-report.js';
import { connectInteractive } from '../session/connect.js';
import { counted } from '../terminal/numbers.js';
import { createProgress } from '../terminal/progress.js';
import { err } from '../terminal/style.js';
import { type FeedRun, modeOf, runList } from './format-run.js';

interface ListRunsOptions extends ListOptions {
  readonly state?: FeedRunState | undefined;
}

/** `rollcall feeds runs KEY` */
export async function listRuns(key: string, options: ListRunsOptions): Promise<void> {
  const query = { state: options.state, limit: pageLimit(options) };
  await printList(connectInteractive().each('listFeedRuns', { path: { key }, query }), options, runList);
}

type FeedRow = Schemas['FeedRow'];

interface ListRowsOptions extends ListOptions {
  readonly kind?: FeedRowKind | undefined;
  readonly report?: string | undefined;
}

/** `rollcall feeds rows KEY [RUN]` */
export async function listRows(key: string, id: string | undefined, options: ListRowsOptions): Promise<void> {
  const { kind, report } = options;
  if (report !== undefined) reportFormat(report); // rejects wrong use before anything is read
  const rollcall = connectInteractive();
  const run = await runOf(rollcall, key, id);
  const limit = pageLimit(report === undefined ? options : { all: true });
  const rows = rollcall.each('listFeedRows', { path: { key, run: run.id }, query: { kind, limit } });
  if (report === undefined) await printList(rows, options, rowList(run, kind));
  else await writeReport(report, rows, run);
  if (!options.json && run.counts.unchanged > 0) printMessage(err.dim(unchangedText(run)));
}

/** Nobody should look for them in vain. */
function unchangedText({ counts: { unchanged } }: FeedRun): string {
  return `${counted(unchanged, 'row')} without changes ${unchanged === 1 ? 'is' : 'are'} only counted, not listed.`;
}

/** The given run, or the last one. */
async function runOf(rollcall: Rollcall, key: string, id: string | undefined): Promise<FeedRun> {
  if (id !== undefined) return (await rollcall.call('getFeedRun', { path: { key, run: id } })).body.data;
  const { items } = (await rollcall.call('listFeedRuns', { path: { key }, query: { limit: 1 } })).body.data;
  const [last] = items;
  if (last) return last;
  throw new CommandProblem('refused', `${key} has no runs yet. To start one: rollcall feeds run ${key}`);
}

function rowList(run: FeedRun, kind: FeedRowKind | undefined): ListShape<FeedRow> {
  return {
    headings: ['ROW', 'EMPLOYEE ID', 'OUTCOME', 'WHAT'],
    row: (row) => [
      row.row === null ? '' : String(row.row),
      row.employeeID ?? '',
      outcomeText(row.kind, modeOf(run)),
      whatText(row),
    ],
    empty: kind === undefined ? 'The run changes no users.' : `No row is ${kind}.`,
  };
}

/** "phone, email", "not in the file", "A user needs an email address." */
function whatText({ row, kind, changed, kept, problem }: FeedRow): string {
  // The outcome says it already.
  const isToldOf = (field: string) =>
    field === 'isActive' && (kind === 'deactivated' || kind === 'reactivated');
  const fields = changed.filter((field) => !isToldOf(field));
  return [
    ...(problem ? [problem.detail] : []),
    ...(row === null && !problem ? ['not in the file'] : []),
    ...(fields.length > 0 ? [fields.join(', ')] : []),
    ...(kept.length > 0 ? [`kept: ${kept.join(', ')}`] : []),
  ].join('; ');
}

async function writeReport(path: string, rows: AsyncIterable<FeedRow>, run: FeedRun): Promise<void> {
  const shape = reportShapes[reportFormat(path)];
  const target = await openTarget(path, new AbortController().signal);
  const progress = createProgress({ doing: 'Reading', unit: 'rows' });
  let written = 0;
  const write = (text: string) => target.write(Buffer.from(text));
  try {
    await write(shape.begin);
    for await (const row of rows) {
      await write(shape.entry(row, modeOf(run), written === 0));
      progress.at(++written);
    }
    await write(shape.end(written));
    await target.finish();
  } catch (error) {
    await target.abandon();
    throw error;
  } finally {
    progress.end();
  }
  printMessage(`Wrote ${counted(written, 'row')} to ${path}.`);
}
