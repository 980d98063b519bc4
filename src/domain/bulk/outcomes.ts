import type { Effect } from '../../contract/changes.js';
import { type Failure, quarantinedOf, takenAttributeOf, takenByOf } from '../../contract/errors.js';
import type { ChunkItems } from '../../storage/changes/call-items.js';
import { effectOf } from '../changes/field-changes.js';
import { mentionsOf } from './mentions.js';
import type { NameHistory } from './name-history.js';
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
  ? R & { readonly employeeIDs: readonly (string | null)[] }
  : R;

/** Consecutive items of a call with their outcomes. */
export interface FinishedChunk {
  readonly first: number;
  readonly outcomes: readonly ItemOutcome[];
  /** Under which they are reported, if the items don't tell. */
  readonly employeeIDs?: readonly (string | null)[] | undefined;
}

/**
 * The outcomes of a chunk, as they are kept. They contain no passwords: an item is known by its employee ID. That of a
 * success is kept only if the change log won't tell it, so that the erasure of a user need not look for it.
 */
export function storedItems(
  first: number,
  outcomes: readonly PlannedOutcome[],
  employeeIDs: readonly (string | null)[],
  past: NameHistory,
): ChunkItems {
  const failures: Record<number, Failure> = {};
  const kept: unknown[] = [];
  const isOnRecord = onRecord(outcomes, past);
  const ids = outcomes.map((outcome, index) => {
    const employeeID = employeeIDs[index] ?? null;
    if (outcome.ok) {
      if (employeeID === null || isOnRecord(outcome, employeeID)) return null;
      kept.push(outcome.serial, employeeID);
    } else {
      failures[first + index] = outcome.failure;
      kept.push(outcome.failure, employeeID);
    }
    return employeeID;
  });
  return {
    ...{ first, failures, employeeIDs: ids },
    serials: outcomes.map((outcome) => (outcome.ok ? outcome.serial : null)),
    mentions: mentionsOf(kept),
  };
}

type Success = Extract<PlannedOutcome, { ok: true }>;

/**
 * The change log tells which employee ID a user had before the chunk, or has since the chunk created them. An item may
 * have named another one if a part of the call had already changed it, or if it is addressed as of an earlier time.
 */
function onRecord(
  outcomes: readonly PlannedOutcome[],
  past: NameHistory,
): (outcome: Success, employeeID: string) => boolean {
  const seen = new Set<string>();
  const several = new Set(Array.from(past.employeeIdTakes.values(), ({ serial }) => serial));
  for (const outcome of outcomes) {
    if (!outcome.ok) continue;
    if (seen.has(outcome.serial)) several.add(outcome.serial);
    seen.add(outcome.serial);
  }
  return ({ serial, before, after }, employeeID) =>
    !several.has(serial) && (before ?? after)?.employeeID === employeeID;
}

export function inItemOrder(parts: readonly FinishedChunk[]): {
  readonly outcomes: readonly ItemOutcome[];
  readonly employeeIDs: readonly (string | null)[];
} {
  const sorted = parts.toSorted((a, b) => a.first - b.first);
  return {
    outcomes: sorted.flatMap(({ outcomes }) => outcomes),
    employeeIDs: sorted.flatMap(({ employeeIDs = [] }) => employeeIDs),
  };
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
  const serials = new Set<unknown>(created.map(({ user }) => user.serial));
  return outcomes.map((outcome) => {
    if (outcome.ok) {
      const serial = serials.has(outcome.serial) ? null : outcome.serial;
      return outcome.effect
        ? { ok: true, serial, effect: withoutNewManager(outcome.effect, serials) }
        : { ok: true, serial };
    }
    const takenBy = takenByOf(outcome.failure);
    const attribute = takenAttributeOf(outcome.failure);
    const quarantined = quarantinedOf(outcome.failure);
    if (attribute && serials.has(attribute.serial)) {
      return withData(outcome.failure, { ...attribute, serial: null });
    }
    if (takenBy && serials.has(takenBy.serial)) {
      return withData(outcome.failure, { takenBy: { ...takenBy, serial: null } });
    }
    return quarantined && serials.has(quarantined.serial)
      ? withData(outcome.failure, { quarantined: { ...quarantined, serial: null } })
      : outcome;
  });
}

function withoutNewManager(effect: Effect, serials: ReadonlySet<unknown>): Effect {
  const manager = effect.fields.managerSerial;
  if (!manager) return effect;
  const known = (serial: unknown) => (serials.has(serial) ? null : serial);
  const managerSerial = { before: known(manager.before), after: known(manager.after) };
  return { ...effect, fields: { ...effect.fields, managerSerial } };
}

/** The data has to be of the same kind. */
function withData(failure: Failure, data: Failure['data']): ItemOutcome {
  return { ok: false, failure: { ...failure, data } as Failure };
}
