import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  WebhookDeliveryListReply,
  WebhookDeliveryReply,
  WebhookResentReply,
} from '../../contract/webhooks.js';
import type { Database } from '../../domain/database.js';
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  resendWebhookDelivery,
} from '../../domain/webhooks/webhook-deliveries.js';
import type { TestWebhookContext } from '../../domain/webhooks/webhooks.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation } from '../openapi.js';
import { flagParameter } from '../query.js';
import { succeeded } from '../request-rejected.js';
import { exampleSerial } from './users/examples.js';

const exampleWebhookId = '0198c0de-7a11-7000-8000-5f1e2d3c4b5e';

const exampleDelivery = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  at: '2026-11-15T08:30:01.000Z',
  sequences: [4711],
  eventType: 'user.created',
  users: 1,
  user: { serial: exampleSerial, employeeID: 'E1001', fields: ['email', 'employeeID', 'name'] },
  attempt: 1,
  isDelivered: false,
  statusCode: 500,
  durationMs: 84,
  problem: 'responded',
  reason: 'The receiver responded with 500.',
  response: '{"error":"unknown door"}',
};

const webhookId = Type.String({ description: 'The ID of the webhook.', examples: [exampleWebhookId] });
const deliveryParams = Type.Object({
  id: webhookId,
  deliveryId: Type.String({ description: 'The ID of the delivery.', examples: [exampleDelivery.id] }),
});

type DeliveryRequest = { Params: { id: string; deliveryId: string } };

/** What was sent to a webhook, and what its receiver responded. */
export function webhookDeliveryRoutes(app: FastifyInstance, context: TestWebhookContext): void {
  listWebhookDeliveriesRoute(app, context.database);
  getWebhookDeliveryRoute(app, context.database);
  resendWebhookDeliveryRoute(app, context);
}

function listWebhookDeliveriesRoute(app: FastifyInstance, database: Database): void {
  const parameters = { isDelivered: flagParameter('Only those that succeeded, or that failed.', undefined) };
  listRoute<{ id: string }, typeof parameters>(app, database, {
    url: '/service/webhooks/:id/deliveries',
    scope: 'access:admin',
    operationId: 'listWebhookDeliveries',
    summary: 'List the deliveries of a webhook',
    description: 'Newest first: the last 100 attempts to send messages, for seven days.',
    tag: 'Changes',
    noun: 'Deliveries',
    reply: WebhookDeliveryListReply,
    example: exampleDelivery,
    params: Type.Object({ id: webhookId }),
    parameters,
    errors: ['WEBHOOK_NOT_FOUND'],
    page: (database, page, { params, parameters }) =>
      listWebhookDeliveries(database, params.id, parameters, page),
  });
}

function getWebhookDeliveryRoute(app: FastifyInstance, database: Database): void {
  app.get<DeliveryRequest>('/service/webhooks/:id/deliveries/:deliveryId', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'getWebhookDelivery',
      summary: 'Read a delivery of a webhook',
      description: 'Includes what was sent.',
      tag: 'Changes',
      secured: true,
      parameters: { params: deliveryParams },
      success: {
        status: 200,
        description: 'The delivery.',
        schema: WebhookDeliveryReply,
        example: {
          status: 'success',
          message: 'Delivery found.',
          data: { ...exampleDelivery, payload: '{"type":"user.created",…}' },
        },
      },
      errors: ['WEBHOOK_NOT_FOUND', 'ACCESS_DELIVERY_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { id, deliveryId } = request.params;
      const found = succeeded(await getWebhookDelivery(database, id, deliveryId));
      return reply.send({ status: 'success', message: 'Delivery found.', data: found.delivery });
    },
  });
}

function resendWebhookDeliveryRoute(app: FastifyInstance, context: TestWebhookContext): void {
  const message = 'The message was sent again.';
  app.post<DeliveryRequest>('/service/webhooks/:id/deliveries/:deliveryId/resend', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'resendWebhookDelivery',
      summary: 'Send a message to a webhook again',
      description:
        'Sends the same message once, with the same ID, and reports the response. The webhook keeps its position. If it was delivered, what waits is tried at once.',
      tag: 'Changes',
      secured: true,
      parameters: { params: deliveryParams },
      success: {
        status: 200,
        description: 'The new attempt.',
        schema: WebhookResentReply,
        example: {
          status: 'success',
          message,
          data: {
            ...exampleDelivery,
            ...{
              attempt: 2,
              isDelivered: true,
              statusCode: 204,
              problem: null,
              reason: null,
              response: null,
            },
          },
        },
      },
      errors: ['WEBHOOK_NOT_FOUND', 'ACCESS_DELIVERY_NOT_FOUND', 'EVENTS_PRUNED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const { id, deliveryId } = request.params;
      const sent = succeeded(await resendWebhookDelivery(context, id, deliveryId, callerOf(request)));
      return reply.send({ status: 'success', message, data: sent.delivery });
    },
  });
}
