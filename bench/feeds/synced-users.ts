import type { RunProfile, SourceColumn } from '../../src/domain/feeds/limits/run-profile.js';
import { type Column, cell, columns, fieldOfColumn, type Row, type Sheet } from './sheet.js';

interface SyncedUser {
  row: Row;
  isActive: boolean;
  deactivatedOn: number;
  /** The value before the last change of a column, by column. */
  readonly replaced: Map<Column, { readonly value: string; readonly night: number }>;
}

/** What a run does to users; rows that change nothing are only counted. */
interface Plan {
  readonly created: readonly Row[];
  readonly rehired: readonly Match[];
  readonly updated: readonly (Match & { readonly columns: readonly Column[] })[];
  readonly missing: readonly SyncedUser[];
  readonly failed: number;
  readonly unchanged: number;
}

interface Match {
  readonly user: SyncedUser;
  readonly row: Row;
}

const fieldColumns = Object.keys(fieldOfColumn) as (keyof typeof fieldOfColumn)[]; // Object.keys forgets the type's keys
const revertedNightsMax = 45;
const sourceColumns: Readonly<Record<string, SourceColumn>> = Object.fromEntries(
  fieldColumns.map((column) => [
    fieldOfColumn[column],
    { number: columns.indexOf(column) + 1, heading: column },
  ]),
);

/** The users of the service, in as much detail as a feed needs. */
export class SyncedUsers {
  readonly #users = new Map<string, SyncedUser>();

  profile(sheet: Sheet, night: number, fileSeenBefore: RunProfile['fileSeenBefore']): RunProfile {
    const plan = this.#plan(sheet);
    const active = [...this.#users.values()].filter(({ isActive }) => isActive).length;
    const renamed = plan.updated.filter(({ user, row }) => isRename(user, row)).length;
    return {
      rows: sheet.rows.length,
      users: active,
      created: plan.created.length,
      rehired: plan.rehired.length,
      updated: plan.updated.length - renamed,
      renamed,
      deactivated: plan.missing.length,
      reactivated: 0,
      failed: plan.failed,
      unchanged: plan.unchanged,
      missing: plan.missing.length,
      planned: 0,
      withdrawn: 0,
      reverted: revertedBy(plan, night),
      changed: countedByField(plan, () => true),
      emptied: countedByField(plan, ({ row }, column) => cell(row, column) === ''),
      columns: sourceColumns,
      fileSeenBefore,
    };
  }

  apply(sheet: Sheet, night: number): void {
    const { created, rehired, updated, missing } = this.#plan(sheet);
    for (const user of missing) Object.assign(user, { isActive: false, deactivatedOn: night });
    for (const { user, row } of rehired) Object.assign(user, { row, isActive: true });
    for (const { user, row, columns } of updated) {
      for (const column of columns) user.replaced.set(column, { value: cell(user.row, column), night });
      if (isRename(user, row)) {
        this.#users.delete(cell(user.row, 'employeeID'));
        this.#users.set(cell(row, 'employeeID'), user);
      }
      user.row = row;
    }
    for (const row of created)
      this.#users.set(cell(row, 'employeeID'), {
        row,
        isActive: true,
        deactivatedOn: -1,
        replaced: new Map(),
      });
  }

  #plan({ rows }: Sheet): Plan {
    const seen = new Set<string>();
    const found = new Set<SyncedUser>();
    const plan = { created: [] as Row[], rehired: [] as Match[], updated: [] as Plan['updated'][number][] };
    let failed = 0;
    let unchanged = 0;
    for (const row of rows) {
      const id = cell(row, 'employeeID');
      const user = this.#users.get(id) ?? this.#users.get(cell(row, 'previousID'));
      // A user whose row fails is still in the file.
      if (user) found.add(user);
      if (seen.has(id) || !isValid(row)) failed++;
      else if (!user) plan.created.push(row);
      else if (!user.isActive) plan.rehired.push({ user, row });
      else {
        const changed =
          user.row === row
            ? []
            : fieldColumns.filter((column) => cell(user.row, column) !== cell(row, column));
        if (changed.length === 0 && !isRename(user, row)) unchanged++;
        else plan.updated.push({ user, row, columns: changed });
      }
      seen.add(id);
    }
    const missing = [...this.#users.values()].filter((user) => user.isActive && !found.has(user));
    return { ...plan, missing, failed, unchanged };
  }
}

function isValid(row: Row): boolean {
  const email = cell(row, 'email');
  const isReachable = email !== '' || cell(row, 'phone') !== '';
  return (
    cell(row, 'employeeID') !== '' &&
    cell(row, 'name') !== '' &&
    isReachable &&
    /^(?:[^@]+@[^@]+)?$/.test(email)
  );
}

function isRename(user: SyncedUser, row: Row): boolean {
  return cell(user.row, 'employeeID') !== cell(row, 'employeeID');
}

function revertedBy({ rehired, updated }: Plan, night: number): number {
  const isRecent = (changedOn: number) => night - changedOn <= revertedNightsMax;
  const returned = rehired.filter(({ user }) => isRecent(user.deactivatedOn));
  const changedBack = updated.filter(({ user, row, columns }) =>
    columns.some((column) => {
      const replaced = user.replaced.get(column);
      return replaced && isRecent(replaced.night) && replaced.value === cell(row, column);
    }),
  );
  return returned.length + changedBack.length;
}

function countedByField(
  { updated }: Plan,
  isCounted: (match: Match, column: Column) => boolean,
): Record<string, number> {
  return Object.fromEntries(
    fieldColumns.map((column) => [
      fieldOfColumn[column],
      updated.filter((match) => match.columns.includes(column) && isCounted(match, column)).length,
    ]),
  );
}
