import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  DeliveryListReply,
  DeliveryReply,
  ReleaseDeliveries,
  ReleasedReply,
  releaseFields,
} from '../../../contract/deliveries.js';
import { deliveryStates } from '../../../contract/words.js';
import type { Context } from '../../../domain/context.js';
import { listDeliveries, releaseDeliveries, resendDelivery } from '../../../domain/passwords/deliveries.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { listRoute, readTexts } from '../../list-route.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { filterText, isFailure, readChoice } from '../../query.js';
import { Refused } from '../../refused.js';
import { readBody } from '../../request-body.js';
import { exampleSerial } from '../users/examples.js';

const exampleDelivery = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b',
  userSerial: exampleSerial,
  kind: 'initial-password',
  state: 'parked',
  heldReason: null,
  channel: null,
  attempts: 12,
  createdAt: '2026-11-15T08:30:00.000Z',
  nextAttemptAt: null,
  sentAt: null,
  lastError: 'The mail server refused the recipient (550).',
  requestId: 'nightly-2026-11-15',
};

/** Password messages and their delivery state. */
export function deliveryRoutes(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
    url: '/service/deliveries',
    scope: 'access:admin',
    operationId: 'listDeliveries',
    summary: 'List messages with passwords',
    description: 'The newest first. Never shows a password.',
    tag: 'Deliveries',
    noun: 'Deliveries',
    reply: DeliveryListReply,
    example: exampleDelivery,
    parameters: {
      state: Type.Optional(Type.String({ enum: [...deliveryStates] })),
      userSerial: filterText('Messages to this user.', exampleSerial),
      requestId: filterText('Messages that the request of this X-Request-Id caused.', 'nightly-2026-11-15'),
    },
    filters: (given) => {
      const state = readChoice(given, 'state', deliveryStates);
      return isFailure(state) ? state : readTexts(given, ['state', 'userSerial', 'requestId']);
    },
    page: (context, filters, page) => listDeliveries(context, filters, page),
  });

  app.post<{ Params: { id: string } }>('/service/deliveries/:id/resend', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'resendDelivery',
      summary: 'Send a message again',
      description:
        'At once and with all its attempts before it: a parked one, a held one, or one that was sent and lost. Unless a given password still waits in it, the message brings a new password.',
      tag: 'Deliveries',
      secured: true,
      parameters: {
        params: Type.Object({
          id: Type.String({ description: 'The ID of the delivery.', examples: [exampleDelivery.id] }),
        }),
      },
      success: {
        status: 200,
        description: 'The delivery, which is waiting to be sent.',
        schema: DeliveryReply,
        example: {
          status: 'success',
          message: 'The message is sent again.',
          data: { ...exampleDelivery, state: 'waiting', attempts: 0, lastError: null },
        },
      },
      errors: [
        'ACCESS_DELIVERY_NOT_FOUND',
        'ACCESS_DELIVERY_SUPERSEDED',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const resent = await resendDelivery(context, request.params.id, callerOf(request));
      if (!resent.ok) return sendFailure(request, reply, resent.failure);
      return reply.send({ status: 'success', message: 'The message is sent again.', data: resent.delivery });
    },
  });

  app.post('/service/deliveries/release', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'releaseDeliveries',
      summary: 'Let held messages go',
      description:
        'Messages of a bulk create with deliver=hold: of one call, some, or all. One that is held because the address changed is released by its ID only: check the address first.',
      tag: 'Deliveries',
      secured: true,
      body: {
        types: ['application/json'],
        schema: ReleaseDeliveries,
        examples: {
          call: { summary: 'Those of one call', value: { requestId: 'nightly-2026-11-15' } },
          all: { summary: 'All of them', value: { all: true } },
        },
      },
      success: {
        status: 200,
        description: 'How many were let go.',
        schema: ReleasedReply,
        example: { status: 'success', message: 'Deliveries released.', data: { released: 250 } },
      },
      errors: ['REQUEST_BODY_INVALID', ...bodyErrors, ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { all, requestId, ids } = readBody(request, releaseFields);
      if ([all || null, requestId ?? null, ids ?? null].filter((given) => given !== null).length !== 1) {
        throw new Refused(
          'REQUEST_BODY_INVALID',
          'Say which held deliveries: exactly one of "all": true, "requestId" and "ids".',
        );
      }
      const released = await releaseDeliveries(
        context,
        { requestId: requestId ?? undefined, ids: ids ?? undefined },
        callerOf(request),
      );
      return reply.send({ status: 'success', message: 'Deliveries released.', data: { released } });
    },
  });
}
