import type { FastifyInstance } from 'fastify';
import { eventTypes } from '../../../contract/enums.js';
import { webhookBatchDefault } from '../../../contract/limits.js';
import { CreateWebhook, createWebhookFields, WebhookSecretReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { createWebhook } from '../../../domain/webhooks/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { exampleWebhook, keepSecret, okReply } from './webhook-schemas.js';

export function createWebhookRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/webhooks', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events are sent as specified by Standard Webhooks: POST requests that are signed, in order, delivered at least once, and retried for three days. Several waiting events are combined into one message of the type "batch".',
      tag: 'Changes',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateWebhook,
        examples: {
          badges: {
            summary: 'Joiners and leavers',
            value: {
              url: exampleWebhook.url,
              eventTypes: exampleWebhook.eventTypes,
              description: 'Door badges',
            },
          },
        },
      },
      success: {
        ...okReply('The webhook, with its secret.', WebhookSecretReply, `Webhook created. ${keepSecret}`, {
          ...exampleWebhook,
          secret: 'whsec_…',
        }),
        status: 201,
        headers: { Location: 'The path of the new webhook.' },
      },
      errors: ['WEBHOOK_URL_REFUSED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, createWebhookFields);
      const settings = {
        url: given.url as string, // required
        description: given.description ?? null,
        eventTypes: given.eventTypes ?? eventTypes,
        batchMax: given.batchMax ?? webhookBatchDefault,
      };
      const created = await createWebhook(context, settings, callerOf(request));
      if (!created.ok) return sendFailure(request, reply, created.failure);
      const { webhook, secret } = created;
      return reply
        .code(201)
        .header('location', `/service/webhooks/${webhook.id}`)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: `Webhook created. ${keepSecret}`, data: { ...webhook, secret } });
    },
  });
}
