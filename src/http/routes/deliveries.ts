import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import {
  DeliveryListReply,
  DeliveryReply,
  ReleaseDeliveries,
  ReleasedReply,
  releaseFields,
} from '../../contract/deliveries.js';
import { deliveryStates } from '../../contract/enums.js';
import { failure } from '../../contract/errors.js';
import type { Database } from '../../domain/database.js';
import { listDeliveries, releaseDeliveries, resendDelivery } from '../../domain/deliveries/deliveries.js';
import type { SecretContext } from '../../domain/secrets/secret-cipher.js';
import { callerOf } from '../authentication.js';
import { listRoute } from '../list-route.js';
import { commonErrors, describeOperation, writeErrors } from '../openapi.js';
import { choiceParameter, textParameter } from '../query.js';
import { readBody } from '../request-body.js';
import { RequestRejected, succeeded } from '../request-rejected.js';
import { exampleSerial } from './users/examples.js';

export const exampleDelivery = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b',
  userSerial: exampleSerial,
  kind: 'initial-password',
  state: 'parked',
  heldReason: null,
  channel: null,
  address: 'ada@example.com',
  attempts: 12,
  createdAt: '2026-11-15T08:30:00.000Z',
  nextAttemptAt: null,
  sentAt: null,
  lastProblem: 'mailRecipientRefused',
  lastProblemCode: '550',
  lastError: 'The mail server refused the recipient (550).',
  requestId: 'nightly-2026-11-15',
};

export function deliveryRoutes(app: FastifyInstance, context: SecretContext): void {
  listDeliveriesRoute(app, context.database);
  resendDeliveryRoute(app, context);
  releaseDeliveriesRoute(app, context.database);
}

function listDeliveriesRoute(app: FastifyInstance, database: Database): void {
  listRoute(app, database, {
    url: '/service/deliveries',
    scope: 'access:admin',
    operationId: 'listDeliveries',
    summary: 'List password messages',
    description: 'Newest first. Never includes a password.',
    tag: 'Deliveries',
    noun: 'Deliveries',
    reply: DeliveryListReply,
    example: exampleDelivery,
    parameters: {
      state: choiceParameter(deliveryStates, undefined),
      userSerial: textParameter('Messages to this user.', exampleSerial),
      requestId: textParameter(
        'Messages caused by the request with this X-Request-Id.',
        'nightly-2026-11-15',
      ),
    },
    page: (database, page, { parameters }) => listDeliveries(database, parameters, page),
  });
}

function resendDeliveryRoute(app: FastifyInstance, context: SecretContext): void {
  app.post<{ Params: { id: string } }>('/service/deliveries/:id/resend', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'resendDelivery',
      summary: 'Resend a message',
      description:
        'Resends a parked, held or lost message immediately, with a fresh number of attempts. The message contains a new password unless a given one is still waiting to be sent.',
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
          data: {
            ...exampleDelivery,
            ...{ state: 'waiting', attempts: 0, lastProblem: null, lastProblemCode: null, lastError: null },
          },
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
      const resent = succeeded(await resendDelivery(context, request.params.id, callerOf(request)));
      return reply.send({ status: 'success', message: 'The message is sent again.', data: resent.delivery });
    },
  });
}

function releaseDeliveriesRoute(app: FastifyInstance, database: Database): void {
  app.post('/service/deliveries/release', {
    config: { scope: 'access:admin', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'releaseDeliveries',
      summary: 'Release held messages',
      description:
        'Releases messages of a bulk create with deliver=hold: those of one call, selected ones, or all. A message held because the address changed is only released by its ID: check the address first.',
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
        description: 'How many were released.',
        schema: ReleasedReply,
        example: { status: 'success', message: 'Deliveries released.', data: { released: 250 } },
      },
      errors: [...writeErrors],
    }),
    handler: async (request, reply) => {
      const { all, requestId, ids } = readBody(request, releaseFields);
      if ([all || null, requestId ?? null, ids ?? null].filter((given) => given !== null).length !== 1) {
        throw new RequestRejected(
          failure(
            'REQUEST_BODY_INVALID',
            'To select the held deliveries, send exactly one of "all": true, "requestId" and "ids".',
          ),
        );
      }
      const released = await releaseDeliveries(
        database,
        { requestId: requestId ?? undefined, ids: ids ?? undefined },
        callerOf(request),
      );
      return reply.send({ status: 'success', message: 'Deliveries released.', data: { released } });
    },
  });
}
