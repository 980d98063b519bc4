import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { type ErrorName, errorBody, type Failure } from '../../../contract/errors.js';
import { mayReadUsers } from '../../../domain/access/visibility.js';
import type { Preview } from '../../../domain/bulk/call-errors.js';
import type { CallRequest, CallResult } from '../../../domain/bulk/run-call.js';
import type { Caller } from '../../../domain/caller.js';
import { cancelOnDisconnect } from '../../../domain/cancel-on-disconnect.js';
import type { Context } from '../../../domain/context.js';
import { failureOf } from '../../../domain/outage.js';
import type { Origin, Parsed } from '../../../domain/read-fields.js';
import { employeeIdTaken } from '../../../domain/users/plans/user-change.js';
import type { ReadAhead } from '../../../domain/users/read-ahead.js';
import { callerOf } from '../../authentication.js';
import { echoOf } from '../../bulk-echo.js';
import { parseItems, readBulkItems } from '../../bulk-items.js';
import { BulkReport } from '../../bulk-report.js';
import { clientSignal } from '../../client-signal.js';
import { logServerError, sendFailure } from '../../error-replies.js';
import {
  idempotencyHeaders,
  markReplay,
  readIdempotencyKey,
  readKeyHeader,
  replayedHeader,
} from '../../idempotency-key.js';
import type { LargeBodies } from '../../large-bodies.js';
import { bodyErrors, commonErrors, describeOperation, keyErrors } from '../../openapi.js';
import { flagParameter, type GivenQuery, isFailure, type Query, readFlag, readQuery } from '../../query.js';
import { requireBody } from '../../request-body.js';
import { exampleSerial } from './examples.js';

export interface BulkOperation<T, Options> {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  readonly reply: TSchema;
  /** An item that succeeds, and one that fails because the first has taken its employee ID. */
  readonly example: {
    readonly summary: string;
    readonly items: readonly [object, object];
    readonly taken: string;
  };
  /** The fields that an item can have, and those that the report returns. */
  readonly fields: readonly string[];
  readonly echo: readonly string[];
  /** The fields of an item, by their names in a user. */
  readonly sentFields: readonly string[];
  /** Query parameters besides those common to all bulk calls, and how they are read. */
  readonly parameters: Readonly<Record<string, TSchema>>;
  options(query: GivenQuery): Options | Failure;
  readonly errors: readonly ErrorName[];
  /** Reports have exactly the fields of the contract, unless the caller sends details=true. */
  readonly detailsOnRequest: boolean;
  parse(item: unknown, origin: Origin, options: Options): Parsed<T>;
  /** Sees every item of a call as soon as it is parsed, and is passed to the run. */
  readAhead?(): ReadAhead & { add(item: Parsed<T>): void };
  run(
    parsed: readonly Parsed<T>[],
    request: CallRequest & Options & { readonly readAhead?: ReadAhead | undefined },
  ): Promise<CallResult>;
  preview(
    context: Context,
    parsed: readonly Parsed<T>[],
    options: Options & { readonly caller: Caller },
  ): Promise<Preview>;
}

const bulkParameters = {
  dryRun: flagParameter('true: previews the call without changing anything. The report includes effects.'),
  effects: flagParameter(
    'true: each success lists what it changed. Without users:read, effects contain only values that you sent.',
  ),
};

const detailsParameter = {
  details: flagParameter(
    'true: every entry has the position of its item, and every error carries its data and a reason without the position.',
  ),
};

