import {
  type AttributePatch,
  type AttributesChange,
  type AttributeValues,
  isBeforeOrAfter,
  joinedAttributes,
  parseAttributes,
  revertingPatch,
  storedAttributes,
} from '../../../contract/attribute-values.js';
import type { FieldChange, FieldChanges } from '../../../contract/changes.js';
import type { ChangeKind } from '../../../contract/enums.js';
import { type Failure, failure } from '../../../contract/errors.js';
import {
  type ChangeableField,
  changeableFields,
  emptyOf,
  type UserChange,
} from '../../../contract/user-values.js';
import type { StoredUser } from '../../../contract/users.js';
import type { AttributeSet } from '../../attributes/attribute-set.js';
import type { PlannedOutcome, Transition } from '../../bulk/plan.js';
import { accept, type Parsed } from '../../read-fields.js';
import { userErased } from '../../user-erased.js';
import type { YieldingTask } from '../../yielding-task.js';
import { settledChanges, withLostRole } from './final-state-plan.js';
import type { ReportingLines } from './managers.js';
import type { RoleFacts } from './protected-users.js';
import type { RequestedChange } from './resolve-names.js';
import { type Update, type Updates, updatesOf } from './updates.js';
import { applyChange } from './user-change.js';

/** The part of a change log row that an undo needs. */
export interface LoggedChange {
  readonly userSerial: string;
  readonly employeeID: string;
  readonly kind: ChangeKind;
  readonly version: number;
  readonly fields: FieldChanges;
}

/** The combined effect of a call on one user. */
export interface NetChange {
  readonly userSerial: string;
  /** The employee ID at the end of the call. */
  readonly employeeID: string;
  readonly existedBefore: boolean;
  readonly existsAfter: boolean;
  /** Whether the call gave the user a new password. */
  readonly isRehire: boolean;
  readonly version: number;
  readonly fields: FieldChanges;
}

/**
 * Changes that the call itself reverted are dropped, so the result does not depend on how the call was split into
 * transactions. The changes of erased users have no values; each of these users is kept to be reported.
 */
export function netChanges(
  changes: readonly LoggedChange[],
  erased: ReadonlyMap<string, Date> = new Map(),
): NetChange[] {
  const nets = new Map<string, NetChange>();
  for (const change of changes) {
    const { userSerial, employeeID, kind, version } = change;
    const earlier = nets.get(userSerial);
    nets.set(userSerial, {
      userSerial,
      employeeID,
      existedBefore: earlier?.existedBefore ?? kind !== 'created',
      existsAfter: kind !== 'deleted',
      isRehire: earlier?.isRehire === true || kind === 'rehired',
      version,
      fields: withoutRole(earlier ? joined(earlier.fields, change.fields) : change.fields),
    });
  }
  return [...nets.values()].filter(({ userSerial, existedBefore, existsAfter, fields }) => {
    if (erased.has(userSerial)) return true;
    return existedBefore && existsAfter ? Object.keys(fields).length > 0 : existedBefore || existsAfter;
  });
}

/** A role removed by a deactivation stays removed; an undo does not restore it. */
function withoutRole({ role: _, ...fields }: FieldChanges): FieldChanges {
  return fields;
}

function joined(earlier: FieldChanges, later: FieldChanges): FieldChanges {
  const fields: Partial<Record<ChangeableField, FieldChange>> = { ...earlier, ...later };
  for (const field of changeableFields) {
    const first = earlier[field];
    const last = later[field];
    if (!first || !last) continue;
    if (field === 'attributes') {
      const both = joinedAttributes(asAttributes(first), asAttributes(last));
      if (both) fields.attributes = both;
      else delete fields.attributes;
    } else if (same(first.before, last.after)) delete fields[field];
    else fields[field] = { before: first.before, after: last.after };
  }
  return fields;
}

