import type { Failure } from '../../../contract/errors.js';
import type { Administrator } from '../../../contract/scopes.js';
import type { StoredUser } from '../../../contract/users.js';
import {
  attributesTooLarge,
  growsTooLarge,
  type HiddenAttributes,
  nothingHidden,
} from '../../attributes/attribute-set.js';
import { emptyNameHistory } from '../../bulk/name-history.js';
import type { PlannedOutcome } from '../../bulk/plan.js';
import type { Parsed } from '../../read-fields.js';
import type { YieldingTask } from '../../yielding-task.js';
import type { BulkChange, Creation } from '../user-rules.js';
import { creationProblem, newUser, noSerials, type SerialSource } from './creation.js';
import { finalManagers, managerNotFound, noReportingLines } from './managers.js';
import { nobodyThen, noSuchEmployee } from './missing-user.js';
import { deactivates, isProtectedFrom, noRoles, protectedUser, type RoleFacts } from './protected-users.js';
import { rehiredUser } from './rehire.js';
import { type Rejection, type RequestedChange, resolveNames } from './resolve-names.js';
import type { PlanFacts, UpdatePlan } from './sequential-plan.js';
import { targetFinder } from './target.js';
import { type Update, updatesOf } from './updates.js';
import { applyChange, canAdminister, contactLost, lacksContact, lastAdministrator } from './user-change.js';

/** A user that the call changes or creates, with the combined effect of all items for that user. */
interface RequestedUpdate extends RequestedChange {
  /** Null for a user that the call creates. */
  readonly before: StoredUser | null;
  after: StoredUser;
  /** Of a new or rehired user: the item with the last password counts. */
  creation: Creation | undefined;
  creationIndex: number;
  /** Of an inactive user: what they become if they are active at the end. */
  asRehired: StoredUser | undefined;
  managerEmployeeID?: string | undefined;
  rehired?: boolean;
}

/**
 * Plans a bulk update by its final state. Items select users by the employee IDs from before the call, and names are
 * compared at the end, so swaps and cycles succeed. All items of one user succeed or fail together. Several
 * items for the same missing ID create one user.
 */
export function* planFinalState(
  items: readonly Parsed<BulkChange>[],
  stored: readonly StoredUser[],
  facts: PlanFacts = {},
): YieldingTask<UpdatePlan> {
  const { roleFacts = noRoles, nextSerial = noSerials, hidden = nothingHidden, ...rules } = facts;
  const selected = yield* selectedUsers(items, stored, nextSerial, hidden);
  for (const update of selected.values()) decideRehire(update);
  const requested = new Map<string, RequestedUpdate>();
  for (const update of selected.values())
    if (!problemOf(update, undefined)) requested.set(update.serial, update);
  yield;
  const { rejections, managers } = yield* settledChanges(requested, stored, roleFacts, rules);
  for (const [serial, managerSerial] of managers) {
    const update = requested.get(serial);
    if (update && !rejections.has(serial)) update.after = { ...update.after, managerSerial };
  }
  const missing = new Set<string>();

  const outcomes = items.map((item, position): PlannedOutcome => {
    if (!item.ok) return item;
    const { targetEmployeeID, targetThen } = item.value;
    const update = selected.get(keyOfTarget(item.value));
    if (!update?.before && !targetThen) missing.add(targetEmployeeID);
    if (!update || !(update.before || item.value.creation)) {
      const nobody = targetThen
        ? nobodyThen(position, targetEmployeeID, targetThen)
        : noSuchEmployee(position, targetEmployeeID);
      return { ok: false, failure: nobody };
    }
    const failure = problemOf(update, position) ?? rejections.get(update.serial)?.(position);
    if (failure) return { ok: false, failure };
    const { serial, before, after, rehired } = update;
    const transition = before ? withLostRole({ before, after }, roleFacts) : { before, after };
    return { ok: true, serial, ...transition, ...(rehired && { rehired }) };
  });

  yield;
  const accepted = [...requested.values()].filter(({ serial }) => !rejections.has(serial));
  const updates = updatesOf(
    accepted.flatMap(({ before, after, rehired }) =>
      before ? [{ ...withLostRole({ before, after }, roleFacts), ...(rehired && { rehired }) }] : [],
    ),
  );
  const withPassword = ({ after, creation, creationIndex }: RequestedUpdate) => ({
    user: after,
    password: creation?.password ?? null,
    index: creationIndex,
  });
  const created = accepted.filter(({ before }) => before === null).map(withPassword);
  const rehired = accepted.filter(({ rehired }) => rehired).map(withPassword);
  const taken = new Set([
    ...updates.changed.map(({ after }) => after.employeeID),
    ...created.map(({ user }) => user.employeeID),
  ]);
  return {
    ...updates,
    ...{ outcomes, created, rehired },
    assumedFree: { employeeIDs: [...missing].filter((name) => !taken.has(name)), usernames: [] },
    nameHistory: emptyNameHistory(),
  };
}