/** What all bulk calls have in common: the envelope, the limits and the report. */
export function bulkRoute<T, Options>(
  app: FastifyInstance,
  context: Context,
  largeBodies: LargeBodies,
  operation: BulkOperation<T, Options>,
): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  const { items: examples, summary, taken } = operation.example;
  const { detailsOnRequest } = operation;
  const parameters = {
    ...operation.parameters,
    ...bulkParameters,
    ...(detailsOnRequest ? detailsParameter : {}),
  };
  const sentFields = new Set(operation.sentFields);
  const failed = employeeIdTaken(1, taken, { serial: exampleSerial, position: 0 });
  const positionOf = (position: number) => (detailsOnRequest ? {} : { position });
  app.post<{ Querystring: Query }>(operation.url, {
    bodyLimit: bulkBodyMaxBytes,
    config: {
      scope: 'users:write',
      takes: ['application/json'],
      takesLongList: true,
      errorDataOnRequest: detailsOnRequest,
    },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      description: `Up to ${bulkItemsMax} items, processed as if each were sent alone, in order: a later item sees the effects of earlier ones. ${operation.description}`,
      tag: 'Users',
      secured: true,
      parameters: { querystring: Type.Object(parameters), headers: idempotencyHeaders },
      body: {
        types: ['application/json'],
        schema: operation.body,
        examples: { taken: { summary, value: { items: examples } } },
      },
      success: {
        status: 200,
        description: 'Every item is reported as a success or a failure.',
        schema: operation.reply,
        example: {
          status: 'success',
          message: 'Bulk call processed.',
          data: {
            successItems: [{ payload: examples[0], ...positionOf(0), response: { serial: exampleSerial } }],
            failedItems: [
              { payload: examples[1], ...positionOf(1), error: errorBody(failed, !detailsOnRequest) },
            ],
          },
        },
        headers: {
          'X-Call-Id': 'The ID of the call, to read or undo it; not on a preview.',
          ...replayedHeader,
        },
      },
      errors: [
        ...operation.errors,
        ...keyErrors,
        'CALL_UNDONE',
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_BODY_INVALID',
        'REQUEST_TOO_MANY_ITEMS',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
      errorDataOnRequest: detailsOnRequest,
    }),
    handler: (request, reply) =>
      largeBodies.run(requireBody(request).bytes.length, () => handle(request, reply)),
  });

  type BulkRequest = FastifyRequest<{ Querystring: Query }>;
  async function handle(request: BulkRequest, reply: FastifyReply): Promise<FastifyReply> {
    const query = readQuery(request.query, parameters);
    if (isFailure(query)) return sendFailure(request, reply, query);
    const options = operation.options(query);
    if (isFailure(options)) return sendFailure(request, reply, options);
    const dryRun = readFlag(query, 'dryRun');
    if (isFailure(dryRun)) return sendFailure(request, reply, dryRun);
    const effects = readFlag(query, 'effects');
    if (isFailure(effects)) return sendFailure(request, reply, effects);
    const details = readFlag(query, 'details');
    if (isFailure(details)) return sendFailure(request, reply, details);
    const items = await readBulkItems(request, operation.fields, bulkItemsMax);
    const readAhead = dryRun ? undefined : operation.readAhead?.();
    const parsed = await parseItems(
      items,
      (item, origin) => operation.parse(item, origin, options),
      (item) => readAhead?.add(item),
    );
    const payload = echoOf(items, operation.fields, operation.echo);
    const caller = callerOf(request);
    const report = new BulkReport({
      payload,
      sentFields,
      mayRead: mayReadUsers(caller.actor),
      effects: dryRun || effects,
      details: details || !detailsOnRequest,
    });
    if (dryRun) {
      readKeyHeader(request); // rejects the same keys as the real call
      const connected = cancelOnDisconnect(context, clientSignal(reply));
      const preview = await operation.preview(connected, parsed, { ...options, caller });
      if (!preview.ok) return sendFailure(request, reply, preview.failure);
      return report.send(reply, preview.outcomes);
    }
    const key = await readIdempotencyKey(request, context.cipher);
    const result = await operation.run(parsed, {
      ...options,
      effects,
      key,
      caller,
      readAhead,
      onChunk: report.add,
    });
    if (!result.ok) return sendFailure(request, reply, result.failure);
    if (result.interruption !== undefined)
      logServerError(request, failureOf(result.interruption), result.interruption);
    markReplay(reply, result.isReplay).header('x-call-id', result.callId);
    return report.send(reply, result.outcomes);
  }
}
