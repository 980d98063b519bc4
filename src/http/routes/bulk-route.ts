import type { FastifyInstance } from 'fastify';
import type { TSchema } from 'typebox';
import { errorBody } from '../../contract/errors.js';
import { BulkReply } from '../../contract/users.js';
import type { BulkResult } from '../../domain/bulk-run.js';
import type { Context } from '../../domain/context.js';
import { employeeIdTaken } from '../../domain/user-change.js';
import type { Origin, Parsed } from '../../domain/user-rules.js';
import { parseItems, readBulkItems, sendBulkReport } from '../bulk-report.js';
import { bodyErrors, commonErrors, describeOperation } from '../openapi.js';
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
  parse(item: unknown, origin: Origin): Parsed<T>;
  run(context: Context, parsed: readonly Parsed<T>[]): Promise<BulkResult>;
}

/** What all bulk calls have in common: the envelope, the limits and the report. */
export function bulkRoute<T>(app: FastifyInstance, context: Context, operation: BulkOperation<T>): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  const { items, summary, taken } = operation.example;
  app.post(operation.url, {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: operation.summary,
      description: `Up to ${bulkItemsMax} items, as if each were sent alone, one after the other: a later item sees what an earlier one did. ${operation.description}`,
      tag: 'Users',
      secured: true,
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
        'REQUEST_BODY_INVALID',
        'REQUEST_TOO_MANY_ITEMS',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const submitted = readBulkItems(request, bulkItemsMax);
      const result = await operation.run(context, parseItems(submitted, operation.parse));
      return sendBulkReport(request, reply, submitted, operation.echo, result);
    },
  });
}
