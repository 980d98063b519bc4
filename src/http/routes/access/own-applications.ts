import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { ApplicationSignInReply, OwnApplicationsReply } from '../../../contract/applications.js';
import { failure } from '../../../contract/errors.js';
import { DoneReply } from '../../../contract/sign-in.js';
import type { SessionContext } from '../../../domain/access/sessions.js';
import type { Database } from '../../../domain/database.js';
import { endOwnAccess, listOwnApplications } from '../../../domain/openid/own-applications.js';
import { applicationOfSignIn } from '../../../domain/openid/sign-in-to-application.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { commonErrors, describeOperation, openErrors } from '../../openapi.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { exampleApplication } from '../applications.js';

const url = '/service/me/applications';

const params = Type.Object({
  id: Type.String({ description: 'The ID of the application.', examples: [exampleApplication.id] }),
});

/** For every user who signed in. */
export function ownApplicationRoutes(app: FastifyInstance, context: SessionContext): void {
  listRoute(app, context.database);
  endRoute(app, context.database);
  signInRoute(app, context);
}

function listRoute(app: FastifyInstance, database: Database): void {
  const message = 'Applications found.';
  app.get(url, {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'listOwnApplications',
      summary: 'List the applications with access to oneself',
      description: 'Those that the user has signed in to, the last used first.',
      tag: 'Applications',
      secured: true,
      success: {
        status: 200,
        description: 'The applications.',
        schema: OwnApplicationsReply,
        example: {
          status: 'success',
          message,
          data: {
            applications: [
              {
                id: exampleApplication.id,
                name: exampleApplication.name,
                scopes: exampleApplication.scopes,
                firstSignedInAt: '2026-11-15T08:30:00.000Z',
                lastUsedAt: '2026-11-16T08:30:00.000Z',
              },
            ],
          },
        },
      },
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const applications = await listOwnApplications(database, userActorOf(request));
      return reply.send({ status: 'success', message, data: { applications } });
    },
  });
}

function endRoute(app: FastifyInstance, database: Database): void {
  const message = 'Access ended.';
  app.delete<{ Params: { id: string } }>(`${url}/:id`, {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'endOwnAccess',
      summary: 'End the access of an application to oneself',
      description: 'Its tokens end. The user can sign in to it again.',
      tag: 'Applications',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: 'It has no access anymore.',
        schema: DoneReply,
        example: { status: 'success', message, data: {} },
      },
      errors: ['ACCESS_USER_REQUIRED', 'APPLICATION_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      succeeded(await endOwnAccess(database, userActorOf(request), id, callerOf(request)));
      return reply.send({ status: 'success', message, data: {} });
    },
  });
}

function signInRoute(app: FastifyInstance, context: SessionContext): void {
  const message = 'Sign-in found.';
  app.get<{ Params: { id: string } }>('/service/auth/applications/:id', {
    config: {},
    schema: describeOperation({
      operationId: 'getApplicationSignIn',
      summary: 'Show which application a user is signing in to',
      description: 'For the sign-in page. The ID is known to the browser that the application has sent.',
      tag: 'Applications',
      secured: false,
      parameters: {
        params: Type.Object({
          id: Type.String({ description: 'The ID of the sign-in.', examples: ['V1StGXR8_Z5jdHi6B-myT'] }),
        }),
      },
      success: {
        status: 200,
        description: 'The application.',
        schema: ApplicationSignInReply,
        example: { status: 'success', message, data: { applicationName: exampleApplication.name } },
      },
      errors: ['APPLICATION_SIGN_IN_NOT_FOUND', ...openErrors],
    }),
    handler: async (request, reply) => {
      const applicationName = await applicationOfSignIn(context, request.params.id);
      if (applicationName === undefined) throw new RequestRejected(ended);
      return reply.send({ status: 'success', message, data: { applicationName } });
    },
  });
}

const ended = failure(
  'APPLICATION_SIGN_IN_NOT_FOUND',
  'This sign-in has expired, or it ended already. Go back to the application and sign in again.',
);
