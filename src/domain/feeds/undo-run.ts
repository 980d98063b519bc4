import type { ErrorName, Failure } from '../../contract/errors.js';
import { callsOfRun } from '../../storage/feeds/feed-users.js';
import { anyNumber } from '../bulk/safety-limit.js';
import type { Caller } from '../caller.js';
import { type UndoContext, undoCall } from '../calls/undo-call.js';
import { NodeUnavailable } from '../outage.js';
import { FeedFailed } from './feed-failed.js';
import { withdrawPlans } from './planned-rows.js';
import type { RunSession } from './run-session.js';

/** Undoes the calls of a run, the last one first. What an interrupted undo has done is not done again. */
export async function undoRun(context: UndoContext, session: RunSession): Promise<void> {
  const { run } = session;
  const scopes = new Set(['users:read', 'users:write', 'attributes:sensitive'] as const);
  const actor = run.approvedBy ?? run.startedBy ?? { kind: 'feed', id: run.feed };
  const caller: Caller = {
    actor: { kind: actor.kind as Caller['actor']['kind'], id: actor.id, scopes },
    requestId: run.id,
    address: '',
  };
  await withdrawPlans(context.database, run.feed, caller);
  for (const { id, isUndone } of await callsOfRun(context.database.pool, run.id)) {
    session.checkpoint();
    if (isUndone) continue;
    const result = await undoCall(context, id, { caller, confirmed: anyNumber });
    if (!result.ok) throw putOff.has(result.failure.error) ? new UndoPutOff() : incomplete(result.failure);
    if (result.interruption !== undefined) throw result.interruption;
  }
  await session.write({ state: 'undone' });
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
