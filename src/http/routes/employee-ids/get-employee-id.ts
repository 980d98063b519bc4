import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { EmployeeIdHistoryReply } from '../../../contract/employee-ids.js';
import { employeeIdField } from '../../../contract/fields.js';
import type { Context } from '../../../domain/context.js';
import { employeeIdHistory } from '../../../domain/names/id-history.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { isFailure } from '../../query.js';
import { exampleSerial } from '../users/examples.js';

const message = 'Employee ID found.';

/** Who has an employee ID, and who had it before. */
export function getEmployeeIdRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { employeeID: string } }>('/service/employee-ids/:employeeID', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getEmployeeId',
      summary: 'Get the history of an employee ID',
      description:
        'The user who has the employee ID, and everyone who had it before. Times are exact to the transaction; those from before the service kept a change log are unknown.',
      tag: 'Users',
      secured: true,
      parameters: { params: Type.Object({ employeeID: employeeIdField.schema }) },
      success: {
        status: 200,
        description: 'The present holder and all former ones.',
        schema: EmployeeIdHistoryReply,
        example: {
          status: 'success',
          message,
          data: {
            employeeID: 'E1001',
            holder: null,
            quarantinedUntil: '2026-04-02T09:15:00.000Z',
            formerHolders: [
              {
                serial: exampleSerial,
                since: '2024-06-01T07:00:00.000Z',
                until: '2026-03-03T09:15:00.000Z',
                newEmployeeID: 'E2001',
              },
            ],
          },
        },
      },
      errors: ['USER_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const history = await employeeIdHistory(context, request.params.employeeID);
      if (isFailure(history)) return sendFailure(request, reply, history);
      return reply.send({ status: 'success', message, data: history });
    },
  });
}
