import type { FastifyInstance } from 'fastify';
import { ClientSecretReply, RotateSecret, rotateFields } from '../../../contract/clients.js';
import { secretOverlapDefaultSeconds } from '../../../contract/limits.js';
import { rotateClientSecret } from '../../../domain/clients/clients.js';
import type { Context } from '../../../domain/context.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { type ClientRequest, clientParams, exampleClient } from './client-schemas.js';

export function rotateClientSecretRoute(app: FastifyInstance, context: Context): void {
  app.post<ClientRequest>('/service/clients/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'] },
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
      errors: ['ACCESS_CLIENT_NOT_FOUND', ...writeErrors],
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
