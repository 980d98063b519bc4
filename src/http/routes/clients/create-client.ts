import type { FastifyInstance } from 'fastify';
import { ClientSecretReply, CreateClient, createClientFields } from '../../../contract/clients.js';
import type { Scope } from '../../../contract/scopes.js';
import { createClient } from '../../../domain/clients/clients.js';
import type { Context } from '../../../domain/context.js';
import { callerOf } from '../../authentication.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { exampleClient } from './client-schemas.js';

export function createClientRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/clients', {
    config: { scope: 'access:admin', takes: ['application/json'] },
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
      errors: [...writeErrors],
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
}
