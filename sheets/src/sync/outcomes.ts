import type { SyncProblem } from './rows.js';

/** What a row can do to a user. A row counts once, as its most important change. */
export const changeKinds = [
  'created',
  'rehired',
  'updated',
  'renamed',
  'deactivated',
  'reactivated',
] as const;
export type ChangeKind = (typeof changeKinds)[number];

/** What can happen to a row, or to a user missing from the file. */
export const outcomeKinds = [...changeKinds, 'unchanged', 'planned', 'failed'] as const;
export type OutcomeKind = (typeof outcomeKinds)[number];

/** What a bulk call says that an item did, or would do. */
export interface ItemEffect {
  readonly kind: string;
  readonly fields: {
    readonly isActive?: { readonly after?: unknown };
    readonly employeeID?: object;
  };
}

export function kindOfEffect({ kind, fields }: ItemEffect): ChangeKind | 'unchanged' {
  if (kind === 'created' || kind === 'rehired' || kind === 'unchanged') return kind;
  return kindOfUpdate(fields.isActive?.after, fields.employeeID !== undefined);
}

/** Of a user who exists: the new status, if it changes, and whether the employee ID does. */
export function kindOfUpdate(isActive: unknown, isRenamed: boolean): ChangeKind {
  if (isActive === false) return 'deactivated';
  if (isActive === true) return 'reactivated';
  return isRenamed ? 'renamed' : 'updated';
}

export interface SyncOutcome {
  /** Numbered as in a spreadsheet; null for users missing from the file. */
  readonly row: number | null;
  /** As in the file; null if unreadable, or not read because the row changes nothing. */
  readonly employeeID: string | null;
  readonly kind: OutcomeKind;
  readonly serial?: string | undefined;
  /** Names of the changed fields. */
  readonly changed?: readonly string[] | undefined;
  /** Names of fields that differ from the file, but may only be changed by an administrator. */
  readonly kept?: readonly string[] | undefined;
  readonly problem?: SyncProblem | undefined;
}

/** Counts outcomes and keeps the first failures. */
export class Tally {
  readonly #counts = Object.fromEntries(outcomeKinds.map((kind) => [kind, 0])) as Record<OutcomeKind, number>;
  readonly #fields = new Map<string, number>();
  readonly failures: SyncOutcome[] = [];
  /** Rows that differ in fields that were kept, because their users have a role. */
  kept = 0;

  static readonly failuresMax = 10;

  get counts(): Readonly<Record<OutcomeKind, number>> {
    return this.#counts;
  }

  /** How many existing users each field changes for. */
  get fields(): ReadonlyMap<string, number> {
    return this.#fields;
  }

  add(outcomes: readonly SyncOutcome[]): void {
    for (const outcome of outcomes) {
      this.#counts[outcome.kind]++;
      for (const field of (outcome.kind !== 'failed' && outcome.changed) || []) {
        this.#fields.set(field, (this.#fields.get(field) ?? 0) + 1);
      }
      if (outcome.kept) this.kept++;
      if (outcome.kind === 'failed' && this.failures.length < Tally.failuresMax) this.failures.push(outcome);
    }
  }
}
