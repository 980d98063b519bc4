import type { AttributePatch } from '../../contract/attribute-values.js';
import { type CallKind, type CallState, hasRun, isWaiting } from '../../contract/enums.js';
import { type Failure, failure } from '../../contract/errors.js';
import { type StoredUser, usernameKey } from '../../contract/users.js';
import { type Call, closeCall, getCall, lockCall } from '../../storage/changes/calls.js';
import { type ChangeOrigin, changesOfCall } from '../../storage/changes/changes.js';
import { endPlannedCall } from '../../storage/changes/planned-calls.js';
import { type Database, type Executor, snapshot, transaction } from '../../storage/database.js';
import {
  cancelDeliveriesOf,
  cancelPasswordsOfCall,
  insertDeliveries,
  unholdPasswords,
} from '../../storage/delivery/user-deliveries.js';
import { erasedAmong, lockErasures } from '../../storage/erasure/erased-users.js';
import { insertUsers } from '../../storage/users/insert-users.js';
import { reportingLines } from '../../storage/users/managers.js';
import {
  deleteUsers,
  listAccountsInUse,
  lockPasswords,
  lockUsers,
  readUsers,
  type UserSelection,
} from '../../storage/users/read-users.js';
import { attributeFacts, idsIn } from '../attributes/attribute-facts.js';
import { defineAgain } from '../attributes/attributes.js';
import { CallRejected, type Preview } from '../bulk/call-errors.js';
import { callOutdated } from '../bulk/expected-outcomes.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import type { WithEmployeeIds } from '../bulk/outcomes.js';
import type { Chunk } from '../bulk/plan.js';
import { type BulkContext, type CallRequest, type CallResult, completed, runCall } from '../bulk/run-call.js';
import { createSafetyLimit, type SafetyLimitContext } from '../bulk/safety-limit.js';
import { type CallAuthor, type ChunkPlan, previewWithin, type Stages } from '../bulk/stages.js';
import { type Caller, maySeeSensitive, scopeProblem } from '../caller.js';
import { logCreated, logDeleted } from '../changes/log-changes.js';
import { undoEntries } from '../directories/undo-entries.js';
import { initialDelivery } from '../passwords/initial-delivery.js';
import { accept } from '../read-fields.js';
import type { SecretCipher } from '../secrets/secret-cipher.js';
import { isSerial, withCreatedAt } from '../serial.js';
import { administratorsFor, mayAdminister, roleFactsOf } from '../users/administrators.js';
import { applyUpdates, prepareUpdates } from '../users/apply-updates.js';
import { endPasswords, takeUniqueValues } from '../users/insert-created.js';
import { noReportingLines } from '../users/plans/managers.js';
import {
  type NetChange,
  netChanges,
  planUndo,
  restoredPatch,
  type UndoFacts,
  type UndoPlan,
} from '../users/plans/undo-plan.js';
import type { Updates } from '../users/plans/updates.js';
import type { NoticeSettings } from '../users/update-consequences.js';
import { runYielding, yieldToEventLoop } from '../yield-to-event-loop.js';
import { noSuchCall } from './get-call.js';

export interface UndoContext extends BulkContext, SafetyLimitContext, NoticeSettings {
  readonly cipher: SecretCipher;
}

export interface UndoRequest extends Pick<CallRequest, 'caller' | 'claimed'> {
  /** The number of users that the caller has confirmed for the safety limit. */
  readonly confirmed: number | undefined;
}

