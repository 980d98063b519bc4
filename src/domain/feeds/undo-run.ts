import type { ErrorName, Failure } from '../../contract/errors.js';
import type { Scope } from '../../contract/scopes.js';
import { type Executor, transaction } from '../../storage/database.js';
import { type FeedRun, lockFeedRun, startUndo } from '../../storage/feeds/feed-runs.js';
import { callsOfRun, countUndo, type UndoCounts } from '../../storage/feeds/feed-users.js';
import { lockFeed } from '../../storage/feeds/feeds.js';
import { affectedProblem, anyNumber } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import { type UndoContext, undoCall } from '../calls/undo-call.js';
import { NodeUnavailable } from '../outage.js';
import type { ApprovalSettings } from '../planned/plan-call.js';
import type { Result } from '../result.js';
import { isSerial } from '../serial.js';
import { FeedFailed } from './feed-failed.js';
import { busy, feedNotFound } from './feeds.js';
import { tellFollowers } from './inform.js';
import { withdrawPlansOf } from './planned-rows.js';
import type { RunSession } from './run-session.js';
import { conflict, found, hiddenFrom, openRunOf, recordRun, runNotFound } from './runs.js';

export interface RunUndo {
  readonly id: string;
  readonly calls: number;
  readonly users: number;
  readonly changedSince: number;
}

export interface RunUndoContext extends UndoContext, ApprovalSettings {}

/** The number of users that the caller has confirmed for the safety limit. */
type Confirmed = number | undefined;

/** What an undo of the run would do. */
export async function previewRunUndo(
  context: RunUndoContext,
  key: string,
  id: string,
  confirmed: Confirmed,
): Promise<Result<{ undo: RunUndo }>> {
  const { pool } = context.database;
  const run = await found(pool, key, id);
  if (!run.ok) return run;
  const problem = undoProblem(run.run);
  if (problem) return { ok: false, failure: problem };
  const { undo, counts } = await undoOf(pool, id);
  const refused = await beyondLimit(context, counts, confirmed);
  return refused ? { ok: false, failure: refused } : { ok: true, undo };
}

/** Undoes all calls of a run in the background. */
export async function startRunUndo(
  context: RunUndoContext,
  key: string,
  id: string,
  { caller, confirmed }: { readonly caller: Caller; readonly confirmed: Confirmed },
): Promise<Result<{ undo: RunUndo }>> {
  // A run that has ended makes no more calls, so this holds until it is undone.
  const preview = await previewRunUndo(context, key, id, confirmed);
  if (!preview.ok) return preview;
  return transaction(context.database, async (tx): Promise<Result<{ undo: RunUndo }>> => {
    if (!(await lockFeed(tx, key))) return feedNotFound();
    const run = isSerial(id) ? await lockFeedRun(tx, key, id) : undefined;
    if (!run) return runNotFound();
    const problem = undoProblem(run) ?? (await hiddenFrom(tx, run, caller));
    if (problem) return { ok: false, failure: problem };
    const open = await openRunOf(tx, key);
    if (open && open.state !== 'waiting') return { ok: false, failure: busy(open) };
    await startUndo(tx, id, caller.actor, [...caller.actor.scopes]);
    await recordRun(tx, 'feed.run-undone', run, caller);
    return preview;
  });
}

/** Undoes the calls of a run, the last one first. What an interrupted undo has done is not done again. */
export async function undoRun(context: UndoContext, session: RunSession): Promise<void> {
  const { run } = session;
  const caller = undoerOf(run);
  await withdrawPlansOf(context.database, run, caller);
  for (const { id, isUndone } of await callsOfRun(context.database.pool, run.id)) {
    session.checkpoint();
    if (isUndone) continue;
    // The number was confirmed for the run as a whole.
    const result = await undoCall(context, id, { caller, confirmed: anyNumber });
    if (!result.ok) throw putOff.has(result.failure.error) ? new UndoPutOff() : incomplete(result.failure);
    if (result.interruption !== undefined) throw result.interruption;
  }
  await session.write({ state: 'undone' }, (tx) => tellFollowers(tx, { ...run, state: 'undone' }));
}

/** What only administrators can change, no run has changed. */
const undoScopes: readonly Scope[] = ['users:read', 'users:write', 'attributes:sensitive'];

/** Whoever asked for the undo answers for it, and sees no more values than then. */
function undoerOf({ id, feed, undoneBy, undoerScopes }: FeedRun): Caller {
  const { kind, id: undoer } = undoneBy ?? { kind: 'feed', id: feed };
  const scopes = new Set(undoScopes.filter((scope) => undoerScopes?.includes(scope)));
  const actor = { kind: kind as Caller['actor']['kind'], id: undoer, scopes }; // as it was stored
  return { actor, requestId: id, address: '' };
}

async function undoOf(executor: Executor, id: string): Promise<{ undo: RunUndo; counts: UndoCounts }> {
  const calls = (await callsOfRun(executor, id)).filter(({ isUndone }) => !isUndone);
  const counts = await countUndo(
    executor,
    calls.map((call) => call.id),
  );
  const { users, changedSince } = counts;
  return { undo: { id, calls: calls.length, users, changedSince }, counts };
}

/** The limit holds for the run as a whole, because its calls together are what somebody undoes. */
async function beyondLimit(
  context: RunUndoContext,
  { affected, removed, deactivated, renamed, cleared }: UndoCounts,
  confirmed: Confirmed,
): Promise<Failure | undefined> {
  if (affected === confirmed && !context.safetyApproval) return undefined;
  const counts = { confirm: affected, removed, deactivated, renamed, cleared };
  return affectedProblem(context, affected, counts, context.safetyApproval ? needsApproval : undefined);
}

const needsApproval =
  'Undo its bulk calls one by one, the last one first, so that someone else approves them.';

function undoProblem(run: FeedRun): Failure | undefined {
  if (run.isDryRun) return conflict(run, 'A dry run changed nothing.');
  return run.state === 'done' || run.state === 'failed' || run.state === 'cancelled'
    ? undefined
    : conflict(run, 'Only a run that has ended can be undone, once.');
}

/** A call counts as running for a while after its node was killed. */
const putOff: ReadonlySet<ErrorName> = new Set([
  'SERVICE_UNAVAILABLE',
  'SERVICE_OUTCOME_UNKNOWN',
  'CALL_RUNNING',
]);

function incomplete({ error, detail }: Failure): FeedFailed {
  return new FeedFailed('UNDO_INCOMPLETE', `A part of the run could not be undone. ${detail}`, {
    reason: error,
  });
}

class UndoPutOff extends NodeUnavailable {
  override readonly name = 'UndoPutOff';
  readonly reason = 'the undo of a run of a feed was not accepted';
}
