import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { scimLimits } from '../../contract/limits.js';
import {
  AllowDeactivations,
  allowDeactivationsFields,
  ProviderListReply,
  ProviderReply,
  PutProvider,
  providerFields,
  ScimRequestListReply,
} from '../../contract/scim-providers.js';
import type { Database } from '../../domain/database.js';
import {
  allowScimDeactivations,
  getScimProvider,
  listScimProviders,
  listScimRequests,
  type ProviderChange,
  setScimProvider,
} from '../../domain/scim/providers.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { flagParameter } from '../query.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const exampleProvider = {
  clientId: 'client-1f2e3d4c5b6a',
  name: 'Okta',
  isActive: true,
  settings: {
    kind: 'okta',
    onDelete: 'deactivate',
    employeeId: 'reject',
    visibleUsers: 'all',
    unknownAttributes: 'ignore',
    deactivationPercent: scimLimits.deactivationPercentDefault,
  },
  deactivations: { used: 3, limit: 50, allowedMore: 0, allowedUntil: null },
  lastRequestAt: '2026-11-15T09:12:00.000Z',
  failedRequests: 0,
};

const exampleRequest = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
  at: '2026-11-15T09:12:00.000Z',
  operation: 'create',
  resourceType: 'User',
  resourceId: null,
  status: 409,
  scimType: 'uniqueness',
  error: 'USER_USERNAME_EXISTS',
  ignoredAttributes: ['nickName'],
  durationMs: 4,
};

const params = Type.Object({
  id: Type.String({ description: 'The ID of the client.', examples: [exampleProvider.clientId] }),
});

const reply = (description: string, message: string, data: object = exampleProvider) => ({
  status: 200,
  description,
  schema: ProviderReply,
  example: { status: 'success', message, data },
});

type ProviderRequest = { Params: { id: string } };

export function scimProviderRoutes(app: FastifyInstance, database: Database): void {
  listScimProvidersRoute(app, database);
  getScimProviderRoute(app, database);
  setScimProviderRoute(app, database);
  allowScimDeactivationsRoute(app, database);
  listScimRequestsRoute(app, database);
}

function listScimProvidersRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/scim/providers',
    scope: 'access:admin',
    operationId: 'listScimProviders',
    summary: 'List identity providers',
    description:
      'Clients with the scope scim that have settings, a long-lived token or requests, sorted by the ID of the client.',
    tag: 'Access',
    noun: 'Identity providers',
    reply: ProviderListReply,
    example: exampleProvider,
    page: listScimProviders,
  });
}

function getScimProviderRoute(app: FastifyInstance, database: Database): void {
  app.get<ProviderRequest>('/service/clients/:id/scim', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getScimProvider',
      summary: 'Read the settings of an identity provider',
      description: 'A client without settings has those of the kind other.',
      tag: 'Access',
      secured: true,
      parameters: { params },
      success: reply('The identity provider.', 'Identity provider found.'),
      errors: ['ACCESS_CLIENT_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, response) => {
      const { provider } = succeeded(await getScimProvider(database, request.params.id));
      return response.send({ status: 'success', message: 'Identity provider found.', data: provider });
    },
  });
}

function setScimProviderRoute(app: FastifyInstance, database: Database): void {
  app.put<ProviderRequest>('/service/clients/:id/scim', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'setScimProvider',
      summary: 'Change the settings of an identity provider',
      description:
        'Replaces all settings: those that are not sent get the preset of the kind. Takes effect within seconds on every node.',
      tag: 'Access',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json'],
        schema: PutProvider,
        examples: { okta: { summary: 'Okta', value: { kind: 'okta', employeeId: 'externalId' } } },
      },
      success: reply('The identity provider.', 'Settings saved.', {
        ...exampleProvider,
        settings: { ...exampleProvider.settings, employeeId: 'externalId' },
      }),
      errors: ['ACCESS_CLIENT_NOT_FOUND', 'ACCESS_CLIENT_NOT_A_PROVIDER', ...writeErrors],
    }),
    handler: async (request, response) => {
      const change = readBody(request, providerFields) as ProviderChange; // the kind is required
      const { provider } = succeeded(
        await setScimProvider(database, request.params.id, change, callerOf(request)),
      );
      return response.send({ status: 'success', message: 'Settings saved.', data: provider });
    },
  });
}

function allowScimDeactivationsRoute(app: FastifyInstance, database: Database): void {
  app.post<ProviderRequest>('/service/clients/:id/scim/allow-deactivations', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'allowScimDeactivations',
      summary: 'Allow an identity provider more deactivations',
      description:
        'For some hours, the limit is higher by this number of users. Replaces what was allowed before. The identity provider has to send what was refused again, as most do by themselves.',
      tag: 'Access',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json'],
        schema: AllowDeactivations,
        examples: { site: { summary: 'A site that closes', value: { count: 120, hours: 24 } } },
      },
      success: reply('The identity provider.', 'More deactivations allowed.', {
        ...exampleProvider,
        deactivations: { used: 50, limit: 170, allowedMore: 120, allowedUntil: '2026-11-16T09:12:00.000Z' },
      }),
      errors: ['ACCESS_CLIENT_NOT_FOUND', 'ACCESS_CLIENT_NOT_A_PROVIDER', ...writeErrors],
    }),
    handler: async (request, response) => {
      const { count, hours } = readBody(request, allowDeactivationsFields);
      const allowed = { count: count as number, hours: hours ?? scimLimits.allowedHoursDefault }; // count is required
      const { provider } = succeeded(
        await allowScimDeactivations(database, request.params.id, allowed, callerOf(request)),
      );
      return response.send({ status: 'success', message: 'More deactivations allowed.', data: provider });
    },
  });
}

function listScimRequestsRoute(app: FastifyInstance, database: Database): void {
  const parameters = { failedOnly: flagParameter('Only requests that failed.', false) };
  listRoute<{ id: string }, typeof parameters>(app, database, {
    url: '/service/clients/:id/scim/requests',
    scope: 'access:admin',
    operationId: 'listScimRequests',
    summary: 'List the last requests of an identity provider',
    description: `Newest first. The last ${scimLimits.requestsKept} requests of each identity provider are kept, without personal data.`,
    tag: 'Access',
    noun: 'Requests',
    reply: ScimRequestListReply,
    example: exampleRequest,
    params,
    parameters,
    errors: ['ACCESS_CLIENT_NOT_FOUND'],
    page: (connected, page, { params: { id }, parameters: { failedOnly } }) =>
      listScimRequests(connected, id, failedOnly, page),
  });
}
