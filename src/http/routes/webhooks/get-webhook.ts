import type { FastifyInstance } from 'fastify';
import { WebhookReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { getWebhook } from '../../../domain/webhooks/webhooks.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { exampleWebhook, okReply, type WebhookRequest, webhookParams } from './webhook-schemas.js';

export function getWebhookRoute(app: FastifyInstance, context: Context): void {
  app.get<WebhookRequest>('/service/webhooks/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      description: 'Includes how far its events were delivered, and why the last attempt failed.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      success: okReply('The webhook.', WebhookReply, 'Webhook found.', exampleWebhook),
      errors: ['WEBHOOK_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = await getWebhook(context, request.params.id);
      if (!found.ok) return sendFailure(request, reply, found.failure);
      return reply.send({ status: 'success', message: 'Webhook found.', data: found.webhook });
    },
  });
}
