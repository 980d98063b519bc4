import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import { MatchingUpdateReply } from '../../../contract/bulk-report.js';
import type { ErrorName, Failure } from '../../../contract/errors.js';
import { cancelOnDisconnect } from '../../../domain/database.js';
import { failureOf } from '../../../domain/outage.js';
import { approvalOnly, isForApproval, type Plan } from '../../../domain/planned/plan-call.js';
import { type PlanMatchingContext, planMatching } from '../../../domain/planned/plan-selected.js';
import {
  type MatchingUpdate,
  patchPartsOf,
  previewMatching,
  updateMatching,
} from '../../../domain/users/update-matching.js';
import { callerOf } from '../../authentication.js';
import { labelParameters } from '../../call-label.js';
import { clientSignal } from '../../client-signal.js';
import { logServerError } from '../../error-replies.js';
import { sendMatchedReport, sendPlannedReport } from '../../matched-report.js';
import { bodyErrors, commonErrors, describeOperation, type Tag } from '../../openapi.js';
import {
  type PlanSettings,
  planErrors,
  plannedReply,
  planParameters,
  readPlan,
} from '../../plan-parameters.js';
import {
  countParameter,
  flagParameter,
  invalidParameter,
  type Query,
  querySchema,
  readQuery,
  valuesOf,
} from '../../query.js';
import { RequestRejected } from '../../request-rejected.js';
import { dryRunParameter } from './bulk-parameters.js';
import { exampleSerial } from './examples.js';

export interface MatchingRouteContext extends PlanMatchingContext, PlanSettings {}

const commonParameters = {
  dryRun: dryRunParameter,
  effects: flagParameter('true: each success lists what it changed.', false),
  confirm: countParameter(
    'Confirms the number of users who match. Required unless it is a preview; a preview reports that many users.',
  ),
};

interface MatchingOperation {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly tag: Tag;
  readonly body: TSchema;
  readonly examples: Readonly<Record<string, { summary: string; value: object }>>;
  readonly errors?: readonly ErrorName[];
  /** Whether the call can be planned instead of being run. */
  readonly canBePlanned?: boolean;
  /** Reads the body, and decides which users are changed how. */
  update(request: FastifyRequest): Promise<MatchingUpdate>;
}

/** A bulk call whose users are selected by a filter instead of being listed. */
export function matchingRoute(
  app: FastifyInstance,
  context: MatchingRouteContext,
  operation: MatchingOperation,
): void {
  const { canBePlanned = false } = operation;
  const parameters = canBePlanned
    ? { ...planParameters, ...labelParameters, ...commonParameters }
    : commonParameters;
  app.post<{ Querystring: Query }>(operation.url, {
    // Counts and previews tell which users match.
    config: { scope: ['users:write', 'users:read'], takes: ['application/json'] },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      description: operation.description,
      tag: operation.tag,
      secured: true,
      parameters: { querystring: querySchema(parameters) },
      body: { types: ['application/json'], schema: operation.body, examples: operation.examples },
      success: {
        status: 200,
        description: 'Every user who matches is reported as a success or a failure.',
        schema: MatchingUpdateReply,
        example: {
          status: 'success',
          message: 'Bulk call processed.',
          data: {
            successItems: [
              { payload: { employeeID: 'E1001' }, position: 0, response: { serial: exampleSerial } },
            ],
            failedItems: [],
          },
        },
        headers: { 'X-Call-Id': 'The ID of the call, to read or undo it; not on a preview.' },
      },
      ...(canBePlanned ? { accepted: plannedReply } : {}),
      errors: [
        ...(operation.errors ?? []),
        ...(canBePlanned ? planErrors : []),
        'CALL_CONFIRMATION_REQUIRED',
        'CALL_MATCHES_TOO_MANY',
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      if (request.headers['idempotency-key'] !== undefined) throw new RequestRejected(keyUnsupported());
      const query = readQuery(request.query, parameters);
      const { dryRun, effects, confirm: confirmed } = valuesOf(query, commonParameters);
      const plan = readPlan(query, context);
      const update = await operation.update(request);
      const label = { ...valuesOf(query, labelParameters), patch: await patchPartsOf(context, update) };
      const caller = callerOf(request);
      const planned = async (plan: Plan) =>
        sendPlannedReport(
          request,
          reply,
          context.database,
          await planMatching(context, update, plan, { caller, confirmed, label }),
        );
      if (plan && !dryRun) return planned(plan);
      const result = dryRun
        ? await previewMatching(
            { ...context, database: cancelOnDisconnect(context.database, clientSignal(reply)) },
            update,
            caller,
          )
        : await updateMatching(context, update, { caller, effects, confirmed, label });
      if (!result.ok && !dryRun && isForApproval(context, result.failure)) return planned(approvalOnly);
      if (!result.ok) throw new RequestRejected(result.failure);
      if ('interruption' in result) {
        logServerError(request, failureOf(result.interruption), result.interruption);
      }
      return sendMatchedReport(request, reply, context.database, result, { effects: dryRun || effects });
    },
  });
}

/** The users are selected anew by every request, so there is no first answer to repeat. */
function keyUnsupported(): Failure {
  throw invalidParameter(
    'Idempotency-Key',
    'is not supported by this operation. The number in "confirm" protects a repeated request: it fails if the first one has changed who matches, and GET /service/calls shows whether there was one.',
  );
}
