import type { FastifyInstance } from 'fastify';
import { ReplayWebhook, replayFields, WebhookReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { replayWebhook } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { exampleWebhook, okReply, type WebhookRequest, webhookParams } from './webhook-schemas.js';

export function replayWebhookRoute(app: FastifyInstance, context: Context): void {
  app.post<WebhookRequest>('/service/webhooks/:id/replay', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'replayWebhook',
      summary: 'Resend events',
      description: 'Resends everything from a sequence on, in order; later events follow.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      body: {
        types: ['application/json'],
        schema: ReplayWebhook,
        examples: { some: { summary: 'From one event on', value: { fromSequence: 4711 } } },
      },
      success: okReply('The webhook at its new position.', WebhookReply, 'Events are sent again.', {
        ...exampleWebhook,
        deliveredUpTo: 4710,
      }),
      errors: ['WEBHOOK_NOT_FOUND', 'EVENTS_PRUNED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { fromSequence } = readBody(request, replayFields);
      const replayed = await replayWebhook(
        context,
        request.params.id,
        fromSequence as number, // required
        callerOf(request),
      );
      if (!replayed.ok) return sendFailure(request, reply, replayed.failure);
      return reply.send({ status: 'success', message: 'Events are sent again.', data: replayed.webhook });
    },
  });
}
