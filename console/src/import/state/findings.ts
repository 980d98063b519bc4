import { forEachInSlices } from '../../components/yield-to-browser.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import type { Knowledge } from './knowledge.js';
import type { RowFacts } from './row-facts.js';
import { createRowGroups, type RowGroups } from './row-groups.js';
import type { Findings, RowProblem, Rows } from './rows.js';
import { verdictOf } from './verdicts.js';

const copy = importReviewCopy;

export interface FindingColumns {
  readonly id: number | undefined;
  readonly name: number | undefined;
  readonly email: number | undefined;
  readonly phone: number | undefined;
}

/** The rows of a file, by what two of them must not have in common. */
interface Groups {
  readonly rowsByID: RowGroups<number>;
  /** Only of rows with an employee ID that others have. */
  readonly namesByID: RowGroups<string>;
  readonly emailsByID: RowGroups<string>;
  readonly idsByEmail: RowGroups<string>;
}

/** In slices, because a file may have 100,000 rows. */
export async function findingsOf(
  facts: readonly RowFacts[],
  rows: Rows,
  columns: FindingColumns,
  knowledge: Knowledge,
): Promise<Findings> {
  const groups = await groupRows(facts);
  const findings = new Map<number, readonly RowProblem[]>();
  await forEachInSlices(facts, (each) => {
    const found = [
      ...duplicateID(each, groups, rows, columns.id),
      ...formerID(each, rows, columns.id, knowledge),
      ...unusualID(each, rows, columns.id, knowledge.usualDigits),
      ...sharedEmail(each, groups, rows, columns.email, knowledge),
      ...incompleteEmail(each, rows, columns.email),
      ...phoneWithoutDigits(each, rows, columns.phone),
      ...lostLetters(each, columns.name),
    ];
    if (found.length > 0) findings.set(each.row, found);
  });
  return findings;
}

async function groupRows(facts: readonly RowFacts[]): Promise<Groups> {
  const rowsByID = createRowGroups<number>();
  const namesByID = createRowGroups<string>();
  const emailsByID = createRowGroups<string>();
  const idsByEmail = createRowGroups<string>();
  await forEachInSlices(facts, (each) => {
    rowsByID.add(each.id, each.row, each);
    if (each.email !== '') emailsByID.add(each.id, each.email, each);
    idsByEmail.add(each.email, each.id, each);
  });
  await forEachInSlices(facts, (each) => {
    if (isNamed(each) && rowsByID.firstOther(each.id, each.row)) {
      namesByID.add(each.id, comparable(each.name), each);
    }
  });
  return { rowsByID, namesByID, emailsByID, idsByEmail };
}

/**
 * With different names, one person would become the other. A row that changes the employee ID gives it up, so that
 * somebody else may have it. The later of two rows has its warning already.
 */
function duplicateID(
  each: RowFacts,
  { rowsByID, namesByID }: Groups,
  rows: Rows,
  column: number | undefined,
): RowProblem[] {
  const first = rowsByID.firstOther(each.id, each.row);
  if (!first) return [];
  const another = isNamed(each) ? namesByID.firstOther(each.id, comparable(each.name)) : undefined;
  const numberOf = ({ row }: RowFacts) => rows.numbers[row] ?? 0;
  if (another) return [{ column, text: copy.otherName(numberOf(another)), isWarning: false }];
  return first.row > each.row
    ? [{ column, text: importCopy.duplicateEmployeeID(numberOf(first)), isWarning: true }]
    : [];
}

/** Whether the row says who has its employee ID. */
function isNamed({ name, newID }: RowFacts): boolean {
  return name !== '' && newID === '';
}

function comparable(name: string): string {
  return name.normalize('NFC').toLowerCase().replace(/\s+/gu, ' ');
}

/** Only for new users: the employee IDs of others are as they are. */
function unusualID(
  { row, id }: RowFacts,
  rows: Rows,
  column: number | undefined,
  usual: number | undefined,
): RowProblem[] {
  if (usual === undefined || !/^\d+$/.test(id) || id.length === usual) return [];
  if (verdictOf(rows, row) !== 'created') return [];
  return [{ column, text: copy.unusualID(id.length, usual), isWarning: true }];
}

/** A row with the ID of before would create a second user, or be invalid. */
function formerID(
  { row, id }: RowFacts,
  rows: Rows,
  column: number | undefined,
  { formerHolders }: Knowledge,
): RowProblem[] {
  const user = formerHolders.get(id);
  if (!user || !isNobodys(rows, row)) return [];
  return [{ column, text: copy.formerID, isWarning: true, user, suggestion: user.employeeID }];
}

/** Whether the row seems to be about nobody who exists. */
export function isNobodys(rows: Rows, row: number): boolean {
  const verdict = verdictOf(rows, row);
  return verdict === 'created' || verdict === 'invalid';
}

/** Only for addresses that the row would set: those that two users share already are as they are. */
function sharedEmail(
  each: RowFacts,
  { emailsByID, idsByEmail }: Groups,
  rows: Rows,
  column: number | undefined,
  { emailOwners }: Knowledge,
): RowProblem[] {
  if (!sets(rows, each, 'email')) return [];
  const owner = emailOwners.get(each.email);
  const isOther = owner && owner.employeeID !== each.id && owner.employeeID !== each.newID;
  // The file may give the owner another address.
  if (isOther && !emailsByID.firstOther(owner.employeeID, each.email)) {
    return [{ column, text: copy.emailTaken, isWarning: true, user: owner }];
  }
  const other = idsByEmail.firstOther(each.email, each.id);
  if (!other) return [];
  const text = copy.emailOfRow(other.name || other.id, rows.numbers[other.row] ?? 0);
  return [{ column, text, isWarning: true }];
}

/** Whether the row gives its user a value that the user doesn't have yet. */
export function sets({ previews }: Rows, each: RowFacts, field: 'email' | 'phone'): boolean {
  const preview = previews[each.row];
  if (each[field] === '' || preview?.kind !== 'accepted') return false;
  return preview.change === 'created' || preview.fields[field] !== undefined;
}

/** The service takes addresses of its own network, such as `ada@mail`. In a file, the end is rather missing. */
function incompleteEmail(each: RowFacts, rows: Rows, column: number | undefined): RowProblem[] {
  if (!sets(rows, each, 'email') || /@.*[^.]\.[^.]+$/u.test(each.email)) return [];
  return [{ column, text: copy.incompleteEmail, isWarning: true }];
}

/** The service takes any text, such as "ext. 27". */
function phoneWithoutDigits(each: RowFacts, rows: Rows, column: number | undefined): RowProblem[] {
  if (!sets(rows, each, 'phone') || /\d/.test(each.phone)) return [];
  return [{ column, text: copy.phoneWithoutDigits, isWarning: true }];
}

/** Programs write a question mark for letters that their encoding lacks. */
function lostLetters({ name }: RowFacts, column: number | undefined): RowProblem[] {
  if (!/\p{L}\?|\?\p{L}|\uFFFD/u.test(name)) return [];
  return [{ column, text: copy.lostLetters, isWarning: true }];
}
