import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { DeliveryReply } from '../../../contract/deliveries.js';
import type { Context } from '../../../domain/context.js';
import { resendDelivery } from '../../../domain/deliveries/deliveries.js';
import { callerOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { exampleDelivery } from './example-delivery.js';

export function resendDeliveryRoute(app: FastifyInstance, context: Context): void {
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
}
