import type { FastifyInstance } from 'fastify';
import { CallReply } from '../../../contract/calls.js';
import type { ErrorName } from '../../../contract/errors.js';
import type { Caller } from '../../../domain/caller.js';
import type { FoundCall } from '../../../domain/calls/get-call.js';
import {
  approveCall,
  cancelCall,
  type DecisionContext,
  takeOverCall,
} from '../../../domain/planned/decide-call.js';
import { callerOf } from '../../authentication.js';
import { reasonParameter } from '../../call-label.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { type Query, querySchema, readQuery } from '../../query.js';
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
  readonly parameters?: typeof cancelParameters;
  decide(context: DecisionContext, id: string, caller: Caller, reason: string | null): Promise<FoundCall>;
}

const cancelParameters = { reason: reasonParameter };

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
    description:
      'The call will not run. One that is already running can be undone afterwards. If someone other than its author cancels a call that awaits approval, it is rejected, and its author is told.',
    message: 'Call cancelled.',
    parameters: cancelParameters,
    errors: ['REQUEST_PARAMETER_INVALID'],
    decide: cancelCall,
  },
  {
    action: 'take-over',
    operationId: 'takeOverCall',
    summary: 'Take over a planned call',
    description:
      'You become the author of the call, and it runs with your permissions. If it needs approval, someone else has to approve it after that.',
    message: 'Call taken over.',
    decide: ({ database }, id, caller) => takeOverCall(database, id, caller),
  },
];

/** What can be done with a planned call before it runs. */
export function decideCallRoutes(app: FastifyInstance, context: DecisionContext): void {
  for (const { action, message, decide, errors = [], parameters, ...described } of decisions) {
    app.post<{ Params: { id: string }; Querystring: Query }>(`/service/calls/:id/${action}`, {
      config: { scope: ['users:write', 'users:read'], isSensitive: action === 'approve' },
      schema: describeOperation({
        ...described,
        tag: 'Changes',
        secured: true,
        parameters: { params: callParams, ...(parameters && { querystring: querySchema(parameters) }) },
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
        const reason = (parameters && readQuery(request.query, parameters).reason) ?? null;
        const decided = succeeded(await decide(context, request.params.id, callerOf(request), reason));
        return reply.send({ status: 'success', message, data: decided.call });
      },
    });
  }
}
