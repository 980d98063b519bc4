import type { FastifyInstance } from 'fastify';
import { WebhookDeletedReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { deleteWebhook } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { exampleWebhook, okReply, type WebhookRequest, webhookParams } from './webhook-schemas.js';

export function deleteWebhookRoute(app: FastifyInstance, context: Context): void {
  app.delete<WebhookRequest>('/service/webhooks/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      description: 'To stop sending for a while, set isActive to false instead.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      success: okReply('Nothing more is sent to it.', WebhookDeletedReply, 'Webhook deleted.', {
        id: exampleWebhook.id,
      }),
      errors: ['WEBHOOK_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      const deleted = await deleteWebhook(context, id, callerOf(request));
      if (!deleted.ok) return sendFailure(request, reply, deleted.failure);
      return reply.send({ status: 'success', message: 'Webhook deleted.', data: { id } });
    },
  });
}
