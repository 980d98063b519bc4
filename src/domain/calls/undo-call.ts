import { type CallKind, type CallState, hasRun, isWaiting } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { listAdministrators } from '../../storage/access/roles.js';
import { type Call, closeCall, getCall, lockCall } from '../../storage/changes/calls.js';
import { type ChangeOrigin, changesOfCall } from '../../storage/changes/changes.js';
import { endPlannedCall } from '../../storage/changes/planned-calls.js';
import { type Database, type Executor, snapshot, transaction } from '../../storage/database.js';
import { insertDeliveries } from '../../storage/delivery/insert-deliveries.js';
import { cancelDeliveriesOf } from '../../storage/delivery/user-deliveries.js';
import { erasedAmong, lockErasures } from '../../storage/erasure/erased-users.js';
import { insertUsers } from '../../storage/users/insert-users.js';
import {
  deleteUsers,
  listAccountsInUse,
  lockPasswords,
  lockUsers,
  readUsers,
  type UserSelection,
} from '../../storage/users/read-users.js';
import { CallRejected, type Preview, previewed } from '../bulk/call-errors.js';
import { callOutdated } from '../bulk/expected-outcomes.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import { toItemOutcomes, type WithEmployeeIds } from '../bulk/outcomes.js';
import { type CallRequest, type CallResult, runCall } from '../bulk/run-call.js';
import type { ChunkContext, ChunkPlan } from '../bulk/run-chunks.js';
import { createSafetyLimit } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import { logCreated, logDeleted } from '../changes/log-changes.js';
import type { Context } from '../context.js';
import { undoEntries } from '../directories/undo-entries.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import { accept, type Parsed } from '../read-fields.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { isSerial, withCreatedAt } from '../serial.js';
import { currentAdministrators, mayAdminister, roleFactsOf } from '../users/administrators.js';
import { applyUpdates, prepareUpdates } from '../users/apply-updates.js';
import { endPasswords } from '../users/insert-created.js';
import { type NetChange, netChanges, planUndo, type UndoPlan } from '../users/plans/undo-plan.js';
import type { Updates } from '../users/plans/updates.js';
import { runYielding, yieldToEventLoop } from '../yield-to-event-loop.js';
import { noSuchCall } from './get-call.js';

export interface UndoRequest extends Pick<CallRequest, 'caller' | 'claimed'> {
  /** The number of users that the caller has confirmed for the safety limit. */
  readonly confirmed: number | undefined;
}

/** Undoes a bulk call. The undo is itself a call, and can be undone. */
export function undoCall(
  context: Context,
  id: string,
  request: UndoRequest,
): Promise<WithEmployeeIds<CallResult>> {
  const run = () => undoNow(context, id, request);
  return context.database.kind === 'embedded' ? afterOtherUndos(context.database, run) : run();
}

const lastUndos = new WeakMap<Database, Promise<unknown>>();

/** Two undos that take turns between their transactions could leave some users as one wants them and some as the other. */
function afterOtherUndos<Result>(database: Database, run: () => Promise<Result>): Promise<Result> {
  const result = (lastUndos.get(database) ?? Promise.resolve()).then(run, run);
  lastUndos.set(database, result);
  return result;
}

async function undoNow(
  context: Context,
  id: string,
  { caller, confirmed, claimed }: UndoRequest,
): Promise<WithEmployeeIds<CallResult>> {
  const { database } = context;
  const closed = await transaction(database, async (tx) => {
    const call = isSerial(id) ? await lockCall(tx, id) : undefined;
    const problem = undoProblem(call);
    if (!problem) await closeCall(tx, id); // an interrupted call must not be resumed while it is undone
    return { call, problem };
  });
  if (closed.problem) return { ok: false, failure: closed.problem };
  const undone = closed.call as Call;
  const nets = await netChangesOf(database.pool, undone);
  if ('error' in nets) return { ok: false, failure: nets };
  // The call that it undoes has changed since the preview: it was resumed, or a user was erased.
  if (claimed && nets.length !== claimed.call.items) return { ok: false, failure: callOutdated([]) };
  await yieldToEventLoop();
  const employeeIDs = nets.map(({ employeeID }) => employeeID);
  // Others can read and write while PostgreSQL undoes a call, so there it is one transaction.
  const isInChunks =
    database.kind === 'embedded' && context.safetyLimitPercent === 0 && areIndependent(undone.kind, nets);
  const chunkItems = isInChunks ? context.limits.bulkChunkItems : Math.max(nets.length, 1);
  const options = { kind: 'undo', undoes: id, caller, claimed, effects: true, chunkItems } as const;
  const result = await runCall(context, options, nets.map(accept), {
    employeeIdOf: ({ employeeID }) => employeeID,
    sequential: async (chunk, _past, chunkContext) => {
      const { first, items } = chunk;
      const part = { nets: nets.slice(first, first + items.length), items };
      const plan = await undo(context, undone, part, chunkContext, confirmed);
      employeeIDs.splice(first, items.length, ...plan.employeeIDs);
      return plan;
    },
  });
  return result.ok ? { ...result, employeeIDs } : result;
}

