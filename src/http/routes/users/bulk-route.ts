import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { TSchema } from 'typebox';
import type { CallLabel } from '../../../contract/calls.js';
import { type ErrorName, errorBody, type Failure } from '../../../contract/errors.js';
import { employeeIdField } from '../../../contract/fields.js';
import type { Scope } from '../../../contract/scopes.js';
import { mayReadUsers } from '../../../domain/access/visibility.js';
import type { AttributeReader } from '../../../domain/attributes/attribute-set.js';
import { showingTo } from '../../../domain/attributes/show-users.js';
import type { Preview } from '../../../domain/bulk/call-errors.js';
import type { IdempotencyKey } from '../../../domain/bulk/idempotency.js';
import type { ItemBlocks } from '../../../domain/bulk/plan.js';
import type { CallRequest, CallRun } from '../../../domain/bulk/run-call.js';
import { anyNumber } from '../../../domain/bulk/safety-limit.js';
import type { Caller } from '../../../domain/caller.js';
import { clientIgnoresUnknown } from '../../../domain/clients/clients.js';
import { cancelOnDisconnect, type Database } from '../../../domain/database.js';
import { failureOf } from '../../../domain/outage.js';
import {
  approvalOnly,
  findPlannedCall,
  isForApproval,
  type Plan,
  type PlanContext,
  type PlannedCall,
  planCall,
  previewPlan,
} from '../../../domain/planned/plan-call.js';
import type { PlannableKind } from '../../../domain/planned/plannable-calls.js';
import type { Origin, Parsed } from '../../../domain/read-fields.js';
import { employeeIdTaken } from '../../../domain/users/plans/user-change.js';
import type { Metrics } from '../../../telemetry/metrics.js';
import { bulkPhase } from '../../../telemetry/tracing.js';
import { attributeReader } from '../../attribute-reader.js';
import { callerOf, requireScope } from '../../authentication.js';
import { echoOf } from '../../bulk-echo.js';
import { ParsedItems, readBulkItems } from '../../bulk-items.js';
import { BulkReport } from '../../bulk-report.js';
import { labelParameters } from '../../call-label.js';
import { clientSignal } from '../../client-signal.js';
import { logServerError } from '../../error-replies.js';
import { withoutForeign } from '../../foreign-names.js';
import {
  idempotencyHeaders,
  markReplay,
  readIdempotencyKey,
  readKeyHeader,
  replayedHeader,
} from '../../idempotency-key.js';
import type { LargeBodies } from '../../large-bodies.js';
import { bodyErrors, commonErrors, describeOperation, keyErrors } from '../../openapi.js';
import {
  acceptCall,
  type PlanSettings,
  planErrors,
  plannedMessage,
  plannedReply,
  planParameters,
  readPlan,
} from '../../plan-parameters.js';
import {
  flagParameter,
  type Parameters,
  type ParameterValues,
  type Query,
  querySchema,
  readQuery,
  valuesOf,
} from '../../query.js';
import { requireBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { dryRunParameter, unknownFieldsParameter } from './bulk-parameters.js';
import { exampleSerial } from './examples.js';

export interface BulkRouteContext extends PlanContext, PlanSettings {
  readonly metrics?: Metrics | undefined;
}

export interface BulkOperation<T, P extends Parameters, Options> {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  /** users:write unless given. */
  readonly scope?: Scope;
  readonly isSensitive?: boolean;
  readonly body: TSchema;
  readonly reply: TSchema;
  /** An item that succeeds, and one that fails, unless given because the first has taken its employee ID. */
  readonly example: {
    readonly summary: string;
    readonly items: readonly [object, object];
  } & ({ readonly taken: string } | { readonly failure: Failure });
  /** The fields that an item can have, and those that the report returns. */
  readonly fields: readonly string[];
  readonly echo: readonly string[];
  /** The fields of an item, by their names in a user. */
  readonly sentFields: readonly string[];
  /** Query parameters besides those common to all bulk calls, and what the call makes of them. */
  readonly parameters: P;
  options(values: ParameterValues<P>): Options & Confirmable;
  readonly errors: readonly ErrorName[];
  /**
   * Reports have exactly the fields of the contract, unless the caller sends details=true, and what the operation doesn't
   * know is ignored, in the query and beside the items.
   */
  readonly isInContract: boolean;
  parse(item: unknown, origin: Origin, options: NoInfer<Options>, attributes: AttributeReader): Parsed<T>;
  run(items: ItemBlocks<T>, request: CallRequest & NoInfer<Options>): CallRun;
  /** If the call can be planned instead of being run. */
  readonly planned?: Plannable<T>;
  preview(
    database: Database,
    parsed: readonly Parsed<T>[],
    options: NoInfer<Options> & { readonly caller: Caller },
  ): Promise<Preview>;
}

interface Plannable<T> {
  readonly kind: PlannableKind;
  /** The employee ID by which an item is reported. */
  employeeIdOf(item: T): string;
}

/** The number of users that the caller has confirmed for the safety limit, if the operation has one. */
interface Confirmable {
  readonly confirmed?: number | undefined;
}

const bulkParameters = {
  dryRun: dryRunParameter,
  effects: flagParameter(
    'true: each success lists what it changed. Without users:read, effects contain only values that you sent.',
    false,
  ),
};

const detailsParameter = {
  details: flagParameter(
    'true: every entry has the position of its item and the fields that were normalized or ignored, and every error carries its data and a reason without the position.',
    false,
  ),
};

/** What all bulk calls have in common: the envelope, the limits and the report. */
export function bulkRoute<T, P extends Parameters, Options extends object>(
  app: FastifyInstance,
  context: BulkRouteContext,
  largeBodies: LargeBodies,
  operation: BulkOperation<T, P, Options>,
): void {
  const { isInContract } = operation;
  const parameters: Parameters = {
    ...operation.parameters,
    ...(operation.planned ? planParameters : {}),
    ...bulkParameters,
    ...unknownFieldsParameter,
    ...labelParameters,
    ...(isInContract ? detailsParameter : {}),
  };
  app.post<{ Querystring: Query }>(operation.url, {
    bodyLimit: context.limits.bulkBodyMaxBytes,
    config: {
      scope: operation.scope ?? 'users:write',
      isSensitive: operation.isSensitive === true,
      takes: ['application/json'],
      takesLongList: true,
      errorDataOnRequest: isInContract,
    },
    schema: bulkDescription(operation, parameters, context.limits.bulkItemsMax),
    handler: (request, reply) =>
      largeBodies.run(requireBody(request).bytes.length, () => handle(request, reply)),
  });

  /** Parameters without which the call would do something else. Beside the items, they are not ignored either. */
  const decisive = ['dryRun', ...Object.keys({ ...operation.parameters, ...planParameters })];
  const sentFields = new Set(operation.sentFields);
  // With approval, calls beyond the safety limit can't be confirmed, and need not be.
  const mayNeedApproval = context.safetyApproval && operation.planned !== undefined;

  async function handle(request: BulkRequest, reply: FastifyReply): Promise<FastifyReply> {
    const sent = isInContract ? withoutForeign(request.query, Object.keys(parameters)) : request.query;
    const query = readQuery(sent, parameters);
    // Who had an employee ID is more than a caller learns who may only write.
    if (query.asOf !== undefined) requireScope(request, 'users:read');
    const options = operation.options(valuesOf(query, operation.parameters));
    const { dryRun, effects, details } = valuesOf(query, { ...bulkParameters, ...detailsParameter });
    const plan = readPlan(query, context);
    const label = valuesOf(query, labelParameters);
    const { unknownFields } = valuesOf(query, unknownFieldsParameter);
    const ignoresUnknown = await mayIgnoreUnknown(request, unknownFields);
    const items = await readItems(request, options, ignoresUnknown);
    const call = { request, reply, options, items, label, effects, details: details || !isInContract };
    if (dryRun) return sendPreview(call);
    const key = await readIdempotencyKey(request, context.cipher);
    const earlier =
      key && (plan || mayNeedApproval) && (await findPlannedCall(context, key, callerOf(request)));
    if (earlier) return sendPlanned(call, earlier);
    return plan && operation.planned ? planLater(call, key, plan, operation.planned) : runNow(call, key);
  }

  /** As the call says, or else its client. */
  async function mayIgnoreUnknown(
    request: FastifyRequest,
    asked: 'reject' | 'ignore' | undefined,
  ): Promise<boolean> {
    const { actor } = callerOf(request);
    if (asked !== undefined || actor?.kind !== 'client') return asked === 'ignore';
    return clientIgnoresUnknown(context.database, actor.id);
  }

  async function readItems(
    request: FastifyRequest,
    options: Options,
    ignoresUnknown: boolean,
  ): Promise<ParsedItems<T>> {
    const { fields } = operation;
    const { bulkItemsMax } = context.limits;
    const body = await bulkPhase(context.metrics, 'parse', () =>
      readBulkItems(request, fields, bulkItemsMax, isInContract ? decisive : undefined),
    );
    const attributes = await attributeReader(request, context.database);
    return new ParsedItems(body, context.metrics, (item, sent) => {
      const origin = ignoresUnknown ? { ...sent, ignoresUnknown } : sent;
      const parsed = operation.parse(item, origin, options, attributes);
      return parsed.ok ? parsed : { ...parsed, employeeID: sentEmployeeId(item) };
    });
  }

  interface Call {
    readonly request: BulkRequest;
    readonly reply: FastifyReply;
    readonly options: Options & Confirmable;
    readonly items: ParsedItems<T>;
    readonly label: CallLabel;
    readonly effects: boolean;
    readonly details: boolean;
  }

  async function sendPreview(call: Call): Promise<FastifyReply> {
    readKeyHeader(call.request); // rejects the same keys as the real call
    const confirmed = mayNeedApproval ? anyNumber : call.options.confirmed;
    const { outcomes } = succeeded(await preview(call, confirmed));
    return (await reportOn(call, true)).send(call.reply, outcomes);
  }

  async function planLater(
    call: Call,
    key: IdempotencyKey | undefined,
    wanted: Plan,
    { kind, employeeIdOf }: Plannable<T>,
  ): Promise<FastifyReply> {
    const { options, items, label } = call;
    const { plan, preview: previewed } = await previewPlan(context, wanted, options.confirmed, (confirmed) =>
      preview(call, confirmed),
    );
    const { outcomes } = succeeded(previewed);
    const employeeIDs = items.parsed.map((item) =>
      item.ok ? employeeIdOf(item.value) : (item.employeeID ?? null),
    );
    const toPlan = { kind, options, items: items.parsed, employeeIDs, outcomes };
    const caller = callerOf(call.request);
    return sendPlanned(call, await planCall(context, toPlan, plan, { caller, key, label }));
  }

  async function sendPlanned(call: Call, result: PlannedCall): Promise<FastifyReply> {
    const planned = succeeded(result);
    await call.items.all(); // the report says which fields were normalized
    acceptCall(call.reply, planned);
    return (await reportOn(call, true)).send(call.reply, planned.outcomes, plannedMessage(planned));
  }

  async function runNow(call: Call, key: IdempotencyKey | undefined): Promise<FastifyReply> {
    const { request, reply, options, items, label, effects } = call;
    const confirmation = mayNeedApproval ? { confirmed: undefined } : {};
    const report = await reportOn(call, effects);
    const result = await report.follow(
      operation.run(items.blocks(), {
        ...options,
        ...confirmation,
        ...{ effects, key, label, caller: callerOf(request) },
      }),
    );
    if (!result.ok && operation.planned && isForApproval(context, result.failure)) {
      return planLater(call, key, approvalOnly, operation.planned);
    }
    const { callId, isReplay, outcomes, interruption } = succeeded(result);
    if (interruption !== undefined) logServerError(request, failureOf(interruption), interruption);
    markReplay(reply, isReplay).header('x-call-id', callId);
    return bulkPhase(context.metrics, 'report', () => report.send(reply, outcomes));
  }

  async function preview(
    { request, reply, options, items }: Call,
    confirmed: number | undefined,
  ): Promise<Preview> {
    const database = cancelOnDisconnect(context.database, clientSignal(reply));
    const caller = callerOf(request);
    return operation.preview(database, await items.all(), { ...options, confirmed, caller });
  }

  async function reportOn({ request, items, details }: Call, effects: boolean): Promise<BulkReport> {
    const { actor } = callerOf(request);
    return new BulkReport({
      showing: effects ? await showingTo(context.database.pool, actor) : undefined,
      payload: echoOf(items.body, operation.fields, operation.echo),
      notes: (position) => {
        const item = items.parsed[position];
        return item?.ok ? item : undefined;
      },
      mayRead: mayReadUsers(actor),
      ...{ sentFields, effects, details },
    });
  }
}

type BulkRequest = FastifyRequest<{ Querystring: Query }>;

/** Of an item with another problem, for the record. */
function sentEmployeeId(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('employeeID' in item)) return undefined;
  const employeeID = employeeIdField.normalize(item.employeeID);
  return employeeIdField.accepts(employeeID) ? employeeID : undefined;
}

