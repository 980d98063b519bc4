import type { FastifyInstance } from 'fastify';
import { errorBody } from '../../contract/errors.js';
import { BulkReply, BulkUpdate, bulkUpdateEcho } from '../../contract/users.js';
import type { Context } from '../../domain/context.js';
import { updateUsersBulk } from '../../domain/update-users-bulk.js';
import { employeeIdTaken } from '../../domain/user-change.js';
import { parseBulkChange } from '../../domain/user-rules.js';
import { parseItems, readBulkItems, sendBulkReport } from '../bulk-report.js';
import { bodyErrors, commonErrors, describeOperation } from '../openapi.js';
import { exampleSerial } from './examples.js';

export function updateUsersBulkRoute(app: FastifyInstance, context: Context): void {
  const { bulkItemsMax, bulkBodyMaxBytes } = context.limits;
  const rename = { employeeID: 'E1001', name: 'Ada King', newEmployeeID: 'E2001', isActive: true };
  const collision = { employeeID: 'E1002', name: 'Grace Hopper', newEmployeeID: 'E2001', isActive: true };
  app.post('/service/users/update-bulk', {
    bodyLimit: bulkBodyMaxBytes,
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'updateUsersBulk',
      summary: 'Update users in bulk',
      description: `Updates up to ${bulkItemsMax} users, matched by employee ID, as if each item were sent alone, one after the other: item 2 sees what item 1 did. The first failing check of an item decides its error: its fields, then that the user exists, then that the new employee ID is free, then that the username is free, then that an email or phone remains.`,
      tag: 'Users',
      secured: true,
      body: {
        types: ['application/json'],
        schema: BulkUpdate,
        examples: {
          rename: { summary: 'A rename, and one that comes too late', value: { items: [rename, collision] } },
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
            successItems: [{ payload: rename, response: { serial: exampleSerial } }],
            failedItems: [
              { payload: collision, error: errorBody(employeeIdTaken('items[1]: ', 'E2001', 0)) },
            ],
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
      const result = await updateUsersBulk(context, parseItems(items, parseBulkChange));
      return sendBulkReport(request, reply, items, bulkUpdateEcho, result);
    },
  });
}
