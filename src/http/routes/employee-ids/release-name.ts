import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ReleasedEmployeeIdReply, ReleasedUsernameReply } from '../../../contract/employee-ids.js';
import { employeeIdField, usernameField } from '../../../contract/fields.js';
import type { Context } from '../../../domain/context.js';
import { releaseName } from '../../../domain/names/release-name.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { isFailure } from '../../query.js';

const operations = [
  {
    field: 'employeeID',
    url: '/service/employee-ids/:employeeID/release',
    operationId: 'releaseEmployeeId',
    noun: 'employee ID',
    setting: 'ROLLCALL_EMPLOYEE_ID_QUARANTINE_DAYS',
    schema: employeeIdField.schema,
    reply: ReleasedEmployeeIdReply,
    example: 'E1001',
  },
  {
    field: 'username',
    url: '/service/usernames/:username/release',
    operationId: 'releaseUsername',
    noun: 'username',
    setting: 'ROLLCALL_USERNAME_QUARANTINE_DAYS',
    schema: usernameField.schema,
    reply: ReleasedUsernameReply,
    example: 'ada',
  },
] as const;

/** Ends the quarantine of an employee ID or username. */
export function releaseNameRoutes(app: FastifyInstance, context: Context): void {
  for (const operation of operations) releaseNameRoute(app, context, operation);
}

function releaseNameRoute(
  app: FastifyInstance,
  context: Context,
  operation: (typeof operations)[number],
): void {
  const { field, noun, example } = operation;
  const message = `The ${noun} is not quarantined.`;
  app.post<{ Params: Record<string, string> }>(operation.url, {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: operation.operationId,
      summary: `End the quarantine of ${noun === 'employee ID' ? 'an' : 'a'} ${noun}`,
      description: `With ${operation.setting}, a released ${noun} is kept for the user who had it last. This lets anyone take it now. If it is not quarantined, nothing changes.`,
      tag: 'Users',
      secured: true,
      parameters: { params: Type.Object({ [field]: operation.schema }) },
      success: {
        status: 200,
        description: `Anyone can take the ${noun}, unless a user has it.`,
        schema: operation.reply,
        example: {
          status: 'success',
          message,
          data: { [field]: example, wasQuarantinedUntil: '2026-04-02T09:15:00.000Z' },
        },
      },
      errors: ['USER_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const value = request.params[field] as string; // the route has it
      const released = await releaseName(context, { field, value }, callerOf(request));
      if (isFailure(released)) return sendFailure(request, reply, released);
      return reply.send({ status: 'success', message, data: { [field]: value, ...released } });
    },
  });
}
