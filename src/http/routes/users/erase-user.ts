import type { FastifyInstance } from 'fastify';
import { ErasedReply } from '../../../contract/erasure.js';
import type { LimitedDatabase } from '../../../domain/database.js';
import { eraseUser } from '../../../domain/erasure/erase-user.js';
import { callerOf } from '../../authentication.js';
import { commonErrors, describeOperation } from '../../openapi.js';
import { succeeded } from '../../request-rejected.js';
import { exampleSerial } from './examples.js';
import { serialParameter } from './get-user.js';

const message = 'User erased.';

export function eraseUserRoute(app: FastifyInstance, context: LimitedDatabase): void {
  app.delete<{ Params: { serial: string } }>('/service/users/:serial', {
    config: { scope: 'access:admin', isSensitive: true },
    schema: describeOperation({
      operationId: 'eraseUser',
      summary: 'Erase a user',
      description:
        'Removes all personal data of the user, from the change log, messages, sign-ins and stored responses, too. This cannot be undone. The serial remains on record with the times and authors of its changes, but without their values. The employee ID and the username become free. Erasing a user again succeeds. To keep the data and only end the access, deactivate the user instead.',
      tag: 'Users',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 200,
        description: 'The user is erased.',
        schema: ErasedReply,
        example: {
          status: 'success',
          message,
          data: { serial: exampleSerial, erasedAt: '2026-11-15T08:30:00.000Z' },
        },
      },
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'USER_NOT_FOUND',
        'USER_LAST_ADMINISTRATOR',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      const erased = succeeded(await eraseUser(context, request.params.serial, callerOf(request)));
      const { serial, erasedAt } = erased;
      return reply.send({ status: 'success', message, data: { serial, erasedAt } });
    },
  });
}
