import type { SyncItem } from '../items.js';
import type { Decision, SendDecision } from './decide.js';
import type { OutcomeKind, SyncOutcome } from './outcomes.js';
import type { SyncRow } from './rows.js';

/** A bulk upsert with the items of some rows. */
export interface SyncCall {
  /** Whether it may create users. */
  readonly create: boolean;
  readonly items: readonly SyncItem[];
  /** The index of the row of each item. */
  readonly at: readonly number[];
}

/**
 * The calls for some rows, in the order in which they have to be sent: updates come first, because they may release a
 * name that a new user takes. An update must not create, because its item contains only what differs: a user who was
 * renamed after the lookup would be created a second time. A user to rehire who is gone by now is created.
 */
export function callsFor(decisions: readonly Decision[]): SyncCall[] {
  return [false, true].flatMap((create): SyncCall[] => {
    const at: number[] = [];
    const items: SyncItem[] = [];
    for (const [index, decision] of decisions.entries()) {
      if (decision.action !== 'send' || isForNewUser(decision) !== create) continue;
      at.push(index);
      items.push(decision.item);
    }
    return items.length > 0 ? [{ create, items, at }] : [];
  });
}

function isForNewUser({ kind }: SendDecision): boolean {
  return kind === 'created' || kind === 'rehired';
}

/** Identifies a call within a run: a chunk has at most one that updates and one that also creates. */
export function callKey(chunk: string, { create }: Pick<SyncCall, 'create'>): string {
  return `${chunk}-${create ? 'c' : 'u'}`;
}

/** What the service says about an item. */
export type ItemResult =
  | {
      readonly ok: true;
      readonly serial: string | null;
      /** What the item did, if the service says so. */
      readonly kind?: OutcomeKind | undefined;
      /** The item has not been done yet: its call waits for its time or for approval. */
      readonly isPlanned?: boolean;
    }
  | {
      readonly ok: false;
      readonly code: string;
      readonly detail: string;
      /** The name that the item needs and another user has. */
      readonly taken?: string | undefined;
    };

/** Another row, or another caller, may still resolve these. */
const retryableCodes: ReadonlySet<string> = new Set([
  'USER_EMPLOYEE_ID_EXISTS',
  'USER_USERNAME_EXISTS',
  'USER_ATTRIBUTE_EXISTS',
  'USER_NOT_FOUND',
  'USER_MANAGER_NOT_FOUND',
  'USER_MANAGER_CYCLE',
]);

/** Whether the row may succeed once all others are done. */
export function isRetryable(result: ItemResult | undefined): boolean {
  return result?.ok === false && retryableCodes.has(result.code);
}

/** What became of a row. `intended` is what an interrupted sync was about to do for it, and may have done. */
export function outcomeOf(
  { row, employeeID }: SyncRow,
  decision: Decision,
  result: ItemResult | undefined,
  intended?: OutcomeKind,
): SyncOutcome {
  if (decision.action === 'refuse') return { row, employeeID, kind: 'failed', problem: decision.problem };
  const { serial, kept } = decision;
  if (decision.action === 'none') return { row, employeeID, kind: intended ?? 'unchanged', serial, kept };
  const { changed, kind } = decision;
  if (!result?.ok) {
    const { code, detail } = result ?? { code: 'NOT_SENT', detail: 'The row was not sent.' };
    return { row, employeeID, kind: 'failed', serial, changed, problem: { code, detail } };
  }
  const done = result.isPlanned ? 'planned' : (result.kind ?? kind);
  return { row, employeeID, kind: done, serial: serial ?? result.serial ?? undefined, changed, kept };
}

/** A row that takes an employee ID which another row has not freed. */
export function notFreed({ row, employeeID }: SyncRow, freeing: number): SyncOutcome {
  const detail = `Row ${freeing} has to free "${employeeID}" first, but failed or awaits approval. Fix or approve that row, and sync again.`;
  return { row, employeeID, kind: 'failed', problem: { code: 'RENAME_FIRST', detail } };
}
