import type { FastifyInstance } from 'fastify';
import type { Context } from '../../../domain/context.js';
import { setLanguage } from '../../../domain/users/user-language.js';
import { userActorOf } from '../../authentication.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { languageBody, languageReply, readLanguage, sendLanguage } from '../users/language-schemas.js';

export function setOwnLanguageRoute(app: FastifyInstance, context: Context): void {
  app.put('/service/auth/language', {
    config: { scope: 'any', usersOnly: true, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'setOwnLanguage',
      summary: 'Set the language of messages to oneself',
      description: 'For the user who signed in. The console calls it when they choose a language.',
      tag: 'Sign-in',
      secured: true,
      body: languageBody,
      success: languageReply('The current language.', 'Language set.'),
      errors: [
        'USER_NOT_FOUND',
        'USER_ERASED',
        'ACCESS_USER_REQUIRED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
      ],
    }),
    handler: async (request, reply) => {
      const set = await setLanguage(context, userActorOf(request).id, readLanguage(request));
      return sendLanguage(request, reply, set, 'Language set.');
    },
  });
}
