import { forEachInSlices } from '../../components/yield-to-browser.js';
import { type ChangeKind, changeKinds } from './changes.js';
import { newIDOf } from './row-facts.js';
import type { RowReader } from './row-reader.js';
import { missingUserOf, openRows, type Rows } from './rows.js';
import type { ImportState } from './state.js';
import { type Result, resultOf, resultRows, type Verdict, verdictOf } from './verdicts.js';

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

export const noUsers: UserCounts = createUserCounter().counts(0);

/** Before the run. In slices, because a file may have 100,000 rows. */
export function usersToChange(rows: Rows, reader: RowReader): Promise<UserCounts> {
  return usersOf(rows, reader, openRows(rows), verdictOf);
}

/** After the run. */
export function usersChanged(rows: Rows, reader: RowReader): Promise<UserCounts> {
  return usersOf(rows, reader, resultRows(rows), resultOf);
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

async function usersOf(
  rows: Rows,
  reader: RowReader,
  from: readonly number[],
  kindOf: (rows: Rows, row: number) => Verdict | Result,
): Promise<UserCounts> {
  const counter = createUserCounter();
  let leftOut = 0;
  await forEachInSlices(from, (row) => {
    const kind = kindOf(rows, row);
    if (kind === 'invalid' && !missingUserOf(rows, row)) leftOut++;
    if (!isChangeKind(kind)) return;
    const [id, newID] = [reader.idOf(rows, row), newIDOf(reader, rows, row)];
    counter.add({ id, newID, kind, getsPassword: kind === 'new' && !isCreatedInactive(rows, row) });
  });
  return counter.counts(leftOut);
}

function isChangeKind(kind: string): kind is ChangeKind {
  return (changeKinds as readonly string[]).includes(kind);
}

function isCreatedInactive({ previews }: Rows, row: number): boolean {
  const preview = previews[row];
  return preview?.kind === 'accepted' && preview.fields.isActive?.after === false;
}

/** Rows come in order, so a later one may call a user by the new employee ID. */
function createUserCounter() {
  const formerIDs = new Map<string, string>();
  const users = new Map<string, AffectedRow>();
  return {
    add: (each: AffectedRow) => {
      const user = formerIDs.get(each.id) ?? each.id;
      if (each.newID !== '') formerIDs.set(each.newID, user);
      const known = users.get(user);
      if (!known || ranks.indexOf(each.kind) < ranks.indexOf(known.kind)) users.set(user, each);
    },
    counts: (leftOut: number): UserCounts => {
      const counts = { new: 0, changed: 0, renamed: 0, deactivated: 0, reactivated: 0 };
      let passwords = 0;
      for (const { kind, getsPassword } of users.values()) {
        counts[kind]++;
        if (getsPassword) passwords++;
      }
      return { ...counts, all: users.size, passwords, leftOut };
    },
  };
}
