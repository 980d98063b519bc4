import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../contract/errors.js';
import { BulkCreate, BulkReply, bulkCreateEcho } from '../../contract/users.js';
import type { Context } from '../../domain/context.js';
import { createUsersBulk } from '../../domain/create-users-bulk.js';
import { employeeIdTaken } from '../../domain/user-change.js';
import { parseNewUser } from '../../domain/user-rules.js';
import { parseItems, readBulkItems, sendBulkReport } from '../bulk-report.js';
import { bodyErrors, commonErrors, describeOperation } from '../openapi.js';
import { exampleSerial, exampleUser } from './examples.js';

export function createUsersBulkRoute(app: FastifyInstance, context: Context): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  const double = { employeeID: 'E1001', name: 'Ada Again', email: 'ada@example.com', isActive: true };
  app.post('/service/users/create-bulk', {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createUsersBulk',
      summary: 'Create users in bulk',
      description: `Creates up to ${bulkItemsMax} users, as if each item were sent alone to POST /service/users, one after the other. A payload is the submitted item without its password.`,
      tag: 'Users',
      secured: true,
      body: {
        types: ['application/json'],
        schema: BulkCreate,
        examples: {
          double: {
            summary: 'A user, and one of the same employee ID',
            value: { items: [exampleUser, double] },
          },
        },
      },
      success: {
        status: 200,
        description: 'Every item is reported as a success or a failure.',
        schema: BulkReply,
        example: {
          status: 'success',
          message: 'Bulk call processed.',
          data: {
            successItems: [{ payload: exampleUser, response: { serial: exampleSerial } }],
            failedItems: [{ payload: double, error: errorBody(employeeIdTaken('items[1]: ', 'E1001', 0)) }],
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
      const items = readBulkItems(request, bulkItemsMax);
      const result = await createUsersBulk(context, parseItems(items, parseNewUser));
      return sendBulkReport(request, reply, items, bulkCreateEcho, result);
    },
  });
}