function bulkDescription<T, P extends Parameters, Options>(
  operation: BulkOperation<T, P, Options>,
  parameters: Parameters,
  itemsMax: number,
) {
  const { isInContract, example, planned } = operation;
  const { items, summary } = example;
  const failed =
    'failure' in example
      ? example.failure
      : employeeIdTaken(1, example.taken, { serial: exampleSerial, position: 0 });
  const positionOf = (position: number) => (isInContract ? {} : { position });
  return describeOperation({
    operationId: operation.operationId,
    summary: operation.summary,
    description: `Up to ${itemsMax} items, processed as if each were sent alone, in order: a later item sees the effects of earlier ones. ${operation.description}`,
    tag: 'Users',
    secured: true,
    parameters: { querystring: querySchema(parameters), headers: idempotencyHeaders },
    body: {
      types: ['application/json'],
      schema: operation.body,
      examples: { taken: { summary, value: { items } } },
    },
    success: {
      status: 200,
      description: 'Every item is reported as a success or a failure.',
      schema: operation.reply,
      example: {
        status: 'success',
        message: 'Bulk call processed.',
        data: {
          successItems: [{ payload: items[0], ...positionOf(0), response: { serial: exampleSerial } }],
          failedItems: [{ payload: items[1], ...positionOf(1), error: errorBody(failed, !isInContract) }],
        },
      },
      headers: {
        'X-Call-Id': 'The ID of the call, to read or undo it; not on a preview.',
        ...replayedHeader,
      },
    },
    ...(planned ? { accepted: plannedReply } : {}),
    errors: [
      ...operation.errors,
      ...(planned ? ([...planErrors, 'CALL_STATE_CONFLICT'] as const) : []),
      ...keyErrors,
      'CALL_UNDONE',
      'REQUEST_PARAMETER_INVALID',
      'REQUEST_BODY_INVALID',
      'REQUEST_TOO_MANY_ITEMS',
      ...bodyErrors,
      ...commonErrors,
      'SERVICE_OUTCOME_UNKNOWN',
    ],
    errorDataOnRequest: isInContract,
  });
}