/** Undoes a bulk call. The undo is itself a call, and can be undone. */
export function undoCall(
  context: UndoContext,
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
  context: UndoContext,
  id: string,
  { caller, confirmed, claimed }: UndoRequest,
): Promise<WithEmployeeIds<CallResult>> {
  const { database } = context;
  const closed = await transaction(database, async (tx) => {
    const call = isSerial(id) ? await lockCall(tx, id) : undefined;
    const problem = undoProblem(call) ?? deniedBy(caller, call);
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
  // Others can read and write while PostgreSQL undoes a call, so there it is one transaction.
  const isInChunks =
    database.kind === 'embedded' && context.safetyLimitPercent === 0 && areIndependent(undone.kind, nets);
  const chunkItems = isInChunks ? context.limits.bulkChunkItems : Math.max(nets.length, 1);
  const options = { kind: 'undo', undoes: id, caller, claimed, effects: true, chunkItems } as const;
  const stages = undoStages(context, undone, nets, confirmed);
  return completed(runCall(context, options, nets.map(accept), stages));
}

/** Plans an undo without writing or locking anything. */
export async function previewUndo(
  context: UndoContext,
  id: string,
  { caller, confirmed }: { readonly caller: Caller; readonly confirmed: number | undefined },
): Promise<WithEmployeeIds<Preview>> {
  return snapshot(context.database, async (tx): Promise<WithEmployeeIds<Preview>> => {
    const call = isSerial(id) ? await getCall(tx, id) : undefined;
    const problem = undoProblem(call) ?? deniedBy(caller, call);
    if (!call || problem) return { ok: false, failure: problem ?? noSuchCall() };
    const nets = await netChangesOf(tx, call);
    if ('error' in nets) return { ok: false, failure: nets };
    return previewWithin(tx, undoStages(context, call, nets, confirmed), nets.map(accept), caller);
  });
}

function undoProblem(call: Call | undefined): Failure | undefined {
  if (!call) return noSuchCall();
  if (call.kind === 'erase-bulk') return notUndoable();
  if (call.state === 'running') return running();
  if (!hasRun(call.state)) return notRun(call.state);
  return undefined;
}

/** Undoing the deletion of an attribute defines it again. */
function deniedBy({ actor }: Caller, call: Call | undefined): Failure | undefined {
  return call?.kind === 'delete-attribute' ? scopeProblem(actor, 'access:admin') : undefined;
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
    fields.employeeID?.before != null ||
    fields.username?.before != null ||
    fields.signInName?.before != null ||
    fields.managerSerial !== undefined ||
    fields.attributes !== undefined;
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

function undoStages(
  context: UndoContext,
  undone: Call,
  nets: readonly NetChange[],
  confirmed: number | undefined,
): Stages<NetChange, UndoFacts, UndoPlan & ChunkPlan> {
  const netsOf = ({ first, items }: Chunk<NetChange>) => nets.slice(first, first + items.length);
  return {
    employeeIdOf: ({ employeeID }) => employeeID,
    read: async (tx, chunk, { caller, locks }) => {
      const nets = netsOf(chunk);
      if (locks) {
        await rejectIfResumed(tx, undone);
        if (nets.some(({ existsAfter }) => !existsAfter)) await lockErasures(tx, 'restore');
      }
      const patches = attributesRestored(nets);
      const isDeletion = undone.kind === 'delete-attribute';
      const undefinable = isDeletion && locks && (await defineAgain(tx, [...idsIn(patches)], caller));
      if (undefinable) throw new CallRejected(undefinable);
      const { definitions, holders } = await attributeFacts(tx, patches, {
        ...{ caller, locks },
        restores: isDeletion && !locks,
      });
      const stored = await (locks ? lockUsers : readUsers)(tx, involved(nets, holders));
      if (locks) await lockPasswords(tx, created(nets));
      const accountsInUse = await listAccountsInUse(tx, created(nets));
      const administrators = await administratorsFor(tx, stored, locks);
      const roleFacts = await roleFactsOf(tx, stored, administrators, caller);
      const erased = await erasedAmong(tx, serialsOf(nets));
      const seesSensitive = maySeeSensitive(caller.actor);
      const restored = managersRestored(nets);
      const lines =
        restored.length > 0
          ? await reportingLines(tx, [...stored, ...restored.map((serial) => ({ serial }))], locks)
          : noReportingLines;
      return { stored, accountsInUse, erased, attributes: definitions, seesSensitive, lines, ...roleFacts };
    },
    plan: async (chunk, facts) => {
      const plan = await runYielding(planUndo(netsOf(chunk), facts, chunk.items));
      return { ...plan, nameHistory: emptyNameHistory() };
    },
    check: async (tx, { transitions }) => {
      const percent = context.safetyLimitPercent;
      if (percent > 0) await createSafetyLimit(percent, confirmed).check(tx, transitions);
    },
    write: async (tx, { updates, removed, restored, transitions }, { chunk, facts, ...author }) => {
      const nets = netsOf(chunk);
      if (undone.plan) await endPlannedCall(tx, undone.id); // an interrupted call must not go on afterwards
      // Removals free names for updates, and updates free names for restored users.
      if (removed.length > 0) await removeUsers(tx, removed, author.origin);
      await applyUpdates(tx, await prepareUpdates(context, updates, author, facts.attributes));
      await endPasswords(tx, rehiresUndone(nets, updates));
      await takeBackPasswords(tx, undone, updates);
      if (restored.length > 0) await restoreUsers(tx, restored, author, context.cipher);
      if (transitions.length > 0) {
        await undoEntries(
          tx,
          undone,
          nets.filter(({ userSerial }) => !facts.erased.has(userSerial)),
        );
      }
    },
    changes: ({ transitions }) => transitions.length,
  };
}

/** Whoever rehired a user may have chosen the password, so it does not outlive the rehire. */
function rehiresUndone(nets: readonly NetChange[], { changed }: Updates): string[] {
  const rehired = new Set(nets.flatMap(({ isRehire, userSerial }) => (isRehire ? [userSerial] : [])));
  return changed.flatMap(({ after: { serial, isActive } }) =>
    rehired.has(serial) && !isActive ? [serial] : [],
  );
}

/**
 * Passwords that the call had sent to users who are inactive again are not needed, and those that it held, because it
 * changed the address, wait as they did before.
 */
async function takeBackPasswords(tx: Executor, undone: Call, { changed }: Updates): Promise<void> {
  const inactive = changed.filter(({ before, after }) => before.isActive && !after.isActive);
  const readdressed = changed.filter(
    ({ before, after }) => before.email !== after.email || before.phone !== after.phone,
  );
  const serials = (updates: Updates['changed']) => updates.map(({ after }) => after.serial);
  if (inactive.length > 0) await cancelPasswordsOfCall(tx, serials(inactive), undone);
  if (readdressed.length > 0) await unholdPasswords(tx, serials(readdressed), undone.id);
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
  { origin, caller }: CallAuthor,
  cipher: SecretCipher,
): Promise<void> {
  await insertUsers(
    tx,
    users.map((user) => ({ ...user, ...withCreatedAt(user.serial) })),
  );
  await takeUniqueValues(tx, users);
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

function managersRestored(nets: readonly NetChange[]): string[] {
  return nets.flatMap(({ fields }) => (fields.managerSerial?.before as string | null | undefined) ?? []);
}

/** The attributes that get their values back. */
function attributesRestored(nets: readonly NetChange[]): AttributePatch[] {
  return nets.flatMap(({ fields }) => (fields.attributes ? [restoredPatch(fields.attributes)] : []));
}

/** All users that the undo can affect: those it changes, and those who hold a name to be restored. */
function involved(nets: readonly NetChange[], holders: readonly string[]): UserSelection {
  const employeeIDs = new Set<string>();
  const usernames = new Set<string>();
  const signInNames = new Set<string>();
  for (const { fields } of nets) {
    const { employeeID, username, signInName } = fields;
    if (typeof employeeID?.before === 'string') employeeIDs.add(employeeID.before);
    if (typeof username?.before === 'string') usernames.add(usernameKey(username.before));
    if (typeof signInName?.before === 'string') signInNames.add(signInName.before);
  }
  return {
    employeeIDs: [...employeeIDs],
    usernames: [...usernames],
    signInNames: [...signInNames],
    serials: [...new Set([...serialsOf(nets), ...holders])],
  };
}

function serialsOf(nets: readonly NetChange[]): string[] {
  return nets.map(({ userSerial }) => userSerial);
}

function created(nets: readonly NetChange[]): string[] {
  return nets.filter(({ existedBefore }) => !existedBefore).map(({ userSerial }) => userSerial);
}