/** Serials take a few microseconds each. */
const createdPerSlice = 1_000;

/** Users are told apart by the employee IDs of the items, or by their serials if these IDs are of another time. */
function keyOfTarget({ targetEmployeeID, targetThen }: BulkChange): string {
  return targetThen?.serial ? `serial ${targetThen.serial}` : `employee ID ${targetEmployeeID}`;
}

/** The users that the items change or create, by `keyOfTarget`. */
function* selectedUsers(
  items: readonly Parsed<BulkChange>[],
  stored: readonly StoredUser[],
  nextSerial: SerialSource,
  hidden: HiddenAttributes,
): YieldingTask<Map<string, RequestedUpdate>> {
  const userOf = targetFinder(stored);
  const selected = new Map<string, RequestedUpdate>();
  let created = 0;
  for (const [position, item] of items.entries()) {
    if (!item.ok) continue;
    const { targetThen, rehire } = item.value;
    const { managerEmployeeID, ...others } = item.value.change;
    const change = managerEmployeeID === null ? { ...others, managerSerial: null } : others;
    const before = userOf(item.value) ?? null;
    if (!before && (!item.value.creation || targetThen?.serial)) continue;
    const creation = before ? rehire : item.value.creation;
    const key = keyOfTarget(item.value);
    const earlier = selected.get(key);
    if (earlier) {
      earlier.after = applyChange(earlier.after, change);
      if (managerEmployeeID !== undefined) earlier.managerEmployeeID = managerEmployeeID ?? undefined;
      if (earlier.asRehired) earlier.asRehired = applyChange(earlier.asRehired, change);
      if (creation && creation.password !== null) {
        earlier.creation = creation;
        earlier.creationIndex = position;
      }
    } else {
      if (!before && ++created % createdPerSlice === 0) yield;
      const serial = before ? before.serial : nextSerial();
      const after = before ? applyChange(before, change) : newUser(serial, { ...item.value, change });
      const asRehired =
        before && rehire && !before.isActive ? rehiredUser(before, change, hidden) : undefined;
      const requested = {
        ...{ serial, position, before, after, asRehired },
        managerEmployeeID: managerEmployeeID ?? undefined,
      };
      selected.set(key, { ...requested, creation, creationIndex: position });
    }
  }
  return selected;
}

/** All items together decide whether an inactive user is rehired. */
function decideRehire(update: RequestedUpdate): void {
  if (!update.asRehired || !update.after.isActive) return;
  update.after = update.asRehired;
  update.rehired = true;
}

/** Why a user cannot be created or rehired, whoever holds the names. */
function problemOf(
  { before, after, creation, rehired }: RequestedUpdate,
  position: number | undefined,
): Failure | undefined {
  return (before && !rehired) || !creation ? undefined : creationProblem(position, after, creation);
}

/** Final-state updates compare only the two ends: a user who was active and ends up inactive loses the role. */
export function withLostRole({ before, after }: Update, { roles }: RoleFacts): Update {
  return { before, after, lostRole: deactivates(before, after) ? roles.get(before.serial) : undefined };
}

/** Why a change is rejected before names are resolved. */
interface Excluded {
  readonly reason: Rejection;
  /** The requested names are taken as well. That check comes first, so its error is reported. */
  readonly hasNameConflict: boolean;
}

/** What else decides which changes succeed. */
interface NameRules extends Pick<PlanFacts, 'quarantine' | 'attributes'> {
  /** Changes that fail anyway, by serial. */
  readonly excluded?: ReadonlyMap<string, Rejection>;
}

/** After some rounds, everyone who gets a manager by employee ID fails, so that no call can go on for long. */
const roundsMax = 20;

interface SettledChanges {
  /** By serial. */
  readonly rejections: ReadonlyMap<string, Rejection>;
  /** The managers who were given by employee ID. */
  readonly managers: ReadonlyMap<string, string>;
}

