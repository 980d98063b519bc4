import type { MappedField, Mapping } from '@rollcall/sheets';
import { type Change, changeKinds } from './changes.js';
import { isValid, missingUserOf, openRows, problemsIn, type Rows } from './rows.js';

/** What the check says about a row. */
export type Verdict = Change | 'invalid' | 'waiting';

export function verdictOf(rows: Rows, row: number): Verdict {
  return isValid(rows, row) ? previewed(rows, row) : 'invalid';
}

function previewed({ previews }: Rows, row: number): Verdict {
  const preview = previews[row];
  if (!preview) return 'waiting';
  return preview.kind === 'rejected' ? 'invalid' : preview.change;
}

export const verdicts = [...changeKinds, 'unchanged', 'invalid', 'waiting'] as const satisfies Verdict[];

export interface CheckCounts extends Readonly<Record<Verdict, number>> {
  readonly all: number;
  /** Rows that change something. */
  readonly changes: number;
  /** Missing users among the deactivated. */
  readonly missing: number;
  readonly warnings: number;
  /** Invalid rows that only the service rejects. */
  readonly rejected: number;
}

/** Several parts of the page need the counts of the same rows. */
const countsOf = new WeakMap<Rows, CheckCounts>();

export function countChecks(rows: Rows): CheckCounts {
  const known = countsOf.get(rows);
  if (known) return known;
  const open = openRows(rows);
  const counts = zeros(verdicts);
  let missing = 0;
  let warnings = 0;
  let rejected = 0;
  for (const row of open) {
    const problems = problemsIn(rows, row);
    const isRead = problems.every(({ isWarning }) => isWarning);
    const verdict = isRead ? previewed(rows, row) : 'invalid';
    counts[verdict]++;
    if (verdict === 'invalid' && isRead) rejected++;
    if (missingUserOf(rows, row)) missing++;
    if (problems.some(({ isWarning }) => isWarning)) warnings++;
  }
  const changes = changeKinds.reduce((sum, kind) => sum + counts[kind], 0);
  const counted = { ...counts, all: open.length, changes, missing, warnings, rejected };
  countsOf.set(rows, counted);
  return counted;
}

function hasWarning(rows: Rows, row: number): boolean {
  return problemsIn(rows, row).some(({ isWarning }) => isWarning);
}

export const checkFilters = ['all', 'toReview', ...verdicts, 'warnings'] as const;
export type CheckFilter = (typeof checkFilters)[number];

/** How many rows change or are invalid, if these would be lost among others that stay as they are. */
export function countToReview({ all, unchanged }: CheckCounts): number {
  return unchanged * 2 > all ? all - unchanged : 0;
}

/** Rows in `kept` always show, so that a row does not vanish during editing. */
export function filterChecks(
  rows: Rows,
  open: readonly number[],
  filter: CheckFilter,
  kept: ReadonlySet<number>,
): readonly number[] {
  if (filter === 'all') return open;
  const matches = (row: number) => {
    if (filter === 'warnings') return hasWarning(rows, row);
    if (filter === 'toReview') return verdictOf(rows, row) !== 'unchanged';
    return verdictOf(rows, row) === filter;
  };
  return open.filter((row) => kept.has(row) || matches(row));
}

/**
 * Whether a run sends the row. What changes nothing is not sent. A preview of one part doesn't know the parts before it,
 * so a row that it rejects may succeed if there are several.
 */
export function isSent(rows: Rows, row: number, parts: number): boolean {
  const verdict = verdictOf(rows, row);
  if (verdict !== 'invalid') return verdict !== 'unchanged';
  return parts > 1 && isValid(rows, row);
}

/** How many rows a run sends. */
export function countSent({ all, unchanged, invalid, rejected }: CheckCounts, parts: number): number {
  return all - unchanged - invalid + (parts > 1 ? rejected : 0);
}

/** What became of a row. Rows that didn't need to be sent count as unchanged. */
export type Result = Change | 'invalid' | 'planned' | 'undone' | 'unknown' | 'notSent';

export const results = [
  ...changeKinds,
  'planned',
  'unchanged',
  'invalid',
  'undone',
  'unknown',
  'notSent',
] as const satisfies Result[];

export function resultOf(rows: Rows, row: number): Result {
  const outcome = rows.outcomes[row];
  if (outcome?.kind === 'done') return outcome.change;
  if (outcome) return outcome.kind === 'rejected' ? 'invalid' : outcome.kind;
  const verdict = verdictOf(rows, row);
  return verdict === 'invalid' || verdict === 'unchanged' ? verdict : 'notSent';
}

export interface ResultCounts extends Readonly<Record<Result, number>> {
  readonly all: number;
  /** Rows that changed something. */
  readonly done: number;
}

export function countResults(rows: Rows): ResultCounts {
  const counts = zeros(results);
  const shown = resultRows(rows);
  for (const row of shown) counts[resultOf(rows, row)]++;
  const done = changeKinds.reduce((sum, kind) => sum + counts[kind], 0);
  return { ...counts, all: shown.length, done };
}

/** All rows but those that were left out, and of missing users that were kept. */
export function resultRows(rows: Rows): number[] {
  const count = rows.cells.length + rows.missing.length;
  const shown: number[] = [];
  for (let row = 0; row < count; row++) if (!rows.kept.has(row) && !rows.leftOut.has(row)) shown.push(row);
  return shown;
}

/** Rows of the file that are invalid so far, before, during or after a run. */
export function invalidRows(rows: Rows): number[] {
  return openRows(rows).filter((row) => !missingUserOf(rows, row) && resultOf(rows, row) === 'invalid');
}

/** Whether something is wrong with the row in this column. */
export function isWrongIn(rows: Rows, row: number, column: number, mapping: Mapping): boolean {
  if (rejectedColumns(rows, row, mapping).includes(column)) return true;
  return problemsIn(rows, row).some((problem) => problem.column === column && !problem.isWarning);
}

/** The columns in which something is wrong or doubtful with any of the rows. */
export function problemColumns(rows: Rows, some: readonly number[], mapping: Mapping): ReadonlySet<number> {
  const columns = new Set<number>();
  for (const row of some) {
    for (const { column } of problemsIn(rows, row)) if (column !== undefined) columns.add(column);
    for (const column of rejectedColumns(rows, row, mapping)) columns.add(column);
  }
  return columns;
}

/** The service names a field. A file may lack the one that it names, and have another that would do. */
function rejectedColumns({ previews }: Rows, row: number, mapping: Mapping): readonly number[] {
  const preview = previews[row];
  const field = preview?.kind === 'rejected' ? preview.field : undefined;
  if (field === undefined) return none;
  return mapping[field as MappedField] ?? mapping[insteadOf[field] as MappedField] ?? none;
}

const insteadOf: Readonly<Record<string, MappedField>> = { newEmployeeID: 'employeeID', email: 'phone' };
const none: readonly number[] = [];

/** Why a row is invalid or failed. */
export function failureReason(rows: Rows, row: number): string {
  const outcome = rows.outcomes[row];
  if (outcome?.kind === 'rejected') return outcome.message;
  const problems = problemsIn(rows, row).flatMap(({ text, isWarning }) => (isWarning ? [] : [text]));
  const preview = rows.previews[row];
  return [...problems, ...(preview?.kind === 'rejected' ? [preview.message] : [])].join(' ');
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
