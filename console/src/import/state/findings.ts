import { importCopy, importReviewCopy } from '../../copy/copy.js';
import type { Knowledge } from './knowledge.js';
import { groupsBy, type RowFacts } from './row-facts.js';
import type { Findings, RowProblem, Rows } from './rows.js';
import { verdictOf } from './verdicts.js';

const copy = importReviewCopy;

export interface FindingColumns {
  readonly id: number | undefined;
  readonly name: number | undefined;
  readonly email: number | undefined;
}

export function findingsOf(
  facts: readonly RowFacts[],
  rows: Rows,
  columns: FindingColumns,
  knowledge: Knowledge,
): Findings {
  const byID = groupsBy(facts, 'id');
  const byEmail = groupsBy(facts, 'email');
  const findings = new Map<number, readonly RowProblem[]>();
  for (const each of facts) {
    const found = [
      ...duplicateID(each, byID.get(each.id) ?? [], rows, columns.id),
      ...unusualID(each, rows, columns.id, knowledge.usualDigits),
      ...sharedEmail(each, rows, columns.email, byEmail, byID, knowledge),
      ...lostLetters(each, columns.name),
    ];
    if (found.length > 0) findings.set(each.row, found);
  }
  return findings;
}

/**
 * With different names, one person would become the other. A row that changes the employee ID gives it up, so that
 * somebody else may have it. The later of two rows has its warning already.
 */
function duplicateID(
  each: RowFacts,
  group: readonly RowFacts[],
  rows: Rows,
  column: number | undefined,
): RowProblem[] {
  const others = group.filter(({ row }) => row !== each.row);
  const [first] = others;
  if (!first) return [];
  const another = others.find((other) => isAnotherPerson(each, other));
  const numberOf = ({ row }: RowFacts) => rows.numbers[row] ?? 0;
  if (another) return [{ column, text: copy.otherName(numberOf(another)), isWarning: false }];
  return first.row > each.row
    ? [{ column, text: importCopy.duplicateEmployeeID(numberOf(first)), isWarning: true }]
    : [];
}

function isAnotherPerson(a: RowFacts, b: RowFacts): boolean {
  if (a.newID !== '' || b.newID !== '' || a.name === '' || b.name === '') return false;
  return comparable(a.name) !== comparable(b.name);
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
  if (verdictOf(rows, row) !== 'new') return [];
  return [{ column, text: copy.unusualID(id.length, usual), isWarning: true }];
}

/** Only for addresses that the row would set: those that two users share already are as they are. */
function sharedEmail(
  each: RowFacts,
  rows: Rows,
  column: number | undefined,
  byEmail: ReadonlyMap<string, readonly RowFacts[]>,
  byID: ReadonlyMap<string, readonly RowFacts[]>,
  { emailOwners }: Knowledge,
): RowProblem[] {
  if (!setsEmail(rows, each)) return [];
  const owner = emailOwners.get(each.email);
  const isOther = owner && owner.employeeID !== each.id && owner.employeeID !== each.newID;
  // The file may give the owner another address.
  const keepsIt = isOther && (byID.get(owner.employeeID) ?? []).every(({ email }) => isSameOrEmpty(email));
  if (isOther && keepsIt) {
    return [{ column, text: copy.emailOfUser(owner.name, owner.employeeID), isWarning: true }];
  }
  const other = byEmail.get(each.email)?.find(({ id }) => id !== each.id);
  if (!other) return [];
  const text = copy.emailOfRow(other.name || other.id, rows.numbers[other.row] ?? 0);
  return [{ column, text, isWarning: true }];

  function isSameOrEmpty(email: string): boolean {
    return email === '' || email === each.email;
  }
}

/** Whether the row gives its user an email address that the user doesn't have yet. */
export function setsEmail({ previews }: Rows, { row, email }: RowFacts): boolean {
  const preview = previews[row];
  if (email === '' || preview?.kind !== 'accepted') return false;
  return preview.change === 'new' || preview.fields.email !== undefined;
}

/** Programs write a question mark for letters that their encoding lacks. */
function lostLetters({ name }: RowFacts, column: number | undefined): RowProblem[] {
  if (!/\p{L}\?|\?\p{L}|\uFFFD/u.test(name)) return [];
  return [{ column, text: copy.lostLetters, isWarning: true }];
}
