import { print, printJson, say } from '../output.js';
import { count, counted, duration } from '../terminal/numbers.js';
import { err, out } from '../terminal/style.js';
import { harmless } from '../terminal/text-width.js';
import type { Tally } from './journal/resume-state.js';
import { kinds, type Outcome } from './outcome.js';
import { type Mode, wordOf } from './outcome-text.js';

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
  const counts = Object.fromEntries(kinds.map((kind) => [wordOf(kind, mode), tally.counts[kind]]));
  return { file, url, dryRun: mode === 'plan', rows, ...counts, requestId, ms: Math.round(ms), report };
}

function printTable({ mode, tally, rows, ms, requestId, report }: SummaryFacts): void {
  const { counts, failures } = tally;
  tellFailures(failures, counts.failed, report);
  const shown = kinds.filter((kind) => counts[kind] > 0 || kind !== 'deactivated');
  const width = Math.max(...shown.map((kind) => count(counts[kind]).length));
  for (const kind of shown) {
    const line = `${wordOf(kind, mode).padEnd(11)}  ${count(counts[kind]).padStart(width)}`;
    print(`  ${counts[kind] === 0 ? out.dim(line) : kind === 'failed' ? out.red(line) : line}`);
  }
  const hasChanged = kinds.some((kind) => counts[kind] > 0 && kind !== 'unchanged' && kind !== 'failed');
  if (mode === 'plan') say(`\nNothing was done: this is the plan for ${counted(rows, 'row')}.`);
  else {
    say(`\n${counted(rows, 'row')} in ${duration(ms)}.`);
    if (hasChanged) say(err.dim(`To take it back: rollcall calls undo --request-id ${requestId}`));
    if (tally.emails > 0) say(err.dim(`  but not for ${whoseEmail(tally.emails)}`));
  }
  if (report !== undefined) say(err.dim(`Every row is in ${report}.`));
}

function tellFailures(failures: readonly Outcome[], count_: number, report: string | undefined): void {
  for (const { row, employeeID, problem } of failures) {
    const who = employeeID === null ? '' : ` (${employeeID})`;
    const where = row === null ? `${employeeID}, not in the file` : `Row ${count(row)}${who}`;
    say(`${err.red('✗')} ${where}: ${harmless(problem?.detail ?? '')}`);
  }
  const more = count_ - failures.length;
  if (more > 0)
    say(`  … and ${count(more)} more.${report === undefined ? ' --report rows.csv has them all.' : ''}`);
  if (count_ > 0) say('');
}

function whoseEmail(people: number): string {
  return `${counted(people, 'person', 'people')} whose email changed: such changes are sent one by one, outside of calls.`;
}
