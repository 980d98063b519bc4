import type { Effect } from '../../contract/changes.js';
import { type Failure, quarantinedOf, type TakenBy, takenByOf } from '../../contract/errors.js';
import type { ChunkItems } from '../../storage/changes/call-items.js';
import { effectOf } from '../changes/field-changes.js';
import type { PlannedOutcome } from './plan.js';

/** The reported outcome of one item. */
export type ItemOutcome =
  | {
      readonly ok: true;
      /** Null in the preview of a create. */
      readonly serial: string | null;
      /** Only if requested. */
      readonly effect?: Effect;
    }
  | { readonly ok: false; readonly failure: Failure };

/** A result whose users were not in the request: the employee IDs under which their outcomes are reported. */
export type WithEmployeeIds<R> = R extends { readonly ok: true }
  ? R & { readonly employeeIDs: readonly string[] }
  : R;

/** Consecutive items of a call with their outcomes. */
export interface FinishedChunk {
  readonly first: number;
  readonly outcomes: readonly ItemOutcome[];
}

/** An outcome as it was stored. Before 0.2.0 the holder of a name was a property of the failure itself. */
export function parseOutcome<Outcome extends { readonly ok: boolean }>(stored: Outcome): Outcome {
  const { failure } = stored as { failure?: { takenBy?: TakenBy } };
  if (!failure?.takenBy) return stored;
  const { takenBy, ...rest } = failure;
  return { ...stored, failure: { ...rest, data: { takenBy } } };
}

/** The outcomes of a chunk, as they are kept. They contain no passwords: an item is known by its employee ID. */
export function storedItems(
  first: number,
  outcomes: readonly PlannedOutcome[],
  employeeIDs: readonly (string | null)[],
): ChunkItems {
  const failures: Record<number, Failure> = {};
  const serials = outcomes.map((outcome, index) => {
    if (outcome.ok) return outcome.serial;
    failures[first + index] = outcome.failure;
    return null;
  });
  return { first, serials, employeeIDs, failures };
}

export function inItemOrder(parts: readonly FinishedChunk[]): ItemOutcome[] {
  return parts.toSorted((a, b) => a.first - b.first).flatMap(({ outcomes }) => outcomes);
}

export function toItemOutcomes(outcomes: readonly PlannedOutcome[], withEffects: boolean): ItemOutcome[] {
  return outcomes.map((outcome) => {
    if (!outcome.ok) return outcome;
    const { serial, before, after, lostRole, rehired, effect } = outcome;
    return withEffects
      ? { ok: true, serial, effect: effect ?? effectOf(before, after, lostRole, rehired) }
      : { ok: true, serial };
  });
}

/** A preview creates no users, so it does not report the serials it has planned with. */
export function withoutNewSerials(
  outcomes: readonly ItemOutcome[],
  created: readonly { readonly user: { readonly serial: string } }[],
): readonly ItemOutcome[] {
  if (created.length === 0) return outcomes;
  const serials = new Set<string | null>(created.map(({ user }) => user.serial));
  return outcomes.map((outcome) => {
    if (outcome.ok) return serials.has(outcome.serial) ? { ...outcome, serial: null } : outcome;
    const takenBy = takenByOf(outcome.failure);
    const quarantined = quarantinedOf(outcome.failure);
    if (takenBy && serials.has(takenBy.serial)) {
      return withData(outcome.failure, { takenBy: { ...takenBy, serial: null } });
    }
    return quarantined && serials.has(quarantined.serial)
      ? withData(outcome.failure, { quarantined: { ...quarantined, serial: null } })
      : outcome;
  });
}

/** The data has to be of the same kind. */
function withData(failure: Failure, data: Failure['data']): ItemOutcome {
  return { ok: false, failure: { ...failure, data } as Failure };
}
