import { type TSchema, Type } from 'typebox';
import { webhookBatchDefault } from '../../../contract/limits.js';

export const exampleWebhook = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
  url: 'https://hooks.example.com/rollcall',
  description: 'Door badges',
  eventTypes: ['user.created', 'user.deactivated'],
  batchMax: webhookBatchDefault,
  isActive: true,
  disabledBecause: null,
  deliveredUpTo: 4711,
  lastDeliveryAt: '2026-11-15T08:30:01.000Z',
  attempts: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastError: null,
  createdAt: '2026-11-01T08:30:00.000Z',
  secrets: [{ createdAt: '2026-11-01T08:30:00.000Z', expiresAt: null }],
};

export const webhookParams = Type.Object({
  id: Type.String({ description: 'The ID of the webhook.', examples: [exampleWebhook.id] }),
});

export type WebhookRequest = { Params: { id: string } };

export const keepSecret = 'Keep the secret: it is not shown again.';

export const okReply = (description: string, schema: TSchema, message: string, data: object) => ({
  status: 200,
  description,
  schema,
  example: { status: 'success', message, data },
});
