import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  EmployeeIdHistoryReply,
  ReleasedEmployeeIdReply,
  ReleasedUsernameReply,
  UserEmployeeIdsReply,
} from '../../contract/employee-ids.js';
import { employeeIdField, usernameField } from '../../contract/fields.js';
import type { Database } from '../../domain/database.js';
import { employeeIdHistory, userEmployeeIds } from '../../domain/names/id-history.js';
import type { QuarantineContext } from '../../domain/names/quarantined-names.js';
import { releaseName } from '../../domain/names/release-name.js';
import { callerOf } from '../authentication.js';
import { commonErrors, describeOperation } from '../openapi.js';
import { accepted } from '../request-rejected.js';
import { exampleSerial } from './users/examples.js';
import { serialParameter } from './users/get-user.js';

const releaseOperations = [
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

export function employeeIdRoutes(app: FastifyInstance, context: QuarantineContext): void {
  getEmployeeIdRoute(app, context);
  userEmployeeIdsRoute(app, context.database);
  releaseNameRoutes(app, context);
}

/** Who has an employee ID, and who had it before. */
function getEmployeeIdRoute(app: FastifyInstance, context: QuarantineContext): void {
  const message = 'Employee ID found.';
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
      const history = accepted(await employeeIdHistory(context, request.params.employeeID));
      return reply.send({ status: 'success', message, data: history });
    },
  });
}

function userEmployeeIdsRoute(app: FastifyInstance, database: Database): void {
  const message = 'Employee IDs found.';
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
      const items = accepted(await userEmployeeIds(database, request.params.serial));
      return reply.send({ status: 'success', message, data: { items } });
    },
  });
}

/** Ends the quarantine of an employee ID or username. */
function releaseNameRoutes(app: FastifyInstance, context: QuarantineContext): void {
  for (const operation of releaseOperations) releaseNameRoute(app, context, operation);
}

function releaseNameRoute(
  app: FastifyInstance,
  context: QuarantineContext,
  operation: (typeof releaseOperations)[number],
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
      const released = accepted(await releaseName(context, { field, value }, callerOf(request)));
      return reply.send({ status: 'success', message, data: { [field]: value, ...released } });
    },
  });
}
