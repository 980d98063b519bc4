import type { FastifyInstance } from 'fastify';
import { ReleaseDeliveries, ReleasedReply, releaseFields } from '../../../contract/deliveries.js';
import { failure } from '../../../contract/errors.js';
import type { Context } from '../../../domain/context.js';
import { releaseDeliveries } from '../../../domain/deliveries/deliveries.js';
import { callerOf } from '../../authentication.js';
import { describeOperation, writeErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';

export function releaseDeliveriesRoute(app: FastifyInstance, context: Context): void {
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
        context,
        { requestId: requestId ?? undefined, ids: ids ?? undefined },
        callerOf(request),
      );
      return reply.send({ status: 'success', message: 'Deliveries released.', data: { released } });
    },
  });
}
