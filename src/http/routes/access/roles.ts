import type { FastifyInstance, FastifyReply } from 'fastify';
import { failure } from '../../../contract/errors.js';
import { RoleReply, roleFields, SetRole } from '../../../contract/sign-in.js';
import { getRole, type RoleOf, type SetRoleContext, setRole } from '../../../domain/access/roles.js';
import type { Database } from '../../../domain/database.js';
import { callerOf } from '../../authentication.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';

const roleUrl = '/service/users/:serial/role';

const roleReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: RoleReply,
  example: {
    status: 'success',
    message,
    data: { serial: exampleSerial, role: 'operator', formerRole: null },
  },
});

export function getRoleRoute(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { serial: string } }>(roleUrl, {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getRole',
      summary: 'Read the role of a user',
      description: 'Roles grant access to the console and the API. Most users have none.',
      tag: 'Sign-in',
      secured: true,
      parameters: { params: serialParameter },
      success: roleReply('The role; null for none.', 'Role found.'),
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) =>
      sendRole(reply, await getRole(database, request.params.serial), 'Role found.'),
  });
}

export function setRoleRoute(app: FastifyInstance, context: SetRoleContext): void {
  app.put<{ Params: { serial: string } }>(roleUrl, {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'setRole',
      summary: 'Set the role of a user',
      description:
        'A viewer can read users, an operator can also change them, and an administrator can do everything. A new role ends the sessions of the user, and the loss of one takes effect with the next request. If someone else created the user and the initial password is still in use, or if someone else rehired the user or reset the password, the user gets a new password with the role. The last administrator cannot be removed. A user with a role is protected: changing the username or the address that passwords are sent to, and reactivating the user, require access:admin. A deactivation removes the role.',
      tag: 'Sign-in',
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
      success: roleReply('The current role.', 'Role set.'),
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'USER_NOT_FOUND',
        'USER_ERASED',
        'USER_LAST_ADMINISTRATOR',
        ...writeErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { role } = readBody(request, roleFields);
      if (role === undefined) throw roleMissing();
      const { serial } = request.params;
      return sendRole(reply, await setRole(context, serial, role, callerOf(request)), 'Role set.');
    },
  });
}

function sendRole(reply: FastifyReply, found: RoleOf, message: string): FastifyReply {
  const { serial, role, formerRole } = succeeded(found);
  return reply.send({ status: 'success', message, data: { serial, role, formerRole } });
}

function roleMissing(): RequestRejected {
  const detail = `"role" is required. It must be ${roleFields.role.field.rule}.`;
  return new RequestRejected(failure('REQUEST_BODY_INVALID', detail, { field: 'role' }));
}
