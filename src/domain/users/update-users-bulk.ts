import type { CallMode } from '../../contract/calls.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { snapshot, transaction } from '../../storage/database.js';
import { listAdministrators } from '../../storage/access/roles.js';
import { anyNameHeld } from '../../storage/users/user-names.js';
import { lockUsers, readUsers, type UserSelection } from '../../storage/users/read-users.js';
import type { Caller } from '../caller.js';
import { type Brake, brakeFor } from '../bulk/safety-limit.js';
import { type Preview, previewed } from '../bulk/call-refused.js';
import { reported } from '../bulk/outcomes.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { Part } from '../bulk/run-chunks.js';
import type { Context } from '../context.js';
import { inTurns, othersTurn } from '../yield-to-event-loop.js';
import { PlanOutdated } from '../races.js';
import type { Parsed } from '../read-fields.js';
import { administratorsBeside, mayUnseat, roleFactsOf } from './administrators.js';
import { applyUpdates, prepareUpdates } from './apply-updates.js';
import { type Chunk, planUpdates, type UpdatePlan } from './plans/sequential-plan.js';
import { type CallMemory, emptyMemory } from './plans/name-holders.js';
import { finalStateSteps } from './plans/final-state-plan.js';
import type { RoleFacts } from './plans/protected-users.js';
import { mayRunAside, partItemsAside, updatesAside } from './lock-free-updates.js';
import type { BulkChange } from './user-rules.js';

/** How a bulk update is to be understood. */
export interface UpdateOptions {
  readonly mode: CallMode;
  /** How many users the caller knows the call to deactivate or rename. */
  readonly confirmed: number | undefined;
}

export async function updateUsersBulk(
  context: Context,
  parsed: readonly Parsed<BulkChange>[],
  request: CallRequest & UpdateOptions,
): Promise<CallResult> {
  const brake = await brakeFor(context, parsed, request.confirmed);
  // What has to be judged as a whole is done as a whole.
  const inOne = request.mode === 'finalState' || brake !== undefined;
  const aside = !inOne && mayRunAside(parsed) ? updatesAside(context, request.caller) : undefined;
  const partItems = aside ? partItemsAside(parsed.length, context.limits) : context.limits.bulkChunkItems;
  const chunkItems = inOne ? Math.max(parsed.length, 1) : partItems;
  return runCall(context, { ...request, kind: 'update-bulk', chunkItems }, parsed, {
    inTurn: (chunk, past, part) => updateChunk(context, chunk, past, part, { mode: request.mode, brake }),
    aside,
  });
}

/** What the call would come to, over one moment's state of the database. Nothing is written, and nothing is locked. */
export async function previewUpdates(
  context: Context,
  parsed: readonly Parsed<BulkChange>[],
  { mode, confirmed, caller }: UpdateOptions & { readonly caller: Caller },
): Promise<Preview> {
  const brake = await brakeFor(context, parsed, confirmed);
  const outcomes = snapshot(context.database, async (tx) => {
    const stored = await readUsers(tx, namesTouched(parsed));
    const administrators = unseatsSomebody(parsed) ? await listAdministrators(tx) : [];
    const roleFacts = await roleFactsOf(tx, stored, administrators, caller);
    await othersTurn();
    const plan = await planIn(mode, { first: 0, items: parsed }, stored, emptyMemory(), roleFacts);
    await brake?.check(tx, plan.changed);
    return reported(plan.outcomes, true);
  });
  return previewed(outcomes);
}

/**
 * Lock, plan, apply. Why the plan holds at the moment of the commit: every user it changed or found in the way is
 * locked; every name it gave away was free, or the unique index would have refused; and every name that it found to be
 * nobody's is looked up once more at the end, in a fresh snapshot. If that look finds somebody, plan again.
 */
async function updateChunk(
  context: Context,
  chunk: Chunk<BulkChange>,
  past: CallMemory,
  part: Part,
  { mode, brake }: { readonly mode: CallMode; readonly brake: Brake | undefined },
): Promise<UpdatePlan> {
  const names = namesTouched(chunk.items);
  return transaction(context.database, async (tx) => {
    const stored = await lockUsers(tx, names);
    const administrators = unseatsSomebody(chunk.items) ? await administratorsBeside(tx, stored) : [];
    const roleFacts = await roleFactsOf(tx, stored, administrators, part.caller);
    await othersTurn();
    const plan = await planIn(mode, chunk, stored, past, roleFacts);
    await othersTurn();
    // A call that is gone on with has passed it before.
    if (part.isFirst) await brake?.check(tx, plan.changed);
    await applyUpdates(tx, await prepareUpdates(context, plan, part));
    await part.record(tx, plan, plan.changed.length);
    if (await anyNameHeld(tx, plan.unheld)) throw new PlanOutdated();
    return plan;
  });
}

async function planIn(
  mode: CallMode,
  chunk: Chunk<BulkChange>,
  stored: readonly StoredUser[],
  past: CallMemory,
  roleFacts: RoleFacts,
): Promise<UpdatePlan> {
  return mode === 'finalState'
    ? inTurns(finalStateSteps(chunk.items, stored, roleFacts))
    : planUpdates(chunk, stored, past, roleFacts);
}

function unseatsSomebody(items: readonly Parsed<BulkChange>[]): boolean {
  return items.some((item) => item.ok && mayUnseat(item.value.change));
}

function namesTouched(items: readonly Parsed<BulkChange>[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const item of items) {
    if (!item.ok) continue;
    const { selects, change } = item.value;
    employeeIDs.add(selects);
    if (change.employeeID !== undefined) employeeIDs.add(change.employeeID);
    if (change.username != null) usernames.add(usernameKey(change.username));
  }
  return { employeeIDs: [...employeeIDs], usernames: [...usernames] };
}
