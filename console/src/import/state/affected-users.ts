import { type ChangeKind, changeKinds } from './changes.js';
import { factsOf } from './row-facts.js';
import type { RowReader } from './row-reader.js';
import { missingUserOf, openRows, type Rows } from './rows.js';
import type { ImportState } from './state.js';
import { resultOf, resultRows, verdictOf } from './verdicts.js';

/** How many users an import affects. Each counts once, even if several rows are about the same one. */
export interface UserCounts extends Readonly<Record<ChangeKind, number>> {
  readonly all: number;
  /** New users whose password can be sent at once. Inactive ones get it when they are activated. */
  readonly passwords: number;
  /** Rows of the file that are left out because they are invalid. */
  readonly leftOut: number;
}

/** The most important change of a user comes first. */
const ranks: readonly ChangeKind[] = ['new', 'deactivated', 'reactivated', 'renamed', 'changed'];

export const noUsers: UserCounts = countUsers([], 0);

/** Before the run. */
export function usersToChange(rows: Rows, reader: RowReader): UserCounts {
  const open = openRows(rows);
  const leftOut = open.filter((row) => !missingUserOf(rows, row) && verdictOf(rows, row) === 'invalid');
  return countUsers(affectedRows(rows, reader, open, verdictOf), leftOut.length);
}

/** After the run. */
export function usersChanged(rows: Rows, reader: RowReader): UserCounts {
  const shown = resultRows(rows);
  const leftOut = shown.filter((row) => !missingUserOf(rows, row) && resultOf(rows, row) === 'invalid');
  return countUsers(affectedRows(rows, reader, shown, resultOf), leftOut.length);
}

/** How many passwords wait for their release, also those of inactive users. */
export function passwordsHeld({ rows, calls }: Pick<ImportState, 'rows' | 'calls'>): number {
  if (!rows) return 0;
  const held = calls.filter(({ deliver, undoneBy }) => deliver === 'hold' && undoneBy === undefined);
  return held.flatMap((call) => call.rows).filter((row) => resultOf(rows, row) === 'new').length;
}

interface AffectedRow {
  readonly id: string;
  readonly newID: string;
  readonly kind: ChangeKind;
  readonly getsPassword: boolean;
}

function affectedRows(
  rows: Rows,
  reader: RowReader,
  from: readonly number[],
  kindOf: (rows: Rows, row: number) => string,
): AffectedRow[] {
  return from.flatMap((row) => {
    const kind = kindOf(rows, row);
    if (!isChangeKind(kind)) return [];
    const { id, newID } = factsOf(reader, rows, row);
    return [{ id, newID, kind, getsPassword: kind === 'new' && !isCreatedInactive(rows, row) }];
  });
}

function isChangeKind(kind: string): kind is ChangeKind {
  return (changeKinds as readonly string[]).includes(kind);
}

function isCreatedInactive({ previews }: Rows, row: number): boolean {
  const preview = previews[row];
  return preview?.kind === 'accepted' && preview.fields.isActive?.after === false;
}

/** Rows are in order, so a later one may call a user by the new employee ID. */
export function countUsers(from: readonly AffectedRow[], leftOut: number): UserCounts {
  const formerIDs = new Map<string, string>();
  const users = new Map<string, AffectedRow>();
  for (const each of from) {
    const user = formerIDs.get(each.id) ?? each.id;
    if (each.newID !== '') formerIDs.set(each.newID, user);
    const known = users.get(user);
    if (!known || ranks.indexOf(each.kind) < ranks.indexOf(known.kind)) users.set(user, each);
  }
  const all = [...users.values()];
  const counts = Object.fromEntries(
    changeKinds.map((kind) => [kind, all.filter((user) => user.kind === kind).length]),
  ) as Record<ChangeKind, number>;
  const passwords = all.filter(({ getsPassword }) => getsPassword).length;
  return { ...counts, all: all.length, passwords, leftOut };
}
