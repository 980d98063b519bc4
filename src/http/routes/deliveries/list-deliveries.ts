import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DeliveryListReply } from '../../../contract/deliveries.js';
import { deliveryStates } from '../../../contract/enums.js';
import type { Context } from '../../../domain/context.js';
import { listDeliveries } from '../../../domain/deliveries/deliveries.js';
import { listRoute, readTexts } from '../../list-route.js';
import { filterText, isFailure, readChoice } from '../../query.js';
import { exampleSerial } from '../users/examples.js';
import { exampleDelivery } from './example-delivery.js';

export function listDeliveriesRoute(app: FastifyInstance, context: Context): void {
  listRoute(app, context, {
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
      state: Type.Optional(Type.String({ enum: [...deliveryStates] })),
      userSerial: filterText('Messages to this user.', exampleSerial),
      requestId: filterText('Messages caused by the request with this X-Request-Id.', 'nightly-2026-11-15'),
    },
    filters: (given) => {
      const state = readChoice(given, 'state', deliveryStates);
      return isFailure(state) ? state : readTexts(given, ['state', 'userSerial', 'requestId']);
    },
    page: (context, filters, page) => listDeliveries(context, filters, page),
  });
}
