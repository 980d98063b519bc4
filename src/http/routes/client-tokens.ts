import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ClientTokenListReply,
  ClientTokenReply,
  ClientTokenSecretReply,
  CreateClientToken,
  createClientTokenFields,
} from '../../contract/client-tokens.js';
import {
  createClientToken,
  listClientTokens,
  revokeClientToken,
} from '../../domain/clients/client-tokens.js';
import type { Database } from '../../domain/database.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const exampleToken = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
  name: 'Okta',
  createdAt: '2026-11-15T08:30:00.000Z',
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: '2026-11-15T09:12:00.000Z',
};

const clientParams = {
  id: Type.String({ description: 'The ID of the client.', examples: ['client-1f2e3d4c5b6a'] }),
};
const tokenParams = {
  ...clientParams,
  tokenId: Type.String({ description: 'The ID of the token.', examples: [exampleToken.id] }),
};

const created = 'Token created. Keep it: it is not shown again.';
const revoked = 'Token revoked.';

export function clientTokenRoutes(app: FastifyInstance, database: Database): void {
  createClientTokenRoute(app, database);
  listClientTokensRoute(app, database);
  revokeClientTokenRoute(app, database);
}

function createClientTokenRoute(app: FastifyInstance, database: Database): void {
  app.post<{ Params: { id: string } }>('/service/clients/:id/tokens', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'createClientToken',
      summary: 'Create a long-lived token',
      description:
        'For identity providers that cannot get tokens from POST /oauth/token. It has only the scope scim, which the client needs. It works until it expires or is revoked, and while the client is enabled. The token is only in this reply: the service stores its hash.',
      tag: 'Access',
      secured: true,
      parameters: { params: Type.Object(clientParams) },
      body: {
        types: ['application/json'],
        schema: CreateClientToken,
        examples: { okta: { summary: 'A token for Okta', value: { name: 'Okta', expiresInDays: 365 } } },
      },
      success: {
        status: 201,
        description: 'The token.',
        schema: ClientTokenSecretReply,
        example: {
          status: 'success',
          message: created,
          data: { ...exampleToken, lastUsedAt: null, token: 'rct_mF9x…' },
        },
        headers: { Location: 'The path of the new token.' },
      },
      errors: [
        'ACCESS_PROOF_REQUIRED',
        ...([
          'ACCESS_CLIENT_NOT_FOUND',
          'ACCESS_CLIENT_NOT_A_PROVIDER',
          'ACCESS_CLIENT_TOKEN_TOO_MANY',
        ] as const),
        ...writeErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      const { name, expiresInDays } = readBody(request, createClientTokenFields);
      const given = { name: name as string, expiresInDays: expiresInDays ?? null }; // the name is required
      const { token, secret } = succeeded(await createClientToken(database, id, given, callerOf(request)));
      return reply
        .code(201)
        .header('location', `/service/clients/${encodeURIComponent(id)}/tokens/${token.id}`)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: created, data: { ...token, token: secret } });
    },
  });
}

function listClientTokensRoute(app: FastifyInstance, database: Database): void {
  listRoute<{ id: string }>(app, database, {
    url: '/service/clients/:id/tokens',
    scope: 'access:admin',
    operationId: 'listClientTokens',
    summary: 'List the long-lived tokens of a client',
    description:
      'Newest first, also those that were revoked or have expired. Never includes the tokens themselves.',
    tag: 'Access',
    noun: 'Tokens',
    reply: ClientTokenListReply,
    example: exampleToken,
    params: Type.Object(clientParams),
    errors: ['ACCESS_CLIENT_NOT_FOUND'],
    page: (connected, page, { params }) => listClientTokens(connected, params.id, page),
  });
}

function revokeClientTokenRoute(app: FastifyInstance, database: Database): void {
  app.delete<{ Params: { id: string; tokenId: string } }>('/service/clients/:id/tokens/:tokenId', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'revokeClientToken',
      summary: 'Revoke a long-lived token',
      description:
        'The token stops working within seconds on every node. Other tokens of the client go on working.',
      tag: 'Access',
      secured: true,
      parameters: { params: Type.Object(tokenParams) },
      success: {
        status: 200,
        description: 'The revoked token.',
        schema: ClientTokenReply,
        example: {
          status: 'success',
          message: revoked,
          data: { ...exampleToken, revokedAt: '2026-11-16T10:00:00.000Z' },
        },
      },
      errors: ['ACCESS_CLIENT_TOKEN_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id, tokenId } = request.params;
      const { token } = succeeded(await revokeClientToken(database, id, tokenId, callerOf(request)));
      return reply.send({ status: 'success', message: revoked, data: token });
    },
  });
}
