import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../contract/enums.js';
import { failure } from '../../../contract/errors.js';
import { LanguageReply, languageFields, SetLanguage } from '../../../contract/user-language.js';
import {
  getLanguage,
  type LanguageContext,
  type LanguageOf,
  setLanguage,
} from '../../../domain/users/user-language.js';
import { commonErrors, describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { exampleSerial } from './examples.js';
import { serialParameter } from './get-user.js';

const languageUrl = '/service/users/:serial/language';

export function getLanguageRoute(app: FastifyInstance, context: LanguageContext): void {
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
      sendLanguage(reply, await getLanguage(context, request.params.serial), 'Language found.'),
  });
}

export function setLanguageRoute(app: FastifyInstance, context: LanguageContext): void {
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
      return sendLanguage(reply, set, 'Language set.');
    },
  });
}

export const languageBody = {
  types: ['application/json'],
  schema: SetLanguage,
  examples: {
    german: { summary: 'German', value: { language: 'de' } },
    none: { summary: 'The language of the installation', value: { language: null } },
  },
};

export const languageReply = (description: string, message: string) => ({
  status: 200,
  description,
  schema: LanguageReply,
  example: {
    status: 'success',
    message,
    data: { serial: exampleSerial, language: 'de', defaultLanguage: 'en' },
  },
});

export function readLanguage(request: FastifyRequest): Language | null {
  const { language } = readBody(request, languageFields);
  if (language !== undefined) return language;
  const detail = `"language" is required. It must be ${languageFields.language.field.rule}.`;
  throw new RequestRejected(failure('REQUEST_BODY_INVALID', detail, { field: 'language' }));
}

export function sendLanguage(reply: FastifyReply, found: LanguageOf, message: string): FastifyReply {
  const { serial, language, defaultLanguage } = succeeded(found);
  return reply.send({ status: 'success', message, data: { serial, language, defaultLanguage } });
}
