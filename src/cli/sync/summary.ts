import { print, printJson, printMessage } from '../output.js';
import { count, counted, duration } from '../terminal/numbers.js';
import { err, out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';
import type { Tally } from './journal/resume-state.js';
import { type Kind, kinds, type Outcome } from './outcome.js';
import { type Mode, outcomeText } from './outcome-text.js';

export interface SummaryFacts {
  readonly file: string;
  readonly url: string;
  readonly rows: number;
  readonly mode: Mode;
  readonly tally: Tally;
  readonly requestId: string;
  readonly ms: number;
  readonly report: string | undefined;
}

export function printSummary(facts: SummaryFacts, json: boolean | undefined): void {
  if (json) printJson(asJson(facts));
  else printTable(facts);
}

function asJson({ file, url, rows, mode, tally, requestId, ms, report }: SummaryFacts) {
  const counts = Object.fromEntries(kinds.map((kind) => [outcomeText(kind, mode), tally.counts[kind]]));
  return { file, url, dryRun: mode === 'plan', rows, ...counts, requestId, ms: Math.round(ms), report };
}

/** Shown only if there are any, since most syncs can't have them. */
const optional: ReadonlySet<Kind> = new Set(['deactivated', 'rehired']);

function printTable({ mode, tally, rows, ms, requestId, report }: SummaryFacts): void {
  const { counts, failures } = tally;
  printFailures(failures, counts.failed, report);
  const shown = kinds.filter((kind) => counts[kind] > 0 || !optional.has(kind));
  const width = Math.max(...shown.map((kind) => count(counts[kind]).length));
  for (const kind of shown) {
    const line = `${outcomeText(kind, mode).padEnd(11)}  ${count(counts[kind]).padStart(width)}`;
    print(`  ${counts[kind] === 0 ? out.dim(line) : kind === 'failed' ? out.red(line) : line}`);
  }
  const hasChanged = kinds.some((kind) => counts[kind] > 0 && kind !== 'unchanged' && kind !== 'failed');
  if (mode === 'plan')
    printMessage(`\nDry run: nothing was changed. This is the plan for ${counted(rows, 'row')}.`);
  else {
    printMessage(`\n${counted(rows, 'row')} in ${duration(ms)}.`);
    if (hasChanged) printMessage(err.dim(`To undo: rollcall calls undo --request-id ${requestId}`));
    if (tally.emails > 0) printMessage(err.dim(`  This does not cover ${emailChanges(tally.emails)}`));
  }
  if (report !== undefined) printMessage(err.dim(`Report: ${report}`));
}

function printFailures(failures: readonly Outcome[], total: number, report: string | undefined): void {
  for (const { row, employeeID, problem } of failures) {
    const id = employeeID === null ? '' : ` (${employeeID})`;
    const where = row === null ? `${employeeID} (not in the file)` : `Row ${count(row)}${id}`;
    printMessage(`${err.red('✗')} ${where}: ${sanitize(problem?.detail ?? '')}`);
  }
  const more = total - failures.length;
  if (more > 0)
    printMessage(
      `  … and ${count(more)} more.${report === undefined ? ' Use --report rows.csv to see all.' : ''}`,
    );
  if (total > 0) printMessage('');
}

function emailChanges(users: number): string {
  return `${counted(users, 'email change')}: emails are updated one by one, outside of bulk calls.`;
}
