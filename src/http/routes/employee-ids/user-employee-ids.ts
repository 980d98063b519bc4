import type { FastifyInstance } from 'fastify';
import { UserEmployeeIdsReply } from '../../../contract/employee-ids.js';
import type { Context } from '../../../domain/context.js';
import { userEmployeeIds } from '../../../domain/names/id-history.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { isFailure } from '../../query.js';
import { serialParameter } from '../users/get-user.js';

const message = 'Employee IDs found.';

export function userEmployeeIdsRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { serial: string } }>('/service/users/:serial/employee-ids', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'userEmployeeIds',
      summary: 'List the employee IDs of a user',
      description:
        'The employee ID that the user has, and those that the user had before. Times are exact to the transaction; those from before the service kept a change log are unknown.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 200,
        description: 'The present employee ID and all former ones.',
        schema: UserEmployeeIdsReply,
        example: {
          status: 'success',
          message,
          data: {
            items: [
              { employeeID: 'E2001', since: '2026-03-03T09:15:00.000Z', until: null },
              {
                employeeID: 'E1001',
                since: '2024-06-01T07:00:00.000Z',
                until: '2026-03-03T09:15:00.000Z',
              },
            ],
          },
        },
      },
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const items = await userEmployeeIds(context, request.params.serial);
      if (isFailure(items)) return sendFailure(request, reply, items);
      return reply.send({ status: 'success', message, data: { items } });
    },
  });
}