export interface UndoPlan {
  /** One per user that the call changed. */
  readonly outcomes: readonly PlannedOutcome[];
  /** The employee ID reported for each user, as it was before the undo. */
  readonly employeeIDs: readonly string[];
  readonly transitions: readonly Transition[];
  readonly updates: Updates;
  readonly removed: readonly StoredUser[];
  readonly restored: readonly StoredUser[];
}

export interface UndoFacts extends RoleFacts {
  /** Existing users that the call changed, and users who hold a name that is to be restored. */
  readonly stored: readonly StoredUser[];
  /** Users who chose a password or were given a role. They are not removed. */
  readonly accountsInUse: ReadonlySet<string>;
  /** When users were erased, for those who were. Nothing of them can be restored. */
  readonly erased: ReadonlyMap<string, Date>;
  /** The attributes that are still defined, and whether the caller may change sensitive ones. */
  readonly attributes: AttributeSet;
  readonly seesSensitive: boolean;
  /** Of the users, if managers are restored. */
  readonly lines: ReportingLines;
}

type Verdict = ({ readonly ok: true } & Transition) | { readonly ok: false; readonly failure: Failure };

/**
 * Plans the undo of a call. A user changed since is left alone. Names are compared at the end, as in final-state mode.
 */
export function* planUndo(
  nets: readonly NetChange[],
  { stored, accountsInUse, erased, attributes, seesSensitive, lines, ...roleFacts }: UndoFacts,
  /** The same, but with failures where a user must not be touched. */
  items: readonly Parsed<NetChange>[] = nets.map(accept),
): YieldingTask<UndoPlan> {
  const bySerial = new Map(stored.map((user) => [user.serial, user]));
  const verdicts = items.map((item) => {
    if (!item.ok) return item;
    const { userSerial } = item.value;
    const erasedAt = erased.get(userSerial);
    return erasedAt
      ? lost(erasedAt)
      : verdictFor(item.value, bySerial.get(userSerial) ?? null, {
          accountsInUse,
          attributes,
          seesSensitive,
        });
  });
  yield;
  const requested = new Map<string, RequestedChange>();
  verdicts.forEach((verdict, position) => {
    const serial = nets[position]?.userSerial as string;
    if (verdict.ok) requested.set(serial, { serial, position, before: verdict.before, after: verdict.after });
  });
  const { rejections } = yield* settledChanges(requested, stored, roleFacts, { attributes, lines });

  const outcomes = verdicts.map((verdict, position): PlannedOutcome => {
    const serial = nets[position]?.userSerial as string;
    const rejection = rejections.get(serial);
    if (rejection) return { ok: false, failure: rejection(undefined) };
    if (!verdict.ok) return verdict;
    const { before, after } = verdict;
    return { ok: true, serial, ...(before && after ? withLostRole({ before, after }, roleFacts) : verdict) };
  });
  const employeeIDs = nets.map(
    ({ userSerial, employeeID }) => bySerial.get(userSerial)?.employeeID ?? employeeID,
  );
  yield;
  return { outcomes, employeeIDs, ...groupedByStatement(outcomes) };
}

function verdictFor(
  net: NetChange,
  current: StoredUser | null,
  {
    accountsInUse,
    attributes,
    seesSensitive,
  }: Pick<UndoFacts, 'accountsInUse' | 'attributes' | 'seesSensitive'>,
): Verdict {
  const unchanged: Verdict = { ok: true, before: current, after: current };
  if (!net.existedBefore) {
    if (!current || !net.existsAfter) return unchanged;
    const changed = changeableFields.filter(
      (field) => !same(current[field], storedValue(field, net.fields[field]?.after)),
    );
    if (changed.length > 0) return changedSince(changed);
    return accountsInUse.has(net.userSerial) ? inUse() : { ok: true, before: current, after: null };
  }
  if (!net.existsAfter) {
    return current ? unchanged : { ok: true, before: null, after: restoredUser(net, attributes) };
  }
  if (!current) return gone();
  const changed: ChangeableField[] = [];
  const restored: Partial<Record<ChangeableField, unknown>> = {};
  for (const field of changeableFields) {
    const change = net.fields[field];
    if (!change) continue;
    if (!isOfCall(field, current, change)) changed.push(field);
    if (field !== 'attributes') restored[field] = change.before;
    else {
      const patch = restoredPatch(change);
      const denied = attributes.denied(patch, {}, seesSensitive);
      if (denied) return { ok: false, failure: denied };
      if (!attributes.definesAll(patch)) changed.push(field);
      restored[field] = patch;
    }
  }
  if (changed.length > 0) return changedSince(changed);
  return { ok: true, before: current, after: applyChange(current, restored as UserChange) };
}

