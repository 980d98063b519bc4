import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../domain/context.js';
import { getLanguage } from '../../../domain/users/user-language.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { serialParameter } from './get-user.js';
import { languageReply, languageUrl, sendLanguage } from './language-schemas.js';

export function getLanguageRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { serial: string } }>(languageUrl, {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getLanguage',
      summary: 'Read the language of messages to a user',
      description: 'Passwords and notices are sent in this language.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      success: languageReply('The language; null for that of the installation.', 'Language found.'),
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors],
    }),
    handler: async (request, reply) =>
      sendLanguage(request, reply, await getLanguage(context, request.params.serial), 'Language found.'),
  });
}
