import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayReadUsers } from '../domain/access/visibility.js';
import { showingTo } from '../domain/attributes/show-users.js';
import type { ItemOutcome } from '../domain/bulk/outcomes.js';
import type { Database } from '../domain/database.js';
import type { PlannedSelection } from '../domain/planned/plan-selected.js';
import { BulkReport } from './bulk-report.js';
import { acceptCall, plannedMessage } from './plan-parameters.js';
import { succeeded } from './request-rejected.js';

interface MatchedResult {
  readonly outcomes: readonly ItemOutcome[];
  readonly employeeIDs: readonly (string | null)[];
  /** Not on a preview. */
  readonly callId?: string;
}

/** Reports on a call that was planned instead of run. */
export function sendPlannedReport(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  planned: PlannedSelection,
): Promise<FastifyReply> {
  const call = succeeded(planned);
  acceptCall(reply, call);
  return sendMatchedReport(request, reply, database, call, { effects: true, message: plannedMessage(call) });
}

/** Reports on users who were not listed in the request, by their employee IDs. */
export async function sendMatchedReport(
  request: FastifyRequest,
  reply: FastifyReply,
  database: Database,
  { outcomes, employeeIDs, callId }: MatchedResult,
  { effects, message }: { readonly effects: boolean; readonly message?: string },
): Promise<FastifyReply> {
  if (callId !== undefined) reply.header('x-call-id', callId);
  const mayRead = mayReadUsers(request.actor);
  const report = new BulkReport({
    // Of an erased user, there is none.
    payload: (position) => JSON.stringify(mayRead ? { employeeID: employeeIDs[position] || undefined } : {}),
    sentFields: new Set(),
    mayRead,
    effects,
    showing: effects ? await showingTo(database.pool, request.actor) : undefined,
    details: true,
  });
  return report.send(reply, outcomes.map(withoutPosition), message);
}

/** Nobody sent items, so a message that counts them would mislead. */
function withoutPosition(outcome: ItemOutcome): ItemOutcome {
  if (outcome.ok) return outcome;
  const { failure } = outcome;
  return { ok: false, failure: { ...failure, detail: failure.reason ?? failure.detail } };
}
