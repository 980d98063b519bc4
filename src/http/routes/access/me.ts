import type { FastifyInstance } from 'fastify';
import { scopes as allScopes } from '../../../contract/scopes.js';
import { MeReply } from '../../../contract/sign-in.js';
import { restrictionOf } from '../../../domain/access/sessions.js';
import type { Actor } from '../../../domain/caller.js';
import { type LanguageContext, setLanguage } from '../../../domain/users/user-language.js';
import { userActorOf } from '../../authentication.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { exampleSerial } from '../users/examples.js';
import { languageBody, languageReply, readLanguage, sendLanguage } from '../users/language.js';

const noUser = {
  name: null,
  username: null,
  employeeID: null,
  role: null,
  sessionId: null,
  method: null,
  secondFactor: 'none',
} as const;

export function meRoute(app: FastifyInstance): void {
  app.get('/service/auth/me', {
    config: { scope: 'any', mayLack: 'factor' },
    schema: describeOperation({
      operationId: 'getMe',
      summary: 'Show the owner of the token and its scopes',
      description: 'Also checks a token: an invalid one gets 401.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 200,
        description: 'A user, a client, or a subject of an external issuer.',
        schema: MeReply,
        example: {
          status: 'success',
          message: 'The token is valid.',
          data: {
            kind: 'person',
            id: exampleSerial,
            name: 'Ada Lovelace',
            username: 'ada',
            employeeID: 'E1001',
            role: 'operator',
            scopes: ['users:read', 'users:write'],
            sessionId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
            secondFactor: 'none',
            method: 'password',
          },
        },
      },
      errors: commonErrors,
    }),
    handler: async (request, reply) => {
      const actor = request.actor as Actor;
      const { name, username, employeeID, role, sessionId, method, secondFactor } =
        actor.kind === 'person' ? actor : noUser;
      // Until then, the session is good for nothing else.
      const isComplete = actor.kind !== 'person' || restrictionOf(actor) === undefined;
      const scopes = allScopes.filter((scope) => isComplete && actor.scopes.has(scope));
      const data = {
        kind: actor.kind,
        id: actor.id,
        name,
        username,
        employeeID,
        role,
        scopes,
        sessionId,
        method,
        secondFactor,
      };
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: 'The token is valid.', data });
    },
  });
}

export function setOwnLanguageRoute(app: FastifyInstance, context: LanguageContext): void {
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
      return sendLanguage(reply, set, 'Language set.');
    },
  });
}
