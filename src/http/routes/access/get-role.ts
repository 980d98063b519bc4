import type { FastifyInstance } from 'fastify';
import { getRole } from '../../../domain/access/roles.js';
import type { Context } from '../../../domain/context.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { serialParameter } from '../users/get-user.js';
import { roleReply, roleUrl, sendRole } from './role-schemas.js';

export function getRoleRoute(app: FastifyInstance, context: Context): void {
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
      sendRole(request, reply, await getRole(context, request.params.serial), 'Role found.'),
  });
}
