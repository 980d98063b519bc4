import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Language } from '../../../contract/enums.js';
import { failure } from '../../../contract/errors.js';
import { LanguageReply, languageFields, SetLanguage } from '../../../contract/user-language.js';
import type { LanguageOf } from '../../../domain/users/user-language.js';
import { readBody } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import { exampleSerial } from './examples.js';

export const languageUrl = '/service/users/:serial/language';

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

export function sendLanguage(
  _request: FastifyRequest,
  reply: FastifyReply,
  found: LanguageOf,
  message: string,
): FastifyReply {
  if (!found.ok) throw new RequestRejected(found.failure);
  const { serial, language, defaultLanguage } = found;
  return reply.send({ status: 'success', message, data: { serial, language, defaultLanguage } });
}