/** Restores a removed user from the change log row of the removal, without values of attributes that were deleted since. */
function restoredUser({ userSerial, version, fields }: NetChange, defined: AttributeSet): StoredUser {
  const values = changeableFields.map((field) => [field, storedValue(field, fields[field]?.before)]);
  const user = Object.fromEntries(values) as StoredUser;
  const attributes = storedAttributes(defined.withoutDeleted(parseAttributes(user.attributes)));
  return { ...user, attributes, serial: userSerial, version: version + 1 };
}

/** What the log says about a field of a user who was created or removed, as it is stored. */
function storedValue(field: ChangeableField, logged: unknown): unknown {
  if (logged === undefined || logged === null) return emptyOf(field);
  return field === 'attributes' ? storedAttributes(logged as AttributeValues) : logged;
}

/** Whether the field has the value that the call gave it, or still the one from before. */
function isOfCall(field: ChangeableField, current: StoredUser, change: FieldChange): boolean {
  if (field === 'attributes') return isBeforeOrAfter(current.attributes, asAttributes(change));
  return same(current[field], change.after) || same(current[field], change.before);
}

/** What an undo does with attributes. */
export function restoredPatch(change: FieldChange): AttributePatch {
  return revertingPatch(asAttributes(change));
}

/** The log has null for a user who did not exist. */
function asAttributes({ before, after }: FieldChange): AttributesChange {
  return { before: (before ?? {}) as AttributeValues, after: (after ?? {}) as AttributeValues };
}

function same(a: unknown, b: unknown): boolean {
  return a === b || (Array.isArray(a) && JSON.stringify(a) === JSON.stringify(b));
}

/** Groups the changes by the statement that writes them. */
function groupedByStatement(outcomes: readonly PlannedOutcome[]) {
  const updated: Update[] = [];
  const removals: (Transition & { before: StoredUser })[] = [];
  const restorations: (Transition & { after: StoredUser })[] = [];
  for (const outcome of outcomes) {
    if (!outcome.ok) continue;
    const { before, after, lostRole } = outcome;
    if (before && after) updated.push({ before, after, lostRole });
    else if (before) removals.push({ before, after });
    else if (after) restorations.push({ before, after });
  }
  const updates = updatesOf(updated);
  return {
    updates,
    removed: removals.map(({ before }) => before),
    restored: restorations.map(({ after }) => after),
    transitions: [...updates.changed, ...removals, ...restorations],
  };
}

function changedSince(fields: readonly ChangeableField[]): Verdict {
  const names = fields.map((field) => `"${field}"`).join(', ');
  const have = fields.length === 1 ? 'has' : 'have';
  return kept(`Skipped: ${names} ${have} changed since the call.`, fields);
}

function gone(): Verdict {
  return kept('Skipped: the user has been removed since the call.');
}

function lost(erasedAt: Date): Verdict {
  return { ok: false, failure: userErased(erasedAt, 'Skipped: the user') };
}

function inUse(): Verdict {
  return kept('Skipped: the user has chosen a password or been given a role since the call.');
}

function kept(detail: string, fields: readonly ChangeableField[] = []): Verdict {
  return { ok: false, failure: failure('USER_CHANGED_SINCE', detail, { fields: [...fields] }) };
}
