import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ApplicationDeletedReply,
  ApplicationListReply,
  ApplicationReply,
  ApplicationSecretReply,
  CreateApplication,
  createApplicationFields,
  PatchApplication,
  patchApplicationFields,
  rotateApplicationSecretFields,
} from '../../contract/applications.js';
import { RotateSecret } from '../../contract/clients.js';
import { applicationLimits, secretOverlapDefaultSeconds } from '../../contract/limits.js';
import type { Database } from '../../domain/database.js';
import {
  type ApplicationChange,
  createApplication,
  deleteApplication,
  getApplication,
  listApplications,
  type NewApplication,
  rotateApplicationSecret,
  updateApplication,
} from '../../domain/openid/applications.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const url = '/service/applications';

const defaults = {
  postLogoutUris: [],
  scopes: ['openid', 'profile', 'email'],
  attributes: [],
  organizationSerials: [],
  tagSerials: [],
  accessTokenSeconds: applicationLimits.accessTokenSecondsDefault,
  refreshTokenDays: applicationLimits.refreshTokenDaysDefault,
} as const;

export const exampleApplication = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  name: 'Wiki',
  isPublic: false,
  redirectUris: ['https://wiki.example.com/callback'],
  postLogoutUris: ['https://wiki.example.com/'],
  scopes: ['openid', 'profile', 'email'],
  attributes: [],
  organizationSerials: [],
  tagSerials: [],
  accessTokenSeconds: defaults.accessTokenSeconds,
  refreshTokenDays: defaults.refreshTokenDays,
  isActive: true,
  users: 42,
  createdAt: '2026-11-15T08:30:00.000Z',
  secrets: [{ createdAt: '2026-11-15T08:30:00.000Z', expiresAt: null }],
};

const params = Type.Object({
  id: Type.String({ description: 'The ID of the application.', examples: [exampleApplication.id] }),
});

type ApplicationRequest = { Params: { id: string } };

export function applicationRoutes(app: FastifyInstance, database: Database): void {
  createRoute(app, database);
  listRoute(app, database, {
    url,
    scope: 'access:admin',
    operationId: 'listApplications',
    summary: 'List applications',
    description: 'Sorted by creation.',
    tag: 'Applications',
    noun: 'Applications',
    reply: ApplicationListReply,
    example: exampleApplication,
    page: listApplications,
  });
  getRoute(app, database);
  updateRoute(app, database);
  rotateRoute(app, database);
  deleteRoute(app, database);
}

function createRoute(app: FastifyInstance, database: Database): void {
  const message = 'Application created. Keep the secret: it is not shown again.';
  app.post(url, {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'createApplication',
      summary: 'Create an application',
      description:
        'Users can then sign in to it with their account here, if `ROLLCALL_OPENID_PROVIDER` is on. The secret is only in this reply.',
      tag: 'Applications',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateApplication,
        examples: {
          wiki: {
            summary: 'An application with a server',
            value: { name: 'Wiki', redirectUris: exampleApplication.redirectUris },
          },
          spa: {
            summary: 'An application in the browser',
            value: { name: 'Timesheets', isPublic: true, redirectUris: ['https://time.example.com/'] },
          },
        },
      },
      success: {
        status: 201,
        description: 'The application, with its secret.',
        schema: ApplicationSecretReply,
        example: { status: 'success', message, data: { ...exampleApplication, secret: 'mF9x…' } },
        headers: { Location: 'The path of the new application.' },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'APPLICATION_NAME_EXISTS', 'ATTRIBUTE_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, createApplicationFields);
      const settings = {
        ...withDefaults({ ...defaults, ...given }),
        isPublic: given.isPublic ?? false,
      } as NewApplication; // the required fields are there
      const { application, secret } = succeeded(
        await createApplication(database, settings, callerOf(request)),
      );
      return reply
        .code(201)
        .header('location', `${url}/${application.id}`)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message, data: { ...application, secret } });
    },
  });
}

