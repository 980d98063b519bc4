import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { errorBody } from '../../../contract/errors.js';
import { BulkReply } from '../../../contract/users.js';
import type { Sender } from '../../../domain/caller.js';
import type { Context } from '../../../domain/context.js';
import type { Origin, Parsed } from '../../../domain/read-fields.js';
import type { BulkResult } from '../../../domain/users/bulk-run.js';
import { employeeIdTaken } from '../../../domain/users/user-change.js';
import { senderOf } from '../../authentication.js';
import { parseItems, readBulkItems, sendBulkReport } from '../../bulk-report.js';
import { sendFailure } from '../../error-replies.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { type GivenQuery, isFailure, type Query, readQuery } from '../../query.js';
import { exampleSerial } from './examples.js';

export interface BulkOperation<T> {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly body: TSchema;
  /** An item that succeeds, and one that fails because the first has taken its employee ID. */
  readonly example: {
    readonly summary: string;
    readonly items: readonly [object, object];
    readonly taken: string;
  };
  readonly echo: readonly string[];
  /** The query parameters that the call takes. */
  readonly parameters: Readonly<Record<string, TSchema>>;
  /** A failure if one of them has a value that is not allowed. */
  check?(query: GivenQuery): unknown;
  parse(item: unknown, origin: Origin): Parsed<T>;
  run(parsed: readonly Parsed<T>[], call: BulkCall): Promise<BulkResult>;
}

export interface BulkCall {
  readonly sender: Sender;
  readonly query: GivenQuery;
}

/** What all bulk calls have in common: the envelope, the limits and the report. */
export function bulkRoute<T>(app: FastifyInstance, context: Context, operation: BulkOperation<T>): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  const { items, summary, taken } = operation.example;
  app.post<{ Querystring: Query }>(operation.url, {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      description: `Up to ${bulkItemsMax} items, as if each were sent alone, one after the other: a later item sees what an earlier one did. ${operation.description}`,
      tag: 'Users',
      secured: true,
      parameters: { querystring: Type.Object(operation.parameters) },
      body: {
        types: ['application/json'],
        schema: operation.body,
        examples: { taken: { summary, value: { items } } },
      },
      success: {
        status: 200,
        description: 'Every item is reported as a success or a failure.',
        schema: BulkReply,
        example: {
          status: 'success',
          message: 'Bulk call processed.',
          data: {
            successItems: [{ payload: items[0], response: { serial: exampleSerial } }],
            failedItems: [{ payload: items[1], error: errorBody(employeeIdTaken(1, taken, 0)) }],
          },
        },
      },
      errors: [
        'REQUEST_PARAMETER_INVALID',
        'REQUEST_BODY_INVALID',
        'REQUEST_TOO_MANY_ITEMS',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const query = readQuery(request.query, operation.parameters);
      if (isFailure(query)) return sendFailure(request, reply, query);
      const problem = operation.check?.(query);
      if (isFailure(problem)) return sendFailure(request, reply, problem);
      const submitted = readBulkItems(request, bulkItemsMax);
      const parsed = parseItems(submitted, operation.parse);
      const result = await operation.run(parsed, { sender: senderOf(request), query });
      return sendBulkReport(request, reply, submitted, operation.echo, result);
    },
  });
}
