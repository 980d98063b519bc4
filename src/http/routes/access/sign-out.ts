import type { FastifyInstance } from 'fastify';
import { DoneReply } from '../../../contract/sign-in.js';
import { signOut } from '../../../domain/access/sessions.js';
import type { Context } from '../../../domain/context.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { commonErrors, describeOperation } from '../../openapi.js';

export function signOutRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/auth/sign-out', {
    config: { scope: 'any', usersOnly: true, duringPasswordChange: true },
    schema: describeOperation({
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Invalidates the token immediately on every node.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 200,
        description: 'Signed out.',
        schema: DoneReply,
        example: { status: 'success', message: 'Signed out.', data: {} },
      },
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      await signOut(context, userActorOf(request), callerOf(request));
      return reply.send({ status: 'success', message: 'Signed out.', data: {} });
    },
  });
}
