import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  ClientListReply,
  ClientReply,
  ClientSecretReply,
  CreateClient,
  createClientFields,
  PatchClient,
  patchClientFields,
  RotateSecret,
  rotateFields,
} from '../../contract/clients.js';
import { secretOverlapDefaultSeconds } from '../../contract/limits.js';
import type { Scope } from '../../contract/scopes.js';
import {
  type ClientChange,
  createClient,
  getClient,
  listClients,
  rotateClientSecret,
  updateClient,
} from '../../domain/clients/clients.js';
import type { Database } from '../../domain/database.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const exampleClient = {
  id: 'client-1f2e3d4c5b6a',
  name: 'Nightly HR sync',
  scopes: ['users:read', 'users:write'],
  isActive: true,
  ignoresUnknownFields: false,
  createdAt: '2026-11-15T08:30:00.000Z',
  lastUsedAt: '2026-11-15T09:12:00.000Z',
  secrets: [{ createdAt: '2026-11-15T08:30:00.000Z', expiresAt: null }],
};

const clientParams = Type.Object({
  id: Type.String({ description: 'The ID of the client.', examples: [exampleClient.id] }),
});

type ClientRequest = { Params: { id: string } };

export function clientRoutes(app: FastifyInstance, database: Database): void {
  createClientRoute(app, database);
  listClientsRoute(app, database);
  getClientRoute(app, database);
  updateClientRoute(app, database);
  rotateClientSecretRoute(app, database);
}

function createClientRoute(app: FastifyInstance, database: Database): void {
  app.post('/service/clients', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'createClient',
      summary: 'Create a client',
      description: 'The secret is only in this reply: the service stores its hash.',
      tag: 'Access',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateClient,
        examples: {
          sync: {
            summary: 'A nightly sync',
            value: { name: exampleClient.name, scopes: exampleClient.scopes },
          },
        },
      },
      success: {
        status: 201,
        description: 'The client, with its secret.',
        schema: ClientSecretReply,
        example: {
          status: 'success',
          message: 'Client created. Keep the secret: it is not shown again.',
          data: { ...exampleClient, secret: 'mF9x…' },
        },
        headers: { Location: 'The path of the new client.' },
      },
      errors: ['ACCESS_PROOF_REQUIRED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { name, scopes, ignoresUnknownFields } = readBody(request, createClientFields);
      const { client, secret } = await createClient(
        database,
        {
          name: name as string,
          scopes: scopes as Scope[],
          ignoresUnknownFields: ignoresUnknownFields ?? undefined,
        },
        callerOf(request),
      );
      return reply
        .code(201)
        .header('location', `/service/clients/${client.id}`)
        .header('cache-control', 'no-store')
        .send({
          status: 'success',
          message: 'Client created. Keep the secret: it is not shown again.',
          data: { ...client, secret },
        });
    },
  });
}

function listClientsRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/clients',
    scope: 'access:admin',
    operationId: 'listClients',
    summary: 'List clients',
    description: 'Sorted by ID.',
    tag: 'Access',
    noun: 'Clients',
    reply: ClientListReply,
    example: exampleClient,
    page: listClients,
  });
}

function getClientRoute(app: FastifyInstance, database: Database): void {
  app.get<ClientRequest>('/service/clients/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getClient',
      summary: 'Read a client',
      description: 'Never includes a secret.',
      tag: 'Access',
      secured: true,
      parameters: { params: clientParams },
      success: {
        status: 200,
        description: 'The client.',
        schema: ClientReply,
        example: { status: 'success', message: 'Client found.', data: exampleClient },
      },
      errors: ['ACCESS_CLIENT_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = succeeded(await getClient(database, request.params.id));
      return reply.send({ status: 'success', message: 'Client found.', data: found.client });
    },
  });
}

function updateClientRoute(app: FastifyInstance, database: Database): void {
  app.patch<ClientRequest>('/service/clients/:id', {
    config: {
      scope: 'access:admin',
      takes: ['application/merge-patch+json', 'application/json'],
      isSensitive: true,
    },
    schema: describeOperation({
      operationId: 'updateClient',
      summary: 'Update a client',
      description:
        'Renames the client, changes its scopes, disables or enables it. A disabled client gets no tokens, and its existing ones become invalid within seconds on every node. They stay invalid when it is enabled again, except for long-lived tokens.',
      tag: 'Access',
      secured: true,
      parameters: { params: clientParams },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchClient,
        examples: { disable: { summary: 'Disable the client', value: { isActive: false } } },
      },
      success: {
        status: 200,
        description: 'The updated client.',
        schema: ClientReply,
        example: {
          status: 'success',
          message: 'Client updated.',
          data: { ...exampleClient, isActive: false },
        },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_CLIENT_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      // In a partial body, a required field is never null.
      const change = readBody(request, patchClientFields, { partial: true }) as ClientChange;
      const updated = succeeded(await updateClient(database, request.params.id, change, callerOf(request)));
      return reply.send({ status: 'success', message: 'Client updated.', data: updated.client });
    },
  });
}

function rotateClientSecretRoute(app: FastifyInstance, database: Database): void {
  app.post<ClientRequest>('/service/clients/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
    schema: describeOperation({
      operationId: 'rotateClientSecret',
      summary: 'Rotate the secret of a client',
      description:
        'The current secret keeps working for a day, or for overlapSeconds, so that the new one can be deployed. At most two secrets work at a time. With overlapSeconds 0, the current secret ends immediately, and all tokens issued so far become invalid within seconds on every node.',
      tag: 'Access',
      secured: true,
      parameters: { params: clientParams },
      body: {
        optional: true,
        types: ['application/json'],
        schema: RotateSecret,
        examples: {
          atOnce: { summary: 'End the old secret and all tokens immediately', value: { overlapSeconds: 0 } },
        },
      },
      success: {
        status: 200,
        description: 'The client, with its new secret.',
        schema: ClientSecretReply,
        example: {
          status: 'success',
          message: 'Secret rotated. Keep the new one: it is not shown again.',
          data: { ...exampleClient, secret: 'mF9x…' },
        },
      },
      errors: ['ACCESS_PROOF_REQUIRED', 'ACCESS_CLIENT_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { overlapSeconds } = request.body == null ? {} : readBody(request, rotateFields);
      const rotated = succeeded(
        await rotateClientSecret(
          database,
          request.params.id,
          overlapSeconds ?? secretOverlapDefaultSeconds,
          callerOf(request),
        ),
      );
      return reply.header('cache-control', 'no-store').send({
        status: 'success',
        message: 'Secret rotated. Keep the new one: it is not shown again.',
        data: { ...rotated.client, secret: rotated.secret },
      });
    },
  });
}
