import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { success } from '../../contract/shapes.js';
import { ChangePassword, changePasswordFields, RenewedReply } from '../../contract/sign-in.js';
import { type ChangePasswordContext, changePassword } from '../../domain/access/change-password.js';
import { resetPassword } from '../../domain/access/reset-password.js';
import type { Database } from '../../domain/database.js';
import { callerOf, userActorOf } from '../authentication.js';
import { bodyErrors, commonErrors, describeOperation } from '../openapi.js';
import { readBody } from '../request-body.js';
import { succeeded } from '../request-rejected.js';
import { handOver } from './access/session-token.js';
import { serialParameter } from './users/get-user.js';

const ResetReply = success(
  'PasswordReset',
  Type.Object({ deliveryId: Type.String({ description: 'For GET /service/deliveries.' }) }),
);

export function resetPasswordRoute(app: FastifyInstance, database: Database): void {
  app.post<{ Params: { serial: string } }>('/service/users/:serial/reset-password', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'resetPassword',
      summary: 'Send a user a new password',
      description:
        'The old password and all sessions of the user end immediately. The new password is generated when its message is sent, and has to be changed at the first sign-in.',
      tag: 'Sign-in',
      secured: true,
      parameters: { params: serialParameter },
      success: {
        status: 202,
        description: 'The message will be sent.',
        schema: ResetReply,
        example: {
          status: 'success',
          message: 'A new password is on its way.',
          data: { deliveryId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5b' },
        },
      },
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const reset = succeeded(await resetPassword(database, request.params.serial, callerOf(request)));
      const { deliveryId } = reset;
      return reply
        .code(202)
        .send({ status: 'success', message: 'A new password is on its way.', data: { deliveryId } });
    },
  });
}

export function changePasswordRoute(app: FastifyInstance, context: ChangePasswordContext): void {
  app.post('/service/auth/change-password', {
    config: { scope: 'any', usersOnly: true, mayLack: 'password', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'changePassword',
      summary: 'Change the password',
      description: 'Ends all other sessions of the user. This one continues with another token.',
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
        schema: RenewedReply,
        example: {
          status: 'success',
          message: 'Password changed.',
          data: { accessToken: 'rcs_…', tokenType: 'Bearer', expiresIn: 41_000 },
        },
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
      const data = handOver(request, reply, succeeded(changed).session);
      return reply.send({ status: 'success', message: 'Password changed.', data });
    },
  });
}
