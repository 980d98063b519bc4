import type { CallMode } from '../../contract/calls.js';
import type { CallKind } from '../../contract/enums.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { listAdministrators } from '../../storage/access/roles.js';
import { snapshot, transaction } from '../../storage/database.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import { anyNameHeld } from '../../storage/users/user-names.js';
import { bulkPhase } from '../../telemetry/bulk-phase.js';
import { type Preview, previewed } from '../bulk/call-errors.js';
import { emptyNameHistory, type NameHistory } from '../bulk/name-history.js';
import { toItemOutcomes, withoutNewSerials } from '../bulk/outcomes.js';
import type { Chunk } from '../bulk/plan.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext } from '../bulk/run-chunks.js';
import { type SafetyLimit, safetyLimitFor } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import type { Context } from '../context.js';
import type { Quarantine } from '../names/quarantine.js';
import { checkQuarantine, freeNames, quarantineOf } from '../names/quarantined-names.js';
import type { Parsed } from '../read-fields.js';
import { PlanOutdated } from '../retry-on-conflict.js';
import { newSerial } from '../serial.js';
import { runYielding, yieldToEventLoop } from '../yield-to-event-loop.js';
import { addressedItems } from './addressed-items.js';
import { currentAdministrators, mayRemoveAdministrator, roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { chunkItemsFor } from './batches.js';
import { explainMissing } from './explain-missing.js';
import { insertCreated, renewPasswords } from './insert-created.js';
import { rejectUnknownSerials } from './known-serials.js';
import { canRunLockFree, lockFreeChunkItems, lockFreeUpdates } from './lock-free-updates.js';
import { hashesForNewUsers } from './password-hashes.js';
import type { SerialSource } from './plans/creation.js';
import { planFinalState } from './plans/final-state-plan.js';
import type { RoleFacts } from './plans/protected-users.js';
import { planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import type { ReadAhead } from './read-ahead.js';
import { freeNamesTaken } from './taken-names.js';
import type { BulkChange } from './user-rules.js';

export interface UpdateOptions {
  readonly mode: CallMode;
  /** The number of users that the caller has confirmed for the safety limit. */
  readonly confirmed: number | undefined;
  /** Employee IDs mean the users who had them at this time. */
  readonly asOf?: string | undefined;
  /** Has seen every item. */
  readonly readAhead?: ReadAhead | undefined;
}

export function updateUsersBulk(
  context: Context,
  parsed: readonly Parsed<BulkChange>[],
  request: CallRequest & UpdateOptions,
): Promise<CallResult> {
  return changeUsersBulk(context, 'update-bulk', parsed, { ...request, hold: false });
}

export interface ChangeOptions extends UpdateOptions {
  /** Holds the password messages of new users until they are released. */
  readonly hold: boolean;
}

/** Runs a bulk call whose items change users, or create those that are missing. */
export async function changeUsersBulk(
  context: Context,
  kind: CallKind,
  items: readonly Parsed<BulkChange>[],
  request: CallRequest & ChangeOptions,
): Promise<CallResult> {
  const addressed = await addressedItems(context, items, request.asOf, request.readAhead);
  if ('error' in addressed) return { ok: false, failure: addressed };
  const parsed = await rejectUnknownSerials(context, addressed, ({ change }) => change);
  const safetyLimit = await safetyLimitFor(context, affectedUsersMax(parsed), request.confirmed);
  // The final state and the safety limit are decided over all items, so they need a single transaction.
  const isSingleTransaction = request.mode === 'finalState' || safetyLimit !== undefined;
  const lockFree =
    !isSingleTransaction && !request.claimed && canRunLockFree(parsed)
      ? lockFreeUpdates(context, request.caller, request.readAhead)
      : undefined;
  const chunkMax = lockFree
    ? lockFreeChunkItems(parsed.length, context.limits)
    : context.limits.bulkChunkItems;
  const chunkItems = isSingleTransaction
    ? Math.max(parsed.length, 1)
    : chunkItemsFor(chunkMax, parsed, ({ change }) => change.tagSerials);
  return runCall(context, { ...request, kind, chunkItems }, parsed, {
    employeeIdOf: ({ targetEmployeeID }) => targetEmployeeID,
    sequential: (chunk, past, chunkContext) =>
      changeChunk(context, chunk, past, chunkContext, { ...request, safetyLimit }),
    lockFree,
  });
}

/** Plans the call over one snapshot without writing or locking anything. Also for items that create users. */
export async function previewUpdates(
  context: Context,
  items: readonly Parsed<BulkChange>[],
  { mode, confirmed, asOf, caller }: UpdateOptions & { readonly caller: Caller },
): Promise<Preview> {
  const addressed = await addressedItems(context, items, asOf);
  if ('error' in addressed) return { ok: false, failure: addressed };
  const parsed = await rejectUnknownSerials(context, addressed, ({ change }) => change);
  const safetyLimit = await safetyLimitFor(context, affectedUsersMax(parsed), confirmed);
  const outcomes = snapshot(context.database, async (tx) => {
    const names = namesTouched(parsed);
    const stored = await readUsers(tx, names);
    const quarantine = await quarantineOf(context, tx, freeNames(context, names, stored));
    const administrators = anyMayRemoveAdministrator(parsed) ? await listAdministrators(tx) : [];
    const roleFacts = await roleFactsOf(tx, stored, administrators, caller);
    await yieldToEventLoop();
    const call = { first: 0, items: parsed };
    let created = 0;
    const nextSerial = () => `new ${++created}`; // never shown
    const facts = { stored, past: emptyNameHistory(), roleFacts, quarantine };
    const plan = await planIn(mode, call, facts, nextSerial);
    await safetyLimit?.check(tx, plan.changed);
    const outcomes = await explainMissing(tx, plan.outcomes, 0);
    return withoutNewSerials(toItemOutcomes(outcomes, true), plan.created);
  });
  return previewed(outcomes);
}

/**
 * Lock, plan, apply. The plan still holds at the commit because every user it changes or conflicts with is locked,
 * every name it assigns is protected by a unique index, and every name it assumes to be free is checked again at the
 * end in a new snapshot. If one is taken by then, plan again.
 */
async function changeChunk(
  context: Context,
  chunk: Chunk<BulkChange>,
  past: NameHistory,
  chunkContext: ChunkContext,
  { mode, hold, safetyLimit }: ChangeOptions & { readonly safetyLimit: SafetyLimit | undefined },
): Promise<UpdatePlan> {
  const { origin } = chunkContext;
  const names = namesTouched(chunk.items);
  const hashes = await hashesForNewUsers(context, chunk.items);
  return transaction(context.database, async (tx) => {
    const stored = await lockUsers(tx, names);
    const free = freeNames(context, names, stored);
    const quarantine = await quarantineOf(context, tx, free);
    const administrators = anyMayRemoveAdministrator(chunk.items)
      ? await currentAdministrators(tx, stored)
      : [];
    const roleFacts = await roleFactsOf(tx, stored, administrators, chunkContext.caller);
    await yieldToEventLoop();
    const facts = { stored, past, roleFacts, quarantine };
    const planned = await bulkPhase(context.metrics, 'plan', () =>
      planIn(mode, chunk, facts, () => newSerial().serial),
    );
    const outcomes = await explainMissing(tx, planned.outcomes, chunk.first);
    const plan = { ...planned, outcomes };
    await yieldToEventLoop();
    // A resumed call has already passed the check.
    if (chunkContext.isFirst) await safetyLimit?.check(tx, plan.changed);
    await applyUpdates(tx, await prepareUpdates(context, plan, chunkContext));
    await insertCreated(context, tx, plan.created, { origin, hold, hashes });
    await renewPasswords(context, tx, plan.rehired, { origin, hold, hashes });
    await chunkContext.record(tx, plan, plan.changed.length + plan.created.length);
    if (await anyNameHeld(tx, plan.assumedFree)) throw new PlanOutdated();
    await checkQuarantine(context, tx, freeNamesTaken(plan, free));
    return plan;
  });
}

/** What a plan is based on. */
interface PlanFacts {
  readonly stored: readonly StoredUser[];
  readonly past: NameHistory;
  readonly roleFacts: RoleFacts;
  readonly quarantine: Quarantine;
}

async function planIn(
  mode: CallMode,
  chunk: Chunk<BulkChange>,
  { stored, past, roleFacts, quarantine }: PlanFacts,
  nextSerial: SerialSource,
): Promise<UpdatePlan> {
  return mode === 'finalState'
    ? runYielding(planFinalState(chunk.items, stored, roleFacts, nextSerial, quarantine))
    : planUpdates(chunk, stored, past, roleFacts, nextSerial, quarantine);
}

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

function anyMayRemoveAdministrator(items: readonly Parsed<BulkChange>[]): boolean {
  return items.some((item) => item.ok && mayRemoveAdministrator(item.value.change));
}

function namesTouched(items: readonly Parsed<BulkChange>[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  const serials = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    const { targetEmployeeID, targetThen, change, creation } = item.value;
    if (targetThen?.serial) serials.add(targetThen.serial);
    else if (!targetThen || creation) employeeIDs.add(targetEmployeeID);
    if (change.employeeID !== undefined) employeeIDs.add(change.employeeID);
    if (change.username != null) usernames.add(usernameKey(change.username));
  }
  return { employeeIDs: [...employeeIDs], usernames: [...usernames], serials: [...serials] };
}
