import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { UserReply } from '../../../contract/calls.js';
import { cancelOnDisconnect, type Database } from '../../../domain/database.js';
import { getUser } from '../../../domain/users/get-user.js';
import { clientSignal } from '../../client-signal.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { etagOf } from '../../request-headers.js';
import { succeeded } from '../../request-rejected.js';
import { exampleSerial, exampleUserView } from './examples.js';

export const serialParameter = Type.Object({
  serial: Type.String({ description: 'The serial of the user.', examples: [exampleSerial] }),
});

export function getUserRoute(app: FastifyInstance, database: Database): void {
  app.get<{ Params: { serial: string } }>('/service/users/:serial', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getUser',
      summary: 'Read a user',
      description:
        'With the changes that planned calls will make. The ETag of the reply is the version of the user, for If-Match.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 200,
        description: 'The user.',
        schema: UserReply,
        example: {
          status: 'success',
          message: 'User found.',
          data: { ...exampleUserView, upcomingChanges: [] },
        },
        headers: { ETag: 'The version of the user, for If-Match.' },
      },
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = succeeded(
        await getUser(cancelOnDisconnect(database, clientSignal(reply)), request.params.serial),
      );
      return reply.header('etag', etagOf(found.version)).send({
        status: 'success',
        message: 'User found.',
        data: { ...found.user, upcomingChanges: found.upcomingChanges },
      });
    },
  });
}
