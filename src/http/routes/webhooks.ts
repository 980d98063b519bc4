import type { FastifyInstance } from 'fastify';
import { type TSchema, Type } from 'typebox';
import { rotateFields } from '../../contract/clients.js';
import { eventTypes } from '../../contract/enums.js';
import { secretOverlapDefaultSeconds, webhookBatchDefault } from '../../contract/limits.js';
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
  WebhookTestReply,
} from '../../contract/webhooks.js';
import type { ChangeContext } from '../../domain/changes/follower.js';
import type { Database } from '../../domain/database.js';
import type { SecretContext } from '../../domain/secrets/secret-cipher.js';
import {
  type CreateWebhookContext,
  createWebhook,
  deleteWebhook,
  getWebhook,
  listWebhooks,
  replayWebhook,
  rotateWebhookSecret,
  type TestWebhookContext,
  testWebhook,
  type UpdateWebhookContext,
  updateWebhook,
  type WebhookChange,
} from '../../domain/webhooks/webhooks.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';

const exampleWebhook = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5e',
  url: 'https://hooks.example.com/rollcall',
  description: 'Door badges',
  eventTypes: ['user.created', 'user.deactivated'],
  batchMax: webhookBatchDefault,
  isActive: true,
  disabledCause: null,
  disabledBecause: null,
  deliveredUpTo: 4711,
  lastDeliveryAt: '2026-11-15T08:30:01.000Z',
  attempts: 0,
  failingSince: null,
  nextAttemptAt: null,
  lastProblem: null,
  lastStatusCode: null,
  lastError: null,
  createdAt: '2026-11-01T08:30:00.000Z',
  secrets: [{ createdAt: '2026-11-01T08:30:00.000Z', expiresAt: null }],
};

const webhookParams = Type.Object({
  id: Type.String({ description: 'The ID of the webhook.', examples: [exampleWebhook.id] }),
});

const keepSecret = 'Keep the secret: it is not shown again.';

const okReply = (description: string, schema: TSchema, message: string, data: object) => ({
  status: 200,
  description,
  schema,
  example: { status: 'success', message, data },
});

type WebhookRequest = { Params: { id: string } };

interface WebhookRouteContext extends CreateWebhookContext, TestWebhookContext {}

export function webhookRoutes(app: FastifyInstance, context: WebhookRouteContext): void {
  createWebhookRoute(app, context);
  listWebhooksRoute(app, context.database);
  getWebhookRoute(app, context.database);
  updateWebhookRoute(app, context);
  deleteWebhookRoute(app, context.database);
  rotateWebhookSecretRoute(app, context);
  replayWebhookRoute(app, context);
  testWebhookRoute(app, context);
}

function createWebhookRoute(app: FastifyInstance, context: CreateWebhookContext): void {
  app.post('/service/webhooks', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
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
      errors: ['ACCESS_PROOF_REQUIRED', 'WEBHOOK_URL_REFUSED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const given = readBody(request, createWebhookFields);
      const settings = {
        url: given.url as string, // required
        description: given.description ?? null,
        eventTypes: given.eventTypes ?? eventTypes,
        batchMax: given.batchMax ?? webhookBatchDefault,
      };
      const created = succeeded(await createWebhook(context, settings, callerOf(request)));
      const { webhook, secret } = created;
      return reply
        .code(201)
        .header('location', `/service/webhooks/${webhook.id}`)
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: `Webhook created. ${keepSecret}`, data: { ...webhook, secret } });
    },
  });
}

function listWebhooksRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/webhooks',
    scope: 'access:admin',
    operationId: 'listWebhooks',
    summary: 'List webhooks',
    description: 'Sorted by creation, with their delivery state.',
    tag: 'Changes',
    noun: 'Webhooks',
    reply: WebhookListReply,
    example: exampleWebhook,
    page: listWebhooks,
  });
}

function getWebhookRoute(app: FastifyInstance, database: Database): void {
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
      const found = succeeded(await getWebhook(database, request.params.id));
      return reply.send({ status: 'success', message: 'Webhook found.', data: found.webhook });
    },
  });
}

