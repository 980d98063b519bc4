import { attributeField, type EntryField, entryFields, type Survey } from '@rollcall/sheets';
import { changedAttributes } from '../../components/attribute-value.js';
import { forEachInSlices } from '../../components/yield-to-browser.js';
import { type ChangeKind, changeKinds } from './changes.js';
import { type Names, noNames } from './names.js';
import { newIDOf } from './row-facts.js';
import type { RowReader } from './row-reader.js';
import { type ChangedFields, missingUserOf, openRows, type Rows } from './rows.js';
import { sendingOrder } from './split-into-calls.js';
import type { ImportState } from './state.js';
import { isSent, type Result, resultOf, resultRows, type Verdict, verdictOf } from './verdicts.js';

/** How many users an import affects. Each counts once, even if several rows are about the same one. */
export interface UserCounts extends Readonly<Record<ChangeKind, number>> {
  readonly all: number;
  /** New users whose password can be sent at once. Inactive ones get it when they are activated. */
  readonly passwords: number;
  /** Rows of the file that are left out because they are invalid. */
  readonly leftOut: number;
  /** Rows that were sent and failed. */
  readonly failed: number;
  /** How many existing users each field or attribute changes for, if any. */
  readonly fields: ReadonlyMap<string, number>;
  /** The serials of organizations and tags that the file adds to the directories. */
  readonly newEntries: Readonly<Record<EntryField, readonly string[]>>;
}

/** The most important change of a user comes first. */
const ranks: readonly ChangeKind[] = ['created', 'deactivated', 'reactivated', 'renamed', 'updated'];

export const noUsers: UserCounts = createUserCounter(noNames.newSerials).counts(0, 0);

/** Before the run. In slices, because a file may have 100,000 rows. */
export function usersToChange(
  rows: Rows,
  reader: RowReader,
  survey?: Survey,
  parts = 1,
): Promise<UserCounts> {
  return usersOf(rows, reader, sendingOrder(rows, openRows(rows), reader, survey), verdictOf, parts);
}

/** After the run. */
export function usersChanged(rows: Rows, reader: RowReader, survey?: Survey): Promise<UserCounts> {
  return usersOf(rows, reader, sendingOrder(rows, resultRows(rows), reader, survey), resultOf);
}

/** How many passwords wait for their release, also those of inactive users. */
export function passwordsHeld({ rows, calls }: Pick<ImportState, 'rows' | 'calls'>): number {
  if (!rows) return 0;
  const held = calls.filter(({ deliver, undoneBy }) => deliver === 'hold' && undoneBy === undefined);
  return held.flatMap((call) => call.rows).filter((row) => resultOf(rows, row) === 'created').length;
}

interface AffectedRow {
  readonly id: string;
  readonly newID: string;
  readonly kind: ChangeKind;
  readonly getsPassword: boolean;
  /** What the preview says. */
  readonly changes: ChangedFields;
}

async function usersOf(
  rows: Rows,
  reader: RowReader,
  from: readonly number[],
  kindOf: (rows: Rows, row: number) => Verdict | Result,
  parts = 1,
): Promise<UserCounts> {
  const counter = createUserCounter(reader.rules.names.newSerials);
  let leftOut = 0;
  let failed = 0;
  await forEachInSlices(from, (row) => {
    const kind = kindOf(rows, row);
    if (kind === 'invalid' && !missingUserOf(rows, row)) {
      if (kindOf === resultOf && rows.outcomes[row]?.kind === 'rejected') failed++;
      else if (!isSent(rows, row, parts)) leftOut++;
    }
    if (!isChangeKind(kind)) return;
    const [id, newID] = [reader.idOf(rows, row), newIDOf(reader, rows, row)];
    const preview = rows.previews[row];
    const changes = preview?.kind === 'accepted' ? preview.fields : {};
    const getsPassword = kind === 'created' && changes.isActive?.after !== false;
    counter.add({ id, newID, kind, getsPassword, changes });
  });
  return counter.counts(leftOut, failed);
}

function isChangeKind(kind: string): kind is ChangeKind {
  return (changeKinds as readonly string[]).includes(kind);
}

interface AffectedUser extends Pick<AffectedRow, 'kind' | 'getsPassword'> {
  readonly fields: ReadonlySet<string>;
}

/** Rows come in the order in which they are sent, so a later one may call a user by the new employee ID. */
function createUserCounter(newSerials: Names['newSerials']) {
  const formerIDs = new Map<string, string>();
  const users = new Map<string, AffectedUser>();
  const added = { organizationSerial: new Set<string>(), tagSerials: new Set<string>() };
  return {
    add: ({ id, newID, kind, getsPassword, changes }: AffectedRow) => {
      const user = formerIDs.get(id) ?? id;
      if (newID !== '') formerIDs.set(newID, user);
      const known = users.get(user);
      const fields = changedFields(changes, known?.fields);
      const isFirst = !known || ranks.indexOf(kind) < ranks.indexOf(known.kind);
      users.set(user, isFirst ? { kind, getsPassword, fields } : { ...known, fields });
      for (const field of entryFields) {
        for (const serial of [changes[field]?.after].flat()) {
          if (typeof serial === 'string' && newSerials[field].has(serial)) added[field].add(serial);
        }
      }
    },
    counts: (leftOut: number, failed: number): UserCounts => {
      const counts = { created: 0, updated: 0, renamed: 0, deactivated: 0, reactivated: 0 };
      let passwords = 0;
      for (const { kind, getsPassword } of users.values()) {
        counts[kind]++;
        if (getsPassword) passwords++;
      }
      const newEntries = {
        organizationSerial: [...added.organizationSerial],
        tagSerials: [...added.tagSerials],
      };
      return {
        ...counts,
        all: users.size,
        passwords,
        leftOut,
        failed,
        fields: fieldCounts(users),
        newEntries,
      };
    },
  };
}

function changedFields(
  { attributes, ...changes }: ChangedFields,
  before: Iterable<string> = [],
): Set<string> {
  const keys = changedAttributes(attributes).map(({ key }) => attributeField(key));
  return new Set([...before, ...Object.keys(changes), ...keys]);
}

/** Everything about a new user is new. */
function fieldCounts(users: ReadonlyMap<string, AffectedUser>): UserCounts['fields'] {
  const counts = new Map<string, number>();
  for (const { kind, fields } of users.values()) {
    if (kind === 'created') continue;
    for (const field of fields) counts.set(field, (counts.get(field) ?? 0) + 1);
  }
  return counts;
}