/** Plans an undo without writing or locking anything. */
export async function previewUndo(
  { database, safetyLimitPercent }: Context,
  id: string,
  { caller, confirmed }: { readonly caller: Caller; readonly confirmed: number | undefined },
): Promise<WithEmployeeIds<Preview>> {
  return snapshot(database, async (tx): Promise<WithEmployeeIds<Preview>> => {
    const call = isSerial(id) ? await getCall(tx, id) : undefined;
    const problem = undoProblem(call);
    if (!call || problem) return { ok: false, failure: problem ?? noSuchCall() };
    const nets = await netChangesOf(tx, call);
    if ('error' in nets) return { ok: false, failure: nets };
    const erased = await erasedAmong(tx, serialsOf(nets));
    const stored = await readUsers(tx, involved(nets));
    const accountsInUse = await listAccountsInUse(tx, created(nets));
    const roleFacts = await roleFactsOf(tx, stored, await listAdministrators(tx), caller);
    const plan = await runYielding(planUndo(nets, { stored, accountsInUse, erased, ...roleFacts }));
    const outcomes = checkSafetyLimit(tx, plan, safetyLimitPercent, confirmed).then(() =>
      toItemOutcomes(plan.outcomes, true),
    );
    const preview = await previewed(outcomes);
    return preview.ok ? { ...preview, employeeIDs: plan.employeeIDs } : preview;
  });
}

function undoProblem(call: Call | undefined): Failure | undefined {
  if (!call) return noSuchCall();
  if (call.kind === 'erase-bulk') return notUndoable();
  if (call.state === 'running') return running();
  if (!hasRun(call.state)) return notRun(call.state);
  return undefined;
}

function notRun(state: CallState): Failure {
  const hint = isWaiting(state) ? 'To prevent it from running, cancel it.' : 'It never ran.';
  return failure('CALL_STATE_CONFLICT', `There is nothing to undo yet. ${hint}`, { state });
}

function notUndoable(): Failure {
  return failure(
    'CALL_NOT_UNDOABLE',
    'The call erased users. Their data is gone, so it cannot be undone. Create the users again if they are needed.',
  );
}

function running(): Failure {
  return failure('CALL_RUNNING', 'The call is still running. Undo it after it has finished.');
}

const kindsInChunks: ReadonlySet<CallKind> = new Set([
  'create-bulk',
  'update-bulk',
  'upsert-bulk',
  'update-matching',
]);

/** Whether no user gets a name back that another one may have to give up first, so that they can be restored in chunks. */
function areIndependent(kind: CallKind, nets: readonly NetChange[]): boolean {
  const restoresName = ({ fields }: NetChange) =>
    fields.employeeID?.before != null || fields.username?.before != null;
  return kindsInChunks.has(kind) && !nets.some(restoresName);
}

/** The row stays locked, so an interrupted call cannot be resumed until the undo ends. */
async function rejectIfResumed(tx: Executor, { id, changes }: Call): Promise<void> {
  const call = await lockCall(tx, id);
  const problem = undoProblem(call);
  if (problem) throw new CallRejected(problem);
  if (call?.changes !== changes) throw new CallRejected(running());
}

/** What the call did to each user; a failure if the change log no longer covers it. */
async function netChangesOf(executor: Executor, call: Call): Promise<NetChange[] | Failure> {
  const changes = await changesOfCall(executor, call.id);
  if (changes.length >= call.changes) {
    const serials = [...new Set(changes.map(({ userSerial }) => userSerial))];
    return netChanges(changes, await erasedAmong(executor, serials));
  }
  return failure(
    'CALL_TOO_OLD',
    `The call can no longer be undone: only ${changes.length} of its ${call.changes} changes are still in the change log.`,
    { changes: call.changes, kept: changes.length },
  );
}

