import type { FastifyInstance } from 'fastify';
import { WebhookTestReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { testWebhook } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { okReply, type WebhookRequest, webhookParams } from './webhook-schemas.js';

const message = 'A test message was sent.';

export function testWebhookRoute(app: FastifyInstance, context: Context): void {
  app.post<WebhookRequest>('/service/webhooks/:id/test', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'testWebhook',
      summary: 'Send a test message to a webhook',
      description:
        'Sends a signed message of the type webhook.test once and reports the response. It is no event: the webhook keeps its position, and receivers should ignore it.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      success: okReply('What the receiver responded.', WebhookTestReply, message, {
        ...{ delivered: true, statusCode: 204, reason: null },
        durationMs: 84,
      }),
      errors: ['WEBHOOK_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const tested = await testWebhook(context, request.params.id, callerOf(request));
      if (!tested.ok) return sendFailure(request, reply, tested.failure);
      return reply.send({ status: 'success', message, data: tested.test });
    },
  });
}