function updateWebhookRoute(app: FastifyInstance, context: UpdateWebhookContext): void {
  app.patch<WebhookRequest>('/service/webhooks/:id', {
    config: {
      scope: 'access:admin',
      takes: ['application/merge-patch+json', 'application/json'],
      isSensitive: true,
    },
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
      errors: ['ACCESS_PROOF_REQUIRED', 'WEBHOOK_NOT_FOUND', 'WEBHOOK_URL_REFUSED', ...writeErrors],
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
      const updated = succeeded(await updateWebhook(context, request.params.id, change, callerOf(request)));
      return reply.send({ status: 'success', message: 'Webhook updated.', data: updated.webhook });
    },
  });
}

function deleteWebhookRoute(app: FastifyInstance, database: Database): void {
  app.delete<WebhookRequest>('/service/webhooks/:id', {
    config: { scope: 'access:admin', isSensitive: true },
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
      errors: ['ACCESS_PROOF_REQUIRED', 'WEBHOOK_NOT_FOUND', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id } = request.params;
      succeeded(await deleteWebhook(database, id, callerOf(request)));
      return reply.send({ status: 'success', message: 'Webhook deleted.', data: { id } });
    },
  });
}

function rotateWebhookSecretRoute(app: FastifyInstance, context: SecretContext): void {
  app.post<WebhookRequest>('/service/webhooks/:id/rotate', {
    config: { scope: 'access:admin', takes: ['application/json'], isSensitive: true },
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
      errors: ['ACCESS_PROOF_REQUIRED', 'WEBHOOK_NOT_FOUND', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { overlapSeconds } = request.body == null ? {} : readBody(request, rotateFields);
      const rotated = succeeded(
        await rotateWebhookSecret(
          context,
          request.params.id,
          overlapSeconds ?? secretOverlapDefaultSeconds,
          callerOf(request),
        ),
      );
      const { webhook, secret } = rotated;
      return reply
        .header('cache-control', 'no-store')
        .send({ status: 'success', message: `Secret rotated. ${keepSecret}`, data: { ...webhook, secret } });
    },
  });
}

function replayWebhookRoute(app: FastifyInstance, context: ChangeContext): void {
  app.post<WebhookRequest>('/service/webhooks/:id/replay', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'replayWebhook',
      summary: 'Resend events',
      description:
        'Resends everything from a sequence or a time on, in order; later events follow. With an empty body, tries at once what waits.',
      tag: 'Changes',
      secured: true,
      parameters: { params: webhookParams },
      body: {
        types: ['application/json'],
        schema: ReplayWebhook,
        examples: {
          some: { summary: 'From one event on', value: { fromSequence: 4711 } },
          since: { summary: 'From a time on', value: { since: '2026-11-15T08:30:00Z' } },
          now: { summary: 'Try at once what waits', value: {} },
        },
      },
      success: okReply('The webhook at its new position.', WebhookReply, 'Events are sent again.', {
        ...exampleWebhook,
        deliveredUpTo: 4710,
      }),
      errors: ['WEBHOOK_NOT_FOUND', 'EVENTS_PRUNED', ...writeErrors],
    }),
    handler: async (request, reply) => {
      const { fromSequence, since } = readBody(request, replayFields);
      const from = { fromSequence: fromSequence ?? undefined, since: since ?? undefined };
      const replayed = succeeded(await replayWebhook(context, request.params.id, from, callerOf(request)));
      return reply.send({ status: 'success', message: 'Events are sent again.', data: replayed.webhook });
    },
  });
}

function testWebhookRoute(app: FastifyInstance, context: TestWebhookContext): void {
  const message = 'A test message was sent.';
  app.post<WebhookRequest>('/service/webhooks/:id/test', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'testWebhook',
      summary: 'Send a test message to a webhook',
      description:
        'Sends a signed message of the type webhook.test once and reports the response. It is no event: the webhook keeps its position, and receivers should ignore it. If it was delivered, what waits is tried at once.',
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
      const tested = succeeded(await testWebhook(context, request.params.id, callerOf(request)));
      return reply.send({ status: 'success', message, data: tested.test });
    },
  });
}
