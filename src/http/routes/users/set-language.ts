import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../domain/context.js';
import { setLanguage } from '../../../domain/users/user-language.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { serialParameter } from './get-user.js';
import { languageBody, languageReply, languageUrl, readLanguage, sendLanguage } from './language-schemas.js';

export function setLanguageRoute(app: FastifyInstance, context: Context): void {
  app.put<{ Params: { serial: string } }>(languageUrl, {
    config: { scope: 'users:write', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'setLanguage',
      summary: 'Set the language of messages to a user',
      description:
        'Passwords and notices are sent in this language, including those that wait to be sent. It is not a field of the user, so it neither changes the version nor appears in the history.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      body: languageBody,
      success: languageReply('The current language.', 'Language set.'),
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const set = await setLanguage(context, request.params.serial, readLanguage(request));
      return sendLanguage(request, reply, set, 'Language set.');
    },
  });
}
