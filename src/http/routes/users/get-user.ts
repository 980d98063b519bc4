import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { UserReply } from '../../../contract/calls.js';
import { showChanges, showUsers } from '../../../domain/attributes/show-users.js';
import { cancelOnDisconnect, type Database } from '../../../domain/database.js';
import { getUser } from '../../../domain/users/get-user.js';
import { callerOf } from '../../authentication.js';
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
        'With everyone above the user, and the changes that planned calls will make. The ETag of the reply is the version of the user, for If-Match.',
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
          data: {
            ...exampleUserView,
            managers: [{ ...exampleUserView.manager, isActive: true }],
            upcomingChanges: [],
          },
        },
        headers: { ETag: 'The version of the user, for If-Match.' },
      },
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const connected = cancelOnDisconnect(database, clientSignal(reply));
      const found = succeeded(await getUser(connected, request.params.serial));
      const { actor } = callerOf(request);
      const [user] = await showUsers(connected.pool, [found.user], actor);
      const effects = found.upcomingChanges.map(({ effect }) => effect);
      const shown = await showChanges(connected.pool, effects, actor);
      const upcomingChanges = found.upcomingChanges.map((each, at) => ({ ...each, effect: shown[at] }));
      return reply.header('etag', etagOf(found.version)).send({
        status: 'success',
        message: 'User found.',
        data: { ...user, managers: found.managers, upcomingChanges },
      });
    },
  });
}
