import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { rotateFields } from '../../../contract/clients.js';
import { secretOverlapDefaultSeconds, webhookBatchDefault } from '../../../contract/limits.js';
import {
  CreateWebhook,
  createWebhookFields,
  PatchWebhook,
  patchWebhookFields,
  ReplayWebhook,
  RotateWebhookSecret,
  replayFields,
  WebhookDeletedReply,
  WebhookListReply,
  WebhookReply,
  WebhookSecretReply,
} from '../../../contract/webhooks.js';
import { eventTypes } from '../../../contract/words.js';
import type { Context } from '../../../domain/context.js';
import {
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  updateWebhook,
  type WebhookChange,
} from '../../../domain/events/webhooks.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { listRoute } from '../../list-route.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';

const exampleWebhook = {
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

const params = Type.Object({
  id: Type.String({ description: 'The ID of the webhook.', examples: [exampleWebhook.id] }),
});

type ById = { Params: { id: string } };

const writeErrors = [
  'REQUEST_BODY_INVALID',
  ...bodyErrors,
  ...commonErrors,
  'SERVICE_OUTCOME_UNKNOWN',
] as const;
const keepIt = 'Keep the secret: it is not shown again.';

const reply = (description: string, schema: TSchema, message: string, data: object) => ({
  status: 200,
  description,
  schema,
  example: { status: 'success', message, data },
});

/** Webhooks that follow the Standard Webhooks specification. */
export function webhookRoutes(app: FastifyInstance, context: Context): void {
  app.post('/service/webhooks', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'createWebhook',
      summary: 'Create a webhook',
      description:
        'Events are sent as Standard Webhooks describes: POST, signed, in order, at least once, and tried again for three days. When several wait, one message of the type "batch" brings them.',
      tag: 'Changes',
      secured: true,
      body: {
        types: ['application/json'],
        schema: CreateWebhook,
        examples: {
          badges: {
            summary: 'Who comes and goes',
            value: {
              url: exampleWebhook.url,
              eventTypes: exampleWebhook.eventTypes,
              description: 'Door badges',
            },
          },
        },
      },
      success: {
        ...reply('The webhook, with its secret.', WebhookSecretReply, `Webhook created. ${keepIt}`, {
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
        .send({ status: 'success', message: `Webhook created. ${keepIt}`, data: { ...webhook, secret } });
    },
  });

  listRoute(app, context, {
    url: '/service/webhooks',
    scope: 'access:admin',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'In the order of their creation, with the state of their delivery.',
    tag: 'Changes',
    noun: 'Webhooks',
    reply: WebhookListReply,
    example: exampleWebhook,
    filters: () => ({}),
    page: (context, _filters, page) => listWebhooks(context, page),
  });

  app.get<ById>('/service/webhooks/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getWebhook',
      summary: 'Read a webhook',
      tag: 'Changes',
      secured: true,
      parameters: { params },
      success: reply('The webhook.', WebhookReply, 'Webhook found.', exampleWebhook),
      errors: ['WEBHOOK_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = await getWebhook(context, request.params.id);
      if (!found.ok) return sendFailure(request, reply, found.failure);
      return reply.send({ status: 'success', message: 'Webhook found.', data: found.webhook });
    },
  });

  app.patch<ById>('/service/webhooks/:id', {
    config: { scope: 'access:admin', takes: ['application/merge-patch+json', 'application/json'] },
    schema: describeOperation({
      operationId: 'updateWebhook',
      summary: 'Change a webhook',
      description:
        'isActive true also takes up again one that the service disabled; it goes on where it stopped.',
      tag: 'Changes',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/merge-patch+json', 'application/json'],
        schema: PatchWebhook,
        examples: { resume: { summary: 'Take it up again', value: { isActive: true } } },
      },
      success: reply('The webhook as it is now.', WebhookReply, 'Webhook updated.', exampleWebhook),
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

  app.delete<ById>('/service/webhooks/:id', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'deleteWebhook',
      summary: 'Delete a webhook',
      tag: 'Changes',
      secured: true,
      parameters: { params },
      success: reply('It is sent nothing more.', WebhookDeletedReply, 'Webhook deleted.', {
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

  app.post<ById>('/service/webhooks/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'rotateWebhookSecret',
      summary: 'Give a webhook a new secret',
      description: 'For the overlap, messages carry a signature of each secret.',
      tag: 'Changes',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json'],
        schema: RotateWebhookSecret,
        examples: { day: { summary: 'With a day to change over', value: { overlapSeconds: 86_400 } } },
      },
      success: reply('The webhook, with its new secret.', WebhookSecretReply, `Secret rotated. ${keepIt}`, {
        ...exampleWebhook,
        secret: 'whsec_…',
      }),
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
        .send({ status: 'success', message: `Secret rotated. ${keepIt}`, data: { ...webhook, secret } });
    },
  });

  app.post<ById>('/service/webhooks/:id/replay', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'replayWebhook',
      summary: 'Send events again',
      description: 'Everything from a sequence on, in order; what follows comes after it.',
      tag: 'Changes',
      secured: true,
      parameters: { params },
      body: {
        types: ['application/json'],
        schema: ReplayWebhook,
        examples: { some: { summary: 'From one event on', value: { fromSequence: 4711 } } },
      },
      success: reply('The webhook, at its new place.', WebhookReply, 'Events are sent again.', {
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
