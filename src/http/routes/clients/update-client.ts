import type { FastifyInstance } from 'fastify';
import { ClientReply, PatchClient, patchClientFields } from '../../../contract/clients.js';
import { type ClientChange, updateClient } from '../../../domain/clients/clients.js';
import type { Context } from '../../../domain/context.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { type ClientRequest, clientParams, exampleClient } from './client-schemas.js';

export function updateClientRoute(app: FastifyInstance, context: Context): void {
  app.patch<ClientRequest>('/service/clients/:id', {
    config: { scope: 'access:admin', takes: ['application/merge-patch+json', 'application/json'] },
    schema: describeOperation({
      operationId: 'updateClient',
      summary: 'Update a client',
      description:
        'Renames the client, changes its scopes, disables or enables it. A disabled client gets no tokens, and its existing ones become invalid within seconds on every node. They stay invalid when it is enabled again.',
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
      errors: ['ACCESS_CLIENT_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      // In a partial body, a required field is never null.
      const change = readBody(request, patchClientFields, { partial: true }) as ClientChange;
      const updated = await updateClient(context, request.params.id, change, callerOf(request));
      if (!updated.ok) return sendFailure(request, reply, updated.failure);
      return reply.send({ status: 'success', message: 'Client updated.', data: updated.client });
    },
  });
}
