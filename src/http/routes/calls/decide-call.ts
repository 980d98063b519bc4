import type { FastifyInstance } from 'fastify';
import { CallReply } from '../../../contract/calls.js';
import type { ErrorName } from '../../../contract/errors.js';
import type { Caller } from '../../../domain/caller.js';
import type { FoundCall } from '../../../domain/calls/get-call.js';
import type { Database } from '../../../domain/database.js';
import { approveCall, cancelCall, takeOverCall } from '../../../domain/planned/decide-call.js';
import { callerOf } from '../../authentication.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { succeeded } from '../../request-rejected.js';
import { examplePlannedCall } from '../changes/examples.js';
import { callParams } from './calls.js';

interface Decision {
  readonly action: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly message: string;
  readonly errors?: readonly ErrorName[];
  decide(database: Database, id: string, caller: Caller): Promise<FoundCall>;
}

const decisions: readonly Decision[] = [
  {
    action: 'approve',
    operationId: 'approveCall',
    summary: 'Approve a planned call',
    description:
      'Lets a call that awaits approval run at its time, or now. Only someone other than its author can approve it.',
    message: 'Call approved.',
    errors: ['ACCESS_PROOF_REQUIRED', 'CALL_APPROVAL_BY_AUTHOR'],
    decide: approveCall,
  },
  {
    action: 'cancel',
    operationId: 'cancelCall',
    summary: 'Cancel a planned call',
    description: 'The call will not run. One that is already running can be undone afterwards.',
    message: 'Call cancelled.',
    decide: cancelCall,
  },
  {
    action: 'take-over',
    operationId: 'takeOverCall',
    summary: 'Take over a planned call',
    description:
      'You become the author of the call, and it runs with your permissions. If it needs approval, someone else has to approve it after that.',
    message: 'Call taken over.',
    decide: takeOverCall,
  },
];

/** What can be done with a planned call before it runs. */
export function decideCallRoutes(app: FastifyInstance, database: Database): void {
  for (const { action, message, decide, errors = [], ...described } of decisions) {
    app.post<{ Params: { id: string } }>(`/service/calls/:id/${action}`, {
      config: { scope: ['users:write', 'users:read'], isSensitive: action === 'approve' },
      schema: describeOperation({
        ...described,
        tag: 'Changes',
        secured: true,
        parameters: { params: callParams },
        success: {
          status: 200,
          description: 'The call.',
          schema: CallReply,
          example: { status: 'success', message, data: examplePlannedCall },
        },
        errors: [
          'CALL_NOT_FOUND',
          'CALL_STATE_CONFLICT',
          ...errors,
          'REQUEST_BODY_INVALID',
          ...commonErrors,
          'SERVICE_OUTCOME_UNKNOWN',
        ],
      }),
      handler: async (request, reply) => {
        const decided = succeeded(await decide(database, request.params.id, callerOf(request)));
        return reply.send({ status: 'success', message, data: decided.call });
      },
    });
  }
}
