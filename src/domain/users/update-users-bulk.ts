import type { CallMode } from '../../contract/calls.js';
import type { CallKind } from '../../contract/enums.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { reportingLines } from '../../storage/users/managers.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import { anyNameHeld } from '../../storage/users/user-names.js';
import {
  type AttributeFacts,
  attributeFacts,
  hiddenAttributes,
  withoutOutdated,
} from '../attributes/attribute-facts.js';
import type { HiddenAttributes } from '../attributes/attribute-set.js';
import type { Preview } from '../bulk/call-errors.js';
import { allItems, type ItemBlocks } from '../bulk/plan.js';
import { type CallRequest, type CallRun, runCall } from '../bulk/run-call.js';
import { type SafetyLimit, type SafetyLimitContext, safetyLimitFor } from '../bulk/safety-limit.js';
import { previewStages, type Stages } from '../bulk/stages.js';
import type { Caller } from '../caller.js';
import type { Quarantine } from '../names/quarantine.js';
import { checkQuarantine, freeNames, type Names, quarantineOf } from '../names/quarantined-names.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { newSerial } from '../serial.js';
import { runYielding } from '../yield-to-event-loop.js';
import { addressedItems } from './addressed-items.js';
import { administratorsFor, mayRemoveAdministrator, roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { chunkItemsFor } from './batches.js';
import type { BulkCreateContext } from './create-users-bulk.js';
import { explainMissing } from './explain-missing.js';
import { insertCreated, renewPasswords } from './insert-created.js';
import { rejectUnknownSerials } from './known-serials.js';
import { canRunLockFree, lockFreeChunkItems, lockFreeUpdates, ReadAhead } from './lock-free-updates.js';
import { hashesForNewUsers } from './password-hashes.js';
import type { SerialSource } from './plans/creation.js';
import { planFinalState } from './plans/final-state-plan.js';
import { hasForwardManager, noReportingLines, type ReportingLines } from './plans/managers.js';
import type { RoleFacts } from './plans/protected-users.js';
import { planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import { freeNamesTaken } from './taken-names.js';
import { type BulkChange, givenEmployeeId, patchesIn } from './user-rules.js';

export interface BulkChangeContext extends BulkCreateContext, SafetyLimitContext {}

export interface UpdateOptions {
  readonly mode: CallMode;
  /** The number of users that the caller has confirmed for the safety limit. */
  readonly confirmed: number | undefined;
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf?: string | undefined;
}

export function updateUsersBulk(
  context: BulkChangeContext,
  blocks: ItemBlocks<BulkChange>,
  request: CallRequest & UpdateOptions,
): CallRun {
  return changeUsersBulk(context, 'update-bulk', blocks, { ...request, hold: false });
}

export interface ChangeOptions extends UpdateOptions {
  /** Holds the password messages of new users until they are released. */
  readonly hold: boolean;
}

/** A bulk update whose items carry what to create if their user is missing. */
export function upsertUsersBulk(
  context: BulkChangeContext,
  blocks: ItemBlocks<BulkChange>,
  request: CallRequest & ChangeOptions,
): CallRun {
  return changeUsersBulk(context, 'upsert-bulk', blocks, request);
}

/** Runs a bulk call whose items change users, or create those that are missing. */
async function* changeUsersBulk(
  context: BulkChangeContext,
  kind: CallKind,
  blocks: ItemBlocks<BulkChange>,
  request: CallRequest & ChangeOptions,
): CallRun {
  const readAhead = new ReadAhead(context);
  // A planned call, and one that is decided as a whole, reads its users in its transaction.
  const readsAhead = !request.claimed && request.mode !== 'finalState';
  const items = await allItems(readsAhead ? readAhead.follow(blocks) : blocks);
  const addressed = await addressedItems(context.database, items, request.asOf, readAhead);
  if ('error' in addressed) return { ok: false, failure: addressed };
  const parsed = await rejectUnknownSerials(context, addressed, ({ change }) => change);
  const safetyLimit = await safetyLimitFor(context, affectedUsersMax(parsed), request.confirmed);
  // The final state, the safety limit, and managers who come later in the call are decided over all items, so they need
  // a single transaction.
  const isSingleTransaction =
    request.mode === 'finalState' ||
    safetyLimit !== undefined ||
    hasForwardManager(parsed, ({ change }) => change.managerEmployeeID, givenEmployeeId);
  const lockFree =
    !isSingleTransaction && !request.claimed && canRunLockFree(parsed)
      ? lockFreeUpdates(context, readAhead)
      : undefined;
  const chunkMax = lockFree
    ? lockFreeChunkItems(parsed.length, context.limits)
    : context.limits.bulkChunkItems;
  const chunkItems = isSingleTransaction
    ? Math.max(parsed.length, 1)
    : chunkItemsFor(chunkMax, parsed, ({ change }) => change.tagSerials);
  const stages = changeStages(context, { ...request, safetyLimit });
  return yield* runCall(context, { ...request, kind, chunkItems }, parsed, stages, lockFree);
}

/** Plans the call over one snapshot without writing or locking anything. Also for items that create users. */
export async function previewUpdates(
  context: BulkChangeContext,
  items: readonly Parsed<BulkChange>[],
  { mode, confirmed, asOf, caller }: UpdateOptions & { readonly caller: Caller },
): Promise<Preview> {
  const addressed = await addressedItems(context.database, items, asOf);
  if ('error' in addressed) return { ok: false, failure: addressed };
  const parsed = await rejectUnknownSerials(context, addressed, ({ change }) => change);
  const safetyLimit = await safetyLimitFor(context, affectedUsersMax(parsed), confirmed);
  return previewStages(
    context.database,
    changeStages(context, { mode, hold: false, safetyLimit }),
    parsed,
    caller,
  );
}

/** What a plan is based on. */
export interface ChangeFacts {
  readonly stored: readonly StoredUser[];
  /** Names that may be quarantined. */
  readonly free: Names;
  readonly quarantine: Quarantine;
  readonly roleFacts: RoleFacts;
  readonly attributes: AttributeFacts;
  readonly lines: ReportingLines;
  readonly hidden: HiddenAttributes;
}

/**
 * The plan still holds at the commit because every user it changes or conflicts with is locked, every name it assigns is
 * protected by a unique index, and every name it assumes to be free is checked again at the end in a new snapshot. If
 * one is taken by then, it is planned again.
 */
export function changeStages(
  context: BulkChangeContext,
  {
    mode,
    hold,
    safetyLimit,
  }: Pick<ChangeOptions, 'mode' | 'hold'> & { readonly safetyLimit: SafetyLimit | undefined },
): Stages<BulkChange, ChangeFacts, UpdatePlan, ReadonlyMap<number, string>> {
  return {
    employeeIdOf: ({ targetEmployeeID }) => targetEmployeeID,
    prepare: ({ items }) => hashesForNewUsers(context, items),
    read: async (tx, { items }, { caller, locks }) => {
      const attributes = await attributeFacts(tx, patchesIn(items), { caller, locks });
      const names = namesTouched(items, attributes.holders);
      const stored = await (locks ? lockUsers : readUsers)(tx, names);
      const free = freeNames(context, names, stored);
      const quarantine = await quarantineOf(context, tx, free);
      const administrators = anyMayRemoveAdministrator(items)
        ? await administratorsFor(tx, stored, locks)
        : [];
      const roleFacts = await roleFactsOf(tx, stored, administrators, caller);
      const lines = setsManager(items) ? await reportingLines(tx, stored, locks) : noReportingLines;
      const rehired = items.some((item) => item.ok && item.value.rehire) ? stored : [];
      const hidden = await hiddenAttributes(tx, rehired, caller);
      return { stored, free, quarantine, roleFacts, attributes, lines, hidden };
    },
    plan: ({ first, items: sent }, { stored, roleFacts, quarantine, attributes, lines, hidden }, past) => {
      const items = withoutOutdated(sent, attributes, ({ change }) => change.attributes, first);
      const { definitions } = attributes;
      const facts = { roleFacts, nextSerial, quarantine, attributes: definitions, lines, hidden };
      return mode === 'finalState'
        ? runYielding(planFinalState(items, stored, facts))
        : planUpdates({ first, items }, stored, past, facts);
    },
    explain: async (tx, plan, { first }) => ({
      ...plan,
      outcomes: await explainMissing(tx, plan.outcomes, first),
    }),
    check: async (tx, { changed }) => safetyLimit?.check(tx, changed),
    write: async (tx, plan, { prepared: hashes, facts, ...author }) => {
      const { origin } = author;
      const { definitions } = facts.attributes;
      await applyUpdates(tx, await prepareUpdates(context, plan, author, definitions));
      await insertCreated(context, tx, plan.created, { origin, hold, hashes, attributes: definitions });
      await renewPasswords(context, tx, plan.rehired, { origin, hold, hashes });
    },
    changes: ({ changed, created }) => changed.length + created.length,
    verify: async (tx, plan, { free }) => {
      if (await anyNameHeld(tx, plan.assumedFree)) throw new PlanOutdated();
      await checkQuarantine(context, tx, freeNamesTaken(plan, free));
    },
  };
}

const nextSerial: SerialSource = () => newSerial().serial;

/** An upper bound for the users that count for the safety limit. */
function affectedUsersMax(items: readonly Parsed<BulkChange>[]): number {
  const affected = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    const { targetEmployeeID, change } = item.value;
    const renames = change.employeeID !== undefined && change.employeeID !== targetEmployeeID;
    const clears = change.username === null || change.email === null || change.phone === null;
    if (renames || clears || change.isActive === false) affected.add(targetEmployeeID);
  }
  return affected.size;
}

/** Whether an item gives its user a manager. Whoever has none cannot be their own. */
function setsManager(items: readonly Parsed<BulkChange>[]): boolean {
  return items.some((item) => item.ok && item.value.change.managerEmployeeID != null);
}

function anyMayRemoveAdministrator(items: readonly Parsed<BulkChange>[]): boolean {
  return items.some((item) => item.ok && mayRemoveAdministrator(item.value.change));
}

function namesTouched(items: readonly Parsed<BulkChange>[], holders: readonly string[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  const signInNames = new Set<string>();
  const serials = new Set<string>(holders);
  for (const item of items) {
    if (!item.ok) continue;
    const { targetEmployeeID, targetThen, change, creation } = item.value;
    if (targetThen?.serial) serials.add(targetThen.serial);
    else if (!targetThen || creation) employeeIDs.add(targetEmployeeID);
    if (change.employeeID !== undefined) employeeIDs.add(change.employeeID);
    if (change.username != null) usernames.add(usernameKey(change.username));
    if (change.signInName != null) signInNames.add(change.signInName);
    if (change.managerEmployeeID != null) employeeIDs.add(change.managerEmployeeID);
  }
  return {
    employeeIDs: [...employeeIDs],
    usernames: [...usernames],
    signInNames: [...signInNames],
    serials: [...serials],
  };
}
