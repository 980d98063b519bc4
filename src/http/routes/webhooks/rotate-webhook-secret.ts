import type { FastifyInstance } from 'fastify';
import { rotateFields } from '../../../contract/clients.js';
import { secretOverlapDefaultSeconds } from '../../../contract/limits.js';
import { RotateWebhookSecret, WebhookSecretReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { rotateWebhookSecret } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import {
  exampleWebhook,
  keepSecret,
  okReply,
  type WebhookRequest,
  webhookParams,
} from './webhook-schemas.js';

export function rotateWebhookSecretRoute(app: FastifyInstance, context: Context): void {
  app.post<WebhookRequest>('/service/webhooks/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'rotateWebhookSecret',
      summary: 'Rotate the secret of a webhook',
      description: 'During the overlap, messages are signed with both secrets.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      body: {
        optional: true,
        types: ['application/json'],
        schema: RotateWebhookSecret,
        examples: { day: { summary: 'With a day to switch over', value: { overlapSeconds: 86_400 } } },
      },
      success: okReply(
        'The webhook, with its new secret.',
        WebhookSecretReply,
        `Secret rotated. ${keepSecret}`,
        {
          ...exampleWebhook,
          secret: 'whsec_…',
        },
      ),
      errors: ['WEBHOOK_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { overlapSeconds } = request.body == null ? {} : readBody(request, rotateFields);
      const rotated = await rotateWebhookSecret(
        context,
        request.params.id,
        overlapSeconds ?? secretOverlapDefaultSeconds,
        callerOf(request),
      );
      if (!rotated.ok) return sendFailure(request, reply, rotated.failure);
      const { webhook, secret } = rotated;
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: `Secret rotated. ${keepSecret}`, data: { ...webhook, secret } });
    },
  });
}
