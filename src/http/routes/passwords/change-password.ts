import type { FastifyInstance } from 'fastify';
import { ChangePassword, changePasswordFields, DoneReply } from '../../../contract/sign-in.js';
import { changePassword } from '../../../domain/access/change-password.js';
import type { Context } from '../../../domain/context.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { bodyErrors, commonErrors, describeOperation } from '../../openapi.js';
import { readBody } from '../../request-body.js';

export function changePasswordRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/auth/change-password', {
    config: { scope: 'any', usersOnly: true, duringPasswordChange: true, takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all other sessions of the user; this one continues.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: ChangePassword,
        examples: {
          change: {
            summary: 'After the first sign-in',
            value: { currentPassword: 'k3VxPqT7hZ9mRwB2nYd5', newPassword: 'correct horse battery staple' },
          },
        },
      },
      success: {
        status: 200,
        description: 'The new password is in effect.',
        schema: DoneReply,
        example: { status: 'success', message: 'Password changed.', data: {} },
      },
      errors: [
        'ACCESS_PASSWORD_REFUSED',
        'ACCESS_PASSWORD_WRONG',
        'ACCESS_SIGN_IN_DELAYED',
        'ACCESS_USER_REQUIRED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { currentPassword, newPassword } = readBody(request, changePasswordFields);
      const changed = await changePassword(
        context,
        userActorOf(request),
        { currentPassword: currentPassword as string, newPassword: newPassword as string },
        callerOf(request),
      );
      if (changed.ok) return reply.send({ status: 'success', message: 'Password changed.', data: {} });
      return sendFailure(request, reply, changed.failure);
    },
  });
}