async function undo(
  context: Context,
  undone: Call,
  { nets, items }: { readonly nets: readonly NetChange[]; readonly items: readonly Parsed<NetChange>[] },
  chunkContext: ChunkContext,
  confirmed: number | undefined,
): Promise<UndoPlan & ChunkPlan> {
  const { database, cipher, safetyLimitPercent } = context;
  return transaction(database, async (tx) => {
    await rejectIfResumed(tx, undone);
    if (undone.plan) await endPlannedCall(tx, undone.id); // an interrupted call must not go on afterwards
    if (nets.some(({ existsAfter }) => !existsAfter)) await lockErasures(tx, 'restore');
    const stored = await lockUsers(tx, involved(nets));
    await lockPasswords(tx, created(nets));
    const accountsInUse = await listAccountsInUse(tx, created(nets));
    const administrators = await currentAdministrators(tx, stored);
    const roleFacts = await roleFactsOf(tx, stored, administrators, chunkContext.caller);
    const erased = await erasedAmong(tx, serialsOf(nets));
    const facts = { stored, accountsInUse, erased, ...roleFacts };
    const undoPlan = await runYielding(planUndo(nets, facts, items));
    const plan = { ...undoPlan, nameHistory: emptyNameHistory() };
    await yieldToEventLoop();
    await checkSafetyLimit(tx, plan, safetyLimitPercent, confirmed);
    const { updates, removed, restored } = plan;
    // Removals free names for updates, and updates free names for restored users.
    if (removed.length > 0) await removeUsers(tx, removed, chunkContext.origin);
    await applyUpdates(tx, await prepareUpdates(context, updates, chunkContext));
    await endPasswords(tx, rehiresUndone(nets, updates));
    if (restored.length > 0) await restoreUsers(tx, restored, chunkContext, cipher);
    if (plan.transitions.length > 0) {
      await undoEntries(
        tx,
        undone,
        nets.filter(({ userSerial }) => !erased.has(userSerial)),
      );
    }
    await chunkContext.record(tx, plan, plan.transitions.length);
    return plan;
  });
}

/** Whoever rehired a user may have chosen the password, so it does not outlive the rehire. */
function rehiresUndone(nets: readonly NetChange[], { changed }: Updates): string[] {
  const rehired = new Set(nets.flatMap(({ isRehire, userSerial }) => (isRehire ? [userSerial] : [])));
  return changed.flatMap(({ after: { serial, isActive } }) =>
    rehired.has(serial) && !isActive ? [serial] : [],
  );
}

async function removeUsers(tx: Executor, users: readonly StoredUser[], origin: ChangeOrigin): Promise<void> {
  const serials = users.map(({ serial }) => serial);
  await cancelDeliveriesOf(tx, serials);
  await deleteUsers(tx, serials);
  await logDeleted(tx, users, origin);
}

/**
 * Restores users with their former serials. Their passwords are gone, so new ones are sent. If the caller may not reset
 * passwords, the deliveries have no requester and an administrator has to release them.
 */
async function restoreUsers(
  tx: Executor,
  users: readonly StoredUser[],
  { origin, caller }: ChunkContext,
  cipher: SecretCipher,
): Promise<void> {
  await insertUsers(
    tx,
    users.map((user) => ({ ...user, ...withCreatedAt(user.serial) })),
  );
  const { requestId, actor } = origin;
  const mayReset = mayAdminister(caller);
  const requestedBy = mayReset ? actor : null;
  const delivery = { requestId: requestId ?? '', requestedBy, inBulk: true, hold: !mayReset };
  await insertDeliveries(
    tx,
    users.map((user) => initialDelivery(cipher, { ...user, password: null }, delivery)),
  );
  await logCreated(tx, users, origin);
}

async function checkSafetyLimit(
  tx: Executor,
  { transitions }: UndoPlan,
  percent: number,
  confirmed: number | undefined,
): Promise<void> {
  if (percent > 0) await createSafetyLimit(percent, confirmed).check(tx, transitions);
}

/** All users that the undo can affect: those it changes, and those who hold a name to be restored. */
function involved(nets: readonly NetChange[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  for (const { fields } of nets) {
    const { employeeID, username } = fields;
    if (typeof employeeID?.before === 'string') employeeIDs.add(employeeID.before);
    if (typeof username?.before === 'string') usernames.add(usernameKey(username.before));
  }
  return { employeeIDs: [...employeeIDs], usernames: [...usernames], serials: serialsOf(nets) };
}

function serialsOf(nets: readonly NetChange[]): string[] {
  return nets.map(({ userSerial }) => userSerial);
}

function created(nets: readonly NetChange[]): string[] {
  return nets.filter(({ existedBefore }) => !existedBefore).map(({ userSerial }) => userSerial);
}
