import type { Effect } from '../../contract/changes.js';
import type { Failure } from '../../contract/errors.js';
import { effectOf } from '../changes/field-changes.js';
import type { PlannedOutcome } from './plan.js';

/** What an item of a bulk call came to, as it is reported. */
export type ItemOutcome =
  | {
      readonly ok: true;
      /** Null in the preview of a create. */
      readonly serial: string | null;
      /** Only where it was asked for. */
      readonly effect?: Effect;
    }
  | { readonly ok: false; readonly failure: Failure };

/** Consecutive items of a call, each with its outcome. */
export interface FinishedChunk {
  readonly first: number;
  readonly outcomes: readonly ItemOutcome[];
}

export function inItemOrder(parts: readonly FinishedChunk[]): ItemOutcome[] {
  return parts.toSorted((a, b) => a.first - b.first).flatMap(({ outcomes }) => outcomes);
}

export function toItemOutcomes(outcomes: readonly PlannedOutcome[], withEffects: boolean): ItemOutcome[] {
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const { serial, before, after, lostRole } = outcome;
    return withEffects
      ? { ok: true, serial, effect: effectOf(before, after, lostRole) }
      : { ok: true, serial };
  });
}

/** Nobody was created, so nobody has a serial. */
export function asPreviewOfCreates(outcomes: readonly ItemOutcome[]): ItemOutcome[] {
  return outcomes.map((outcome) => {
    if (outcome.ok) return { ...outcome, serial: null };
    const { takenBy } = outcome.failure;
    if (!takenBy || takenBy.position === null) return outcome;
    return { ok: false, failure: { ...outcome.failure, takenBy: { ...takenBy, serial: null } } };
  });
}
