import type { FastifyInstance } from 'fastify';
import { CallReply } from '../../../contract/calls.js';
import { getCall } from '../../../domain/calls/get-call.js';
import { cancelOnDisconnect } from '../../../domain/cancel-on-disconnect.js';
import type { Context } from '../../../domain/context.js';
import { clientSignal } from '../../client-signal.js';
import { sendFailure } from '../../error-replies.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { exampleCall } from '../changes/examples.js';
import { callParams } from './call-schemas.js';

export function getCallRoute(app: FastifyInstance, context: Context): void {
  app.get<{ Params: { id: string } }>('/service/calls/:id', {
    config: { scope: 'users:read' },
    schema: describeOperation({
      operationId: 'getCall',
      summary: 'Read a bulk call',
      description: 'X-Call-Id of the reply to a bulk call is its ID.',
      tag: 'Changes',
      secured: true,
      parameters: { params: callParams },
      success: {
        status: 200,
        description: 'The call.',
        schema: CallReply,
        example: { status: 'success', message: 'Call found.', data: exampleCall },
      },
      errors: ['CALL_NOT_FOUND', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const found = await getCall(cancelOnDisconnect(context, clientSignal(reply)), request.params.id);
      if (!found.ok) return sendFailure(request, reply, found.failure);
      return reply.send({ status: 'success', message: 'Call found.', data: found.call });
    },
  });
}
