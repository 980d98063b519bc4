import {
  attributeKey,
  changeKinds,
  type EntryField,
  isAttributeField,
  type OutcomeKind,
  outcomeKinds,
  type SyncOutcome,
  type Tally,
} from '#sheets';
import { fieldRows, plainFields } from '../../contract/user-values.js';
import { type Mode, outcomeText } from '../outcome-text.js';
import { print, printJson, printMessage } from '../output.js';
import { isUnapproved, type PlannedCall, waitingText } from '../planning/planned-call.js';
import { count, counted, duration } from '../terminal/numbers.js';
import { err, out } from '../terminal/style.js';
import { sanitize } from '../terminal/text-width.js';

export interface SummaryFacts {
  readonly file: string;
  readonly url: string;
  readonly rows: number;
  readonly mode: Mode;
  readonly tally: Tally;
  /** Entries that the file adds to the directories. */
  readonly newEntries: Readonly<Record<EntryField, readonly string[]>>;
  readonly plannedCalls: readonly PlannedCall[];
  readonly requestId: string;
  readonly ms: number;
  readonly report: string | undefined;
}

export function printSummary(facts: SummaryFacts, json: boolean | undefined): void {
  if (json) printJson(asJson(facts));
  else printTable(facts);
}

function asJson(facts: SummaryFacts) {
  const { file, url, rows, mode, tally, newEntries, plannedCalls, requestId, ms, report } = facts;
  const { organizationSerial: newOrganizations, tagSerials: newTags } = newEntries;
  const changedFields = Object.fromEntries(tally.fields);
  const counts = Object.fromEntries(
    outcomeKinds.map((kind) => [outcomeText(kind, mode), tally.counts[kind]]),
  );
  return {
    ...{ file, url, dryRun: mode === 'plan', rows, ...counts, requestId, ms: Math.round(ms), report },
    ...{ changedFields, newOrganizations, newTags },
    ...(tally.kept > 0 ? { kept: tally.kept } : {}),
    ...(plannedCalls.length > 0 ? { plannedCalls } : {}),
  };
}

/** Most syncs have none of these. */
const shownIfAny: readonly OutcomeKind[] = ['rehired', 'deactivated', 'reactivated', 'planned'];

/** "Organization: 1,860 users, 13 new organizations". Attributes follow the fields, by key. */
function fieldLines({ tally, newEntries }: Pick<SummaryFacts, 'tally' | 'newEntries'>): string[] {
  const attributes = [...tally.fields].flatMap(([field, users]) =>
    isAttributeField(field) ? [`${attributeKey(field)}: ${counted(users, 'user')}`] : [],
  );
  const fields = plainFields.flatMap((field) => {
    const { label } = fieldRows[field];
    const users = tally.fields.get(field) ?? 0;
    const added = field === 'organizationSerial' || field === 'tagSerials' ? newEntries[field].length : 0;
    const noun = field === 'tagSerials' ? 'tag' : 'organization';
    const parts = [
      ...(users > 0 ? [counted(users, 'user')] : []),
      ...(added > 0 ? [`${count(added)} new ${added === 1 ? noun : `${noun}s`}`] : []),
    ];
    return parts.length === 0 ? [] : [`${label}: ${parts.join(', ')}`];
  });
  return [...fields, ...attributes];
}

function printTable(facts: SummaryFacts): void {
  const { mode, tally, plannedCalls, rows, ms, requestId, report } = facts;
  const { counts, failures } = tally;
  printFailures(failures, counts.failed, report);
  if (tally.kept > 0) printMessage(`${err.yellow('!')} ${keptFields(tally.kept)}\n`);
  const shown = outcomeKinds.filter((kind) => counts[kind] > 0 || !shownIfAny.includes(kind));
  const width = Math.max(...shown.map((kind) => count(counts[kind]).length));
  for (const kind of shown) {
    const line = `${outcomeText(kind, mode).padEnd(11)}  ${count(counts[kind]).padStart(width)}`;
    print(`  ${counts[kind] === 0 ? out.dim(line) : kind === 'failed' ? out.red(line) : line}`);
  }
  const fields = fieldLines(facts);
  if (fields.length > 0) print(`\n${fields.map((line) => `  ${line}`).join('\n')}`);
  const hasChanged = changeKinds.some((kind) => counts[kind] > 0);
  if (mode === 'plan')
    printMessage(`\nDry run: nothing was changed. This is the plan for ${counted(rows, 'row')}.`);
  else {
    printMessage(`\n${counted(rows, 'row')} in ${duration(ms)}.`);
    if (hasChanged) printMessage(err.dim(`To undo: rollcall calls undo --request-id ${requestId}`));
    if (plannedCalls.length > 0) printPlannedCalls(plannedCalls, counts.planned, requestId);
  }
  if (report !== undefined) printMessage(err.dim(`Report: ${report}`));
}

const callsShownMax = 10;

function printPlannedCalls(calls: readonly PlannedCall[], rows: number, requestId: string): void {
  const are = rows === 1 ? 'is' : 'are';
  printMessage(
    `${counted(rows, 'row')} ${are} planned, in ${counted(calls.length, 'call')}. Nothing has changed for ${rows === 1 ? 'it' : 'them'} yet.`,
  );
  if (calls.length > callsShownMax) {
    printMessage(err.dim(`To list them: rollcall calls list --request-id ${requestId} --all`));
    return;
  }
  for (const { id, plan } of calls) if (plan) printMessage(`  ${waitingText(plan)}, call ${id}`);
  const ids = calls.map(({ id }) => id).join(' ');
  const unapproved = calls.filter(({ plan }) => plan && isUnapproved(plan)).map(({ id }) => id);
  if (unapproved.length > 0) {
    printMessage(err.dim(`To approve, as someone else: rollcall calls approve ${unapproved.join(' ')}`));
  }
  printMessage(err.dim(`To cancel: rollcall calls cancel ${ids}`));
}

function printFailures(failures: readonly SyncOutcome[], total: number, report: string | undefined): void {
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

function keptFields(rows: number): string {
  const differ = rows === 1 ? 'differs' : 'differ';
  return `${counted(rows, 'row')} ${differ} in the username, address or status of a user with a role, which were kept: changing them requires access:admin.`;
}
