import type { FastifyInstance } from 'fastify';
import { UndoReply } from '../../../contract/bulk-report.js';
import { anyNumber } from '../../../domain/bulk/safety-limit.js';
import { previewUndo, undoCall } from '../../../domain/calls/undo-call.js';
import { cancelOnDisconnect } from '../../../domain/database.js';
import { approvalOnly, isForApproval, type Plan } from '../../../domain/planned/plan-call.js';
import { type PlanUndoContext, planUndo } from '../../../domain/planned/plan-selected.js';
import { callerOf } from '../../authentication.js';
import { clientSignal } from '../../client-signal.js';
import { sendMatchedReport, sendPlannedReport } from '../../matched-report.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import {
  type PlanSettings,
  planErrors,
  plannedReply,
  planParameters,
  readPlan,
} from '../../plan-parameters.js';
import {
  confirmParameter,
  flagParameter,
  type Query,
  querySchema,
  readQuery,
  valuesOf,
} from '../../query.js';
import { RequestRejected } from '../../request-rejected.js';
import { exampleSerial } from '../users/examples.js';
import { callParams } from './calls.js';

export interface UndoRouteContext extends PlanUndoContext, PlanSettings {}

const undoParameters = {
  ...planParameters,
  dryRun: flagParameter('true: writes nothing and returns the report that the undo would return.', false),
  confirm: confirmParameter,
};

export function undoCallRoute(app: FastifyInstance, context: UndoRouteContext): void {
  app.post<{ Params: { id: string }; Querystring: Query }>('/service/calls/:id/undo', {
    config: { scope: 'users:write' },
    schema: describeOperation({
      operationId: 'undoCall',
      summary: 'Undo a bulk call',
      description:
        'Restores what the call changed, user by user. A user is skipped if they were changed since (10110), and fails if a former name is taken (10101, 10103) or the user has a role (10111). Reactivated users have no role. Users that the call created are removed, unless they chose a password or were given a role. The undo is itself a call and can be undone. Without users:read, the report names the restored fields without their values.',
      tag: 'Changes',
      secured: true,
      parameters: { params: callParams, querystring: querySchema(undoParameters) },
      success: {
        status: 200,
        description: 'Every user that the call changed is reported as a success or a failure.',
        schema: UndoReply,
        example: {
          status: 'success',
          message: 'Bulk call processed.',
          data: {
            successItems: [
              {
                payload: { employeeID: 'E2001' },
                position: 0,
                response: { serial: exampleSerial },
                effect: { kind: 'updated', fields: { employeeID: { before: 'E2001', after: 'E1001' } } },
              },
            ],
            failedItems: [],
          },
        },
        headers: { 'X-Call-Id': 'The ID of the undo, which is itself a call; not on a preview.' },
      },
      accepted: plannedReply,
      errors: [
        'CALL_NOT_FOUND',
        'CALL_RUNNING',
        'CALL_STATE_CONFLICT',
        ...planErrors,
        'CALL_NOT_UNDOABLE',
        'CALL_TOO_OLD',
        'CALL_EXCEEDS_SAFETY_LIMIT',
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_BODY_INVALID',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const query = readQuery(request.query, undoParameters);
      const { dryRun, confirm: confirmed } = valuesOf(query, undoParameters);
      const plan = readPlan(query, context);
      const { id } = request.params;
      const options = { caller: callerOf(request), confirmed };
      const planned = async (plan: Plan) =>
        sendPlannedReport(request, reply, context.database, await planUndo(context, id, plan, options));
      if (plan && !dryRun) return planned(plan);
      const { safetyApproval } = context;
      const result = dryRun
        ? await previewUndo(
            { ...context, database: cancelOnDisconnect(context.database, clientSignal(reply)) },
            id,
            {
              ...options,
              confirmed: safetyApproval ? anyNumber : confirmed,
            },
          )
        : await undoCall(context, id, safetyApproval ? { ...options, confirmed: undefined } : options);
      if (!result.ok && !dryRun && isForApproval(context, result.failure)) return planned(approvalOnly);
      if (!result.ok) throw new RequestRejected(result.failure);
      return sendMatchedReport(request, reply, context.database, result, { effects: true });
    },
  });
}
