import type { FastifyReply, FastifyRequest } from 'fastify';
import { mayReadUsers } from '../domain/access/visibility.js';
import type { ItemOutcome } from '../domain/bulk/outcomes.js';
import { BulkReport } from './bulk-report.js';

interface MatchedResult {
  readonly outcomes: readonly ItemOutcome[];
  readonly employeeIDs: readonly string[];
  /** Not on a preview. */
  readonly callId?: string;
}

/** Reports on users who were not listed in the request, by their employee IDs. */
export function sendMatchedReport(
  request: FastifyRequest,
  reply: FastifyReply,
  { outcomes, employeeIDs, callId }: MatchedResult,
  effects: boolean,
): Promise<FastifyReply> {
  if (callId !== undefined) reply.header('x-call-id', callId);
  const mayRead = mayReadUsers(request.actor);
  const report = new BulkReport({
    payload: (position) => JSON.stringify(mayRead ? { employeeID: employeeIDs[position] } : {}),
    sentFields: new Set(),
    mayRead,
    effects,
    details: true,
  });
  return report.send(reply, outcomes);
}
