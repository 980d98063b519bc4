import type { Failure } from '../../contract/errors.js';
import { advanceCall, type RunningCall } from '../../storage/changes/calls.js';
import {
  awaitTakeover,
  claimDueCall,
  type DueCall,
  endPlannedCall,
  postponeCall,
} from '../../storage/changes/planned-calls.js';
import { listPlannedItems, type PlannedItem } from '../../storage/changes/planned-items.js';
import { type Database, transaction } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';
import { CallTakenOver } from '../bulk/call-errors.js';
import type { ExpectedOutcomes } from '../bulk/expected-outcomes.js';
import { finishedChunks, type StartedCall } from '../bulk/idempotency.js';
import { emptyNameHistory } from '../bulk/name-history.js';
import { type ItemOutcome, storedItems } from '../bulk/outcomes.js';
import { anyNumber } from '../bulk/safety-limit.js';
import { statusCountsOf } from '../bulk/status-counts.js';
import type { Caller } from '../caller.js';
import { currentScopes } from './author-scopes.js';
import { type PlannableContext, type PlannableKind, runStoredCall, scopesFor } from './plannable-calls.js';
import { openPlannedItem } from './planned-items.js';

/** After an error that no one expected, or while the service is not ready. */
const retrySeconds = 60;

/** Runs the next call that is due, if any. Only one node does, and each item has its outcome exactly once. */
export async function runDueCall(context: PlannableContext): Promise<boolean> {
  const { database, cipher, limits } = context;
  const due = await claimDueCall(database.pool, cipher.keyIds, limits.callLeaseMs);
  if (!due) return false;
  try {
    await run(context, due);
  } catch (error) {
    if (error instanceof CallTakenOver) return true;
    if (databaseOutage(error) === undefined) await postpone(context.database, due);
    throw error;
  }
  return true;
}

async function run(context: PlannableContext, due: DueCall): Promise<void> {
  const { database, cipher } = context;
  const scopes = await currentScopes(database.pool, due.author, due.authorScopes);
  if (!scopesFor(due.kind).every((scope) => scopes.has(scope))) {
    await transaction(database, (tx) => awaitTakeover(tx, due));
    return;
  }
  const { id, kind, undoes, author, requestId } = due;
  const stored = await listPlannedItems(database.pool, id);
  const call: RunningCall = { ...due, origin: { actor: author, requestId, callId: id } };
  const expected = expectedOf(context, due, stored);
  const caller: Caller = {
    actor: { kind: author.kind as Caller['actor']['kind'], id: author.id, scopes },
    requestId,
    address: '',
  };
  const items = stored.map((item) => openPlannedItem(cipher, item));
  const finished = await finishedChunks(database.pool, id);
  const result = await runStoredCall(
    context,
    { kind: kind as PlannableKind, undoes, options: due.options, items },
    {
      ...{ caller, effects: false },
      claimed: { ok: true, call, ...finished, isDone: false, expected },
      // What was previewed was confirmed or approved as well.
      confirmed: expected ? anyNumber : (due.options as { confirmed?: number }).confirmed,
    },
  );
  if (!result.ok && result.failure.error === 'SERVICE_UNAVAILABLE') {
    await postpone(context.database, due);
  } else if (!result.ok) await reject(context, call, stored.slice(itemsDone(finished)), result.failure);
  else if (result.interruption !== undefined) throw result.interruption;
  else await transaction(database, (tx) => endPlannedCall(tx, id));
}

function postpone(database: Database, due: DueCall): Promise<void> {
  return transaction(database, (tx) => postponeCall(tx, due, retrySeconds));
}

function expectedOf(
  { safetyApproval }: PlannableContext,
  { ifChanged }: DueCall,
  items: readonly PlannedItem[],
): ExpectedOutcomes | undefined {
  // Where large calls have to be approved, the setting may be newer than the call: what it would do now is unknown.
  if (ifChanged === 'run' && !safetyApproval) return undefined;
  return {
    outcomes: items.map(({ preview }) => preview as ItemOutcome),
    stops: ifChanged === 'stop',
  };
}

/** Chunks of planned calls run one after the other. */
function itemsDone({ done }: Pick<StartedCall, 'done'>): number {
  return done.reduce((items, { outcomes }) => items + outcomes.length, 0);
}

/** The call as a whole was rejected: every item that has no outcome yet has failed for this reason. */
async function reject(
  { database, limits }: PlannableContext,
  call: RunningCall,
  items: readonly PlannedItem[],
  failure: Failure,
): Promise<void> {
  await transaction(database, async (tx) => {
    const outcomes = items.map(() => ({ ok: false, failure }) as const);
    const stored = storedItems(
      items[0]?.position ?? 0,
      outcomes,
      items.map(({ employeeID }) => employeeID),
      emptyNameHistory(),
    );
    const progress = { succeeded: 0, failed: items.length, changes: 0, statuses: statusCountsOf(outcomes) };
    if (!(await advanceCall(tx, call, progress, stored, limits.callLeaseMs))) throw new CallTakenOver();
    await endPlannedCall(tx, call.id);
  });
}
