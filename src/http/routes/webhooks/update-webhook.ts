import type { FastifyInstance } from 'fastify';
import { eventTypes } from '../../../contract/enums.js';
import { webhookBatchDefault } from '../../../contract/limits.js';
import { PatchWebhook, patchWebhookFields, WebhookReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { updateWebhook, type WebhookChange } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { exampleWebhook, okReply, type WebhookRequest, webhookParams } from './webhook-schemas.js';

export function updateWebhookRoute(app: FastifyInstance, context: Context): void {
  app.patch<WebhookRequest>('/service/webhooks/:id', {
    config: { scope: 'access:admin', takes: ['application/merge-patch+json', 'application/json'] },
    schema: describeOperation({
      operationId: 'updateWebhook',
      summary: 'Update a webhook',
      description:
        'isActive true also re-enables a webhook that the service disabled; it continues where it stopped.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchWebhook,
        examples: { resume: { summary: 'Re-enable a webhook', value: { isActive: true } } },
      },
      success: okReply('The updated webhook.', WebhookReply, 'Webhook updated.', exampleWebhook),
      errors: ['WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_REFUSED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, patchWebhookFields, { partial: true });
      const defaults = { eventTypes, batchMax: webhookBatchDefault, description: null };
      const change = Object.fromEntries(
        Object.entries(given).map(([name, value]) => [
          name,
          value ?? defaults[name as keyof typeof defaults],
        ]),
      ) as WebhookChange;
      const updated = await updateWebhook(context, request.params.id, change, callerOf(request));
      if (!updated.ok) return sendFailure(request, reply, updated.failure);
      return reply.send({ status: 'success', message: 'Webhook updated.', data: updated.webhook });
    },
  });
}