/** Also decides about managers: whom a rejected change was to give the employee ID may be someone's manager. */
export function* settledChanges(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
  { lines = noReportingLines, ...rules }: Pick<PlanFacts, 'quarantine' | 'attributes' | 'lines'>,
): YieldingTask<SettledChanges> {
  const excluded = new Map<string, Rejection>();
  for (let round = 1; ; round++) {
    const rejections = yield* rejectionsOf(requested, stored, roleFacts, { ...rules, excluded });
    const accepted = [...requested.values()].filter(({ serial }) => !rejections.has(serial));
    const final = finalManagers(accepted, stored, lines);
    if (final.rejections.size === 0) return { rejections, managers: final.managers };
    for (const [serial, rejection] of final.rejections) excluded.set(serial, rejection);
    if (round < roundsMax) continue;
    for (const { serial, managerEmployeeID } of accepted)
      if (managerEmployeeID !== undefined)
        excluded.set(serial, (position) => managerNotFound(position, managerEmployeeID));
  }
}

/** Returns the rejected changes by serial. */
function* rejectionsOf(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
  rules: NameRules = {},
): YieldingTask<Map<string, Rejection>> {
  const excluded = yield* rejectedIndividually(requested, stored, roleFacts, rules);
  const rejections = yield* resolve(requested, stored, excluded, rules);
  const removed = lastRemovedAdministrator(requested, rejections, roleFacts.administrators);
  if (removed === undefined) return rejections;
  excluded.set(removed, { reason: lastAdministrator, hasNameConflict: false });
  return yield* resolve(requested, stored, excluded, rules);
}

/** Changes that are rejected regardless of the other changes in the call. */
function* rejectedIndividually(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  roleFacts: RoleFacts,
  rules: NameRules,
): YieldingTask<Map<string, Excluded>> {
  const rejected = new Map<string, Rejection>();
  for (const change of requested.values()) {
    const reason = individualRejection(change, roleFacts) ?? rules.excluded?.get(change.serial);
    if (reason) rejected.set(change.serial, reason);
  }
  const byName = rejected.size === 0 ? new Map() : yield* resolve(requested, stored, new Map(), rules);
  return new Map(
    [...rejected].map(([serial, reason]) => [serial, { reason, hasNameConflict: byName.has(serial) }]),
  );
}

function individualRejection(
  { before, after }: RequestedChange,
  roleFacts: RoleFacts,
): Rejection | undefined {
  if (after === null) return undefined;
  if (growsTooLarge(before, after)) return attributesTooLarge;
  if (lacksContact(after)) return contactLost;
  if (before === null || !isProtectedFrom(roleFacts, before, after)) return undefined;
  return (position) => protectedUser(position, before, after);
}

function* resolve(
  requested: ReadonlyMap<string, RequestedChange>,
  stored: readonly StoredUser[],
  excluded: ReadonlyMap<string, Excluded>,
  { quarantine, attributes }: NameRules,
): YieldingTask<Map<string, Rejection>> {
  const changes = [...requested.values()].filter(({ serial }) => !excluded.has(serial));
  const others = stored.filter(({ serial }) => !requested.has(serial) || excluded.has(serial));
  yield;
  const resolution = yield* resolveNames(changes, others, quarantine, attributes);
  yield;
  const rejections = resolution.rejections();
  for (const [serial, { reason, hasNameConflict }] of excluded) {
    const byName = hasNameConflict
      ? resolution.rejectionOf(requested.get(serial) as RequestedChange)
      : undefined;
    rejections.set(serial, byName ?? reason);
  }
  return rejections;
}

/** If the call would leave no administrator who can sign in, returns the last one it removes. */
function lastRemovedAdministrator(
  requested: ReadonlyMap<string, RequestedChange>,
  rejections: ReadonlyMap<string, Rejection>,
  administrators: readonly Administrator[],
): string | undefined {
  let left = 0;
  let last: RequestedChange | undefined;
  for (const { serial, canSignIn } of administrators) {
    const update = rejections.has(serial) ? undefined : requested.get(serial);
    if (update ? update.after && canAdminister(update.after) : canSignIn) left++;
    else if (update && canSignIn && (last === undefined || update.position > last.position)) last = update;
  }
  return left === 0 ? last?.serial : undefined;
}
