import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { RoleReply, roleFields, SetRole } from '../../../contract/people.js';
import { getRole, type RoleOf, setRole } from '../../../domain/access/set-role.js';
import type { Context } from '../../../domain/context.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { Refused } from '../../refused.js';
import { readBody } from '../../request-body.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';

const url = '/service/users/:serial/role';

const success = (description: string, message: string) => ({
  status: 200,
  description,
  schema: RoleReply,
  example: {
    status: 'success',
    message,
    data: { serial: exampleSerial, role: 'operator', formerRole: null },
  },
});

export function roleRoutes(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { serial: string } }>(url, {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getRole',
      summary: 'Read the role of a user',
      tag: 'People',
      secured: true,
      parameters: { params: serialParameter },
      success: success('The role; null for none.', 'Role found.'),
      errors: ['USER_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) =>
      sendRole(request, reply, await getRole(context, request.params.serial), 'Role found.'),
  });

  app.put<{ Params: { serial: string } }>(url, {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'setRole',
      summary: 'Set the role of a user',
      description:
        'A viewer reads users, an operator also changes them, an administrator may do everything. Takes effect with the next request of the person. The last administrator stays one. A user with a role is protected: changing the username or the address passwords are sent to, and reactivating the user, need access:admin. A deactivation removes the role.',
      tag: 'People',
      secured: true,
      parameters: { params: serialParameter },
      body: {
        types: ['application/json'],
        schema: SetRole,
        examples: {
          operator: { summary: 'An operator', value: { role: 'operator' } },
          none: { summary: 'No role', value: { role: null } },
        },
      },
      success: success('The role as it is now.', 'Role set.'),
      errors: [
        'USER_NOT_FOUND',
        'USER_LAST_ADMINISTRATOR',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { role } = readBody(request, roleFields);
      if (role === undefined) throw roleMissing();
      const { serial } = request.params;
      return sendRole(request, reply, await setRole(context, serial, role, callerOf(request)), 'Role set.');
    },
  });
}

function roleMissing(): Refused {
  return new Refused('REQUEST_BODY_INVALID', `"role" is required: ${roleFields.role.field.rule}.`);
}

function sendRole(
  request: FastifyRequest,
  reply: FastifyReply,
  found: RoleOf,
  message: string,
): FastifyReply {
  if (!found.ok) return sendFailure(request, reply, found.failure);
  const { serial, role, formerRole } = found;
  return reply.send({ status: 'success', message, data: { serial, role, formerRole } });
}
