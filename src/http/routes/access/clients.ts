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
} from '../../../contract/clients.js';
import { secretOverlapDefaultSeconds } from '../../../contract/limits.js';
import type { Scope } from '../../../contract/scopes.js';
import {
  type ClientChange,
  createClient,
  getClient,
  listClients,
  rotateClientSecret,
  updateClient,
} from '../../../domain/access/clients.js';
import type { Context } from '../../../domain/context.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { listRoute } from '../../list-route.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';

const exampleClient = {
  id: 'client-1f2e3d4c5b6a',
  name: 'Nightly HR sync',
  scopes: ['users:read', 'users:write'],
  isActive: true,
  createdAt: '2026-11-15T08:30:00.000Z',
  secrets: [{ createdAt: '2026-11-15T08:30:00.000Z', expiresAt: null }],
};

const idParameter = Type.Object({
  id: Type.String({ description: 'The ID of the client.', examples: [exampleClient.id] }),
});

type ById = { Params: { id: string } };

/** Machine clients, which get tokens from POST /oauth/token. */
export function clientRoutes(app: FastifyInstance, context: Context): void {
  app.post('/service/clients', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createClient',
      summary: 'Create a client',
      description: 'The secret is in this reply and nowhere else: only its hash is kept.',
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
      errors: ['REQUEST_BODY_INVALID', ...bodyErrors, ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { name, scopes } = readBody(request, createClientFields);
      const { client, secret } = await createClient(
        context,
        { name: name as string, scopes: scopes as Scope[] },
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

  listRoute(app, context, {
    url: '/service/clients',
    scope: 'access:admin',
    operationId: 'listClients',
    summary: 'List clients',
    description: 'In the order of their IDs.',
    tag: 'Access',
    noun: 'Clients',
    reply: ClientListReply,
    example: exampleClient,
    filters: () => ({}),
    page: (context, _filters, page) => listClients(context, page),
  });

  app.get<ById>('/service/clients/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getClient',
      summary: 'Read a client',
      tag: 'Access',
      secured: true,
      parameters: { params: idParameter },
      success: {
        status: 200,
        description: 'The client.',
        schema: ClientReply,
        example: { status: 'success', message: 'Client found.', data: exampleClient },
      },
      errors: ['ACCESS_CLIENT_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = await getClient(context, request.params.id);
      if (!found.ok) return sendFailure(request, reply, found.failure);
      return reply.send({ status: 'success', message: 'Client found.', data: found.client });
    },
  });

  app.patch<ById>('/service/clients/:id', {
    config: { scope: 'access:admin', takes: ['application/merge-patch+json', 'application/json'] },
    schema: describeOperation({
      operationId: 'updateClient',
      summary: 'Rename a client, change its scopes, disable or enable it',
      description:
        'A disabled client gets no tokens, and the ones it has end within seconds on every node. They stay ended when it is enabled again.',
      tag: 'Access',
      secured: true,
      parameters: { params: idParameter },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchClient,
        examples: { disable: { summary: 'Disable it', value: { isActive: false } } },
      },
      success: {
        status: 200,
        description: 'The client as it is now.',
        schema: ClientReply,
        example: {
          status: 'success',
          message: 'Client updated.',
          data: { ...exampleClient, isActive: false },
        },
      },
      errors: [
        'ACCESS_CLIENT_NOT_FOUND',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      // In a partial body, a required field is never null.
      const change = readBody(request, patchClientFields, { partial: true }) as ClientChange;
      const updated = await updateClient(context, request.params.id, change, callerOf(request));
      if (!updated.ok) return sendFailure(request, reply, updated.failure);
      return reply.send({ status: 'success', message: 'Client updated.', data: updated.client });
    },
  });

  app.post<ById>('/service/clients/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'rotateClientSecret',
      summary: 'Give a client a new secret',
      description:
        'The present secret goes on working for a while, a day unless overlapSeconds says otherwise, so that the new one can be put in place. At most two work at a time. With overlapSeconds 0 the present secret ends at once, and all tokens issued so far end within seconds on every node.',
      tag: 'Access',
      secured: true,
      parameters: { params: idParameter },
      body: {
        types: ['application/json'],
        schema: RotateSecret,
        examples: {
          atOnce: { summary: 'The old secret and all tokens end at once', value: { overlapSeconds: 0 } },
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
      errors: [
        'ACCESS_CLIENT_NOT_FOUND',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const { overlapSeconds } = request.body == null ? {} : readBody(request, rotateFields);
      const rotated = await rotateClientSecret(
        context,
        request.params.id,
        overlapSeconds ?? secretOverlapDefaultSeconds,
        callerOf(request),
      );
      if (!rotated.ok) return sendFailure(request, reply, rotated.failure);
      return reply.header('cache-control', 'no-store').send({
        status: 'success',
        message: 'Secret rotated. Keep the new one: it is not shown again.',
        data: { ...rotated.client, secret: rotated.secret },
      });
    },
  });
}
