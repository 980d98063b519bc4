import type { FastifyInstance } from 'fastify';
import { ClientReply } from '../../../contract/clients.js';
import { getClient } from '../../../domain/clients/clients.js';
import type { Context } from '../../../domain/context.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { type ClientRequest, clientParams, exampleClient } from './client-schemas.js';

export function getClientRoute(app: FastifyInstance, context: Context): void {
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
      const found = await getClient(context, request.params.id);
      if (!found.ok) return sendFailure(request, reply, found.failure);
      return reply.send({ status: 'success', message: 'Client found.', data: found.client });
    },
  });
}