function getRoute(app: FastifyInstance, database: Database): void {
  const message = 'Application found.';
  app.get<ApplicationRequest>(`${url}/:id`, {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getApplication',
      summary: 'Read an application',
      description: 'Never includes a secret.',
      tag: 'Applications',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: 'The application.',
        schema: ApplicationReply,
        example: { status: 'success', message, data: exampleApplication },
      },
      errors: ['APPLICATION_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { application } = succeeded(await getApplication(database, request.params.id));
      return reply.send({ status: 'success', message, data: application });
    },
  });
}

function updateRoute(app: FastifyInstance, database: Database): void {
  const message = 'Application updated.';
  app.patch<ApplicationRequest>(`${url}/:id`, {
    config: {
      scope: 'access:admin',
      takes: ['application/merge-patch+json', 'application/json'],
      isSensitive: true,
    },
    schema: describeOperation({
      operationId: 'updateApplication',
      summary: 'Update an application',
      description:
        'Users who may no longer sign in lose their access at once. isActive false ends the access of everybody.',
      tag: 'Applications',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchApplication,
        examples: { limit: { summary: 'Only one organization', value: { organizationSerials: ['ORG7'] } } },
      },
      success: {
        status: 200,
        description: 'The updated application.',
        schema: ApplicationReply,
        example: {
          status: 'success',
          message,
          data: { ...exampleApplication, organizationSerials: ['ORG7'] },
        },
      },
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'APPLICATION_NOT_FOUND',
        'APPLICATION_NAME_EXISTS',
        'ATTRIBUTE_NOT_FOUND',
        ...writeErrors,
      ],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, patchApplicationFields, { partial: true });
      const change = withDefaults(given) as ApplicationChange;
      const updated = await updateApplication(database, request.params.id, change, callerOf(request));
      return reply.send({ status: 'success', message, data: succeeded(updated).application });
    },
  });
}

/** Null restores the default. */
function withDefaults(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value ?? defaults[name as keyof typeof defaults]]),
  );
}

function rotateRoute(app: FastifyInstance, database: Database): void {
  const message = 'Secret rotated. Keep the new one: it is not shown again.';
  app.post<ApplicationRequest>(`${url}/:id/rotate`, {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'rotateApplicationSecret',
      summary: 'Rotate the secret of an application',
      description:
        'The current secret keeps working for a day, or for overlapSeconds, so that the new one can be deployed. With overlapSeconds 0, it ends at once, and so does the access that users have granted.',
      tag: 'Applications',
      secured: true,
      parameters: { params },
      body: {
        optional: true,
        types: ['application/json'],
        schema: RotateSecret,
        examples: { atOnce: { summary: 'End the old secret at once', value: { overlapSeconds: 0 } } },
      },
      success: {
        status: 200,
        description: 'The application, with its new secret.',
        schema: ApplicationSecretReply,
        example: { status: 'success', message, data: { ...exampleApplication, secret: 'mF9x…' } },
      },
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'APPLICATION_NOT_FOUND',
        'APPLICATION_WITHOUT_SECRET',
        ...writeErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { overlapSeconds } = request.body == null ? {} : readBody(request, rotateApplicationSecretFields);
      const { application, secret } = succeeded(
        await rotateApplicationSecret(
          database,
          request.params.id,
          overlapSeconds ?? secretOverlapDefaultSeconds,
          callerOf(request),
        ),
      );
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message, data: { ...application, secret } });
    },
  });
}

function deleteRoute(app: FastifyInstance, database: Database): void {
  const message = 'Application deleted.';
  app.delete<ApplicationRequest>(`${url}/:id`, {
    config: { scope: 'access:admin', isSensitive: true },
    schema: describeOperation({
      operationId: 'deleteApplication',
      summary: 'Delete an application',
      description: 'Nobody can sign in to it anymore, and its tokens end.',
      tag: 'Applications',
      secured: true,
      parameters: { params },
      success: {
        status: 200,
        description: 'The ID of the application.',
        schema: ApplicationDeletedReply,
        example: { status: 'success', message, data: { id: exampleApplication.id } },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'APPLICATION_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      succeeded(await deleteApplication(database, id, callerOf(request)));
      return reply.send({ status: 'success', message, data: { id } });
    },
  });
}
