import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { PatchUser, UpdatedUserReply } from '../../../contract/users.js';
import { mayReadUsers } from '../../../domain/access/visibility.js';
import { showUsers } from '../../../domain/attributes/show-users.js';
import { type UpdateUserContext, updateUser } from '../../../domain/users/update-user.js';
import { parsePatch } from '../../../domain/users/user-rules.js';
import { attributeReader } from '../../attribute-reader.js';
import { callerOf } from '../../authentication.js';
import { withoutForeign } from '../../foreign-names.js';
import { describeOperation, userErrors } from '../../openapi.js';
import { flagParameter, type Query, querySchema, readParameters } from '../../query.js';
import { originOf, requireBody } from '../../request-body.js';
import { etagOf, matches } from '../../request-headers.js';
import { succeeded } from '../../request-rejected.js';
import { exampleUserView } from './examples.js';
import { serialParameter } from './get-user.js';

const parameters = {
  notify: flagParameter(
    'false: the user is not notified of a new email or username, for programs that change many users.',
    true,
  ),
};

const mediaTypes = ['application/merge-patch+json', 'application/json'];

export function updateUserRoute(app: FastifyInstance, context: UpdateUserContext): void {
  app.patch<{ Params: { serial: string }; Querystring: Query }>('/service/users/:serial', {
    config: { scope: 'users:write', takes: mediaTypes },
    schema: describeOperation({
      operationId: 'updateUser',
      summary: 'Update a user',
      description:
        'A JSON merge patch (RFC 7396) for one user, including email and employee ID. Checks run in the order of the bulk update. Users with a role are protected in the same way, including their email. If-Match is checked once the user is found.',
      tag: 'Users',
      secured: true,
      parameters: {
        params: serialParameter,
        querystring: querySchema(parameters),
        headers: Type.Object({
          'if-match': Type.Optional(
            Type.String({
              minLength: 1,
              description:
                'The ETag of the version you read. Several, separated by commas, and * work as well.',
              examples: ['"3"'],
            }),
          ),
        }),
      },
      body: {
        types: mediaTypes,
        schema: PatchUser,
        examples: {
          email: {
            summary: 'A new email, and the phone removed',
            value: { email: 'ada@example.org', phone: null },
          },
        },
      },
      success: {
        status: 200,
        description: 'The updated user; without users:read, only its serial and version.',
        schema: UpdatedUserReply,
        example: {
          status: 'success',
          message: 'User updated.',
          data: { ...exampleUserView, email: 'ada@example.org', phone: null },
        },
        headers: { ETag: 'The version of the user, for If-Match.' },
      },
      errors: [
        'REQUEST_PARAMETER_INVALID',
        'USER_NOT_FOUND',
        'USER_ERASED',
        'USER_PROTECTED',
        'USER_LAST_ADMINISTRATOR',
        'REQUEST_PRECONDITION_FAILED',
        ...userErrors,
      ],
    }),
    handler: async (request, reply) => {
      const sent = withoutForeign(request.query, Object.keys(parameters));
      const { notify } = readParameters(sent, parameters);
      const body = requireBody(request);
      const parsed = succeeded(
        parsePatch(body.value, originOf(body), await attributeReader(request, context.database)),
      );
      const versionIsKnown = matches(request.headers['if-match']);
      const caller = callerOf(request);
      const { serial } = request.params;
      const patched = succeeded(
        await updateUser(context, serial, parsed.value, { versionIsKnown, caller, notify }),
      );
      const [user] = await showUsers(context.database.pool, [patched.user], caller.actor);
      const { version } = patched;
      return reply.header('etag', etagOf(version)).send({
        status: 'success',
        message: 'User updated.',
        data: mayReadUsers(caller.actor) ? user : { serial, version },
      });
    },
  });
}
