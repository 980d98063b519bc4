import type { FastifyInstance } from 'fastify';
import { WebhookListReply } from '../../../contract/webhooks.js';
import type { Context } from '../../../domain/context.js';
import { listWebhooks } from '../../../domain/webhooks/webhooks.js';
import { listRoute } from '../../list-route.js';
import { exampleWebhook } from './webhook-schemas.js';

export function listWebhooksRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
    url: '/service/webhooks',
    scope: 'access:admin',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Sorted by creation, with their delivery state.',
    tag: 'Changes',
    noun: 'Webhooks',
    reply: WebhookListReply,
    example: exampleWebhook,
    filters: () => ({}),
    page: (context, _filters, page) => listWebhooks(context, page),
  });
}
