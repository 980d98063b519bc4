import type { FastifyInstance } from 'fastify';
import { SignedInReply, SignIn, signInFields } from '../../../contract/sign-in.js';
import { signIn } from '../../../domain/access/sessions.js';
import type { Context } from '../../../domain/context.js';
import { senderOf } from '../../authentication.js';
import { sendFailure } from '../../error-replies.js';
import { bodyErrors, describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { countedSignIn } from '../../sign-in-outcome.js';
import { exampleSerial } from '../users/examples.js';

export function signInRoute(app: FastifyInstance, context: Context): void {
  app.post('/service/auth/sign-in', {
    config: { takes: ['application/json'], guesses: 'passwords' },
    schema: describeOperation({
      operationId: 'signIn',
      summary: 'Sign in as a user',
      description:
        'With username (ignoring case) and password. A wrong password, an unknown username and a deactivated user get the same answer. Failures of a username or an address delay the next attempt.',
      tag: 'Sign-in',
      secured: false,
      body: {
        types: ['application/json'],
        schema: SignIn,
        examples: {
          person: {
            summary: 'A user',
            value: { username: 'ada', password: 'correct horse battery staple' },
          },
        },
      },
      success: {
        status: 200,
        description: 'A token for this user.',
        schema: SignedInReply,
        example: {
          status: 'success',
          message: 'Signed in.',
          data: {
            accessToken: 'rcs_…',
            tokenType: 'Bearer',
            expiresIn: 43_200,
            mustChangePassword: false,
            serial: exampleSerial,
            role: 'operator',
            scopes: ['users:read', 'users:write'],
          },
        },
      },
      errors: [
        'ACCESS_SIGN_IN_FAILED',
        'ACCESS_SIGN_IN_DELAYED',
        'ACCESS_PASSWORD_EXPIRED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...openErrors,
      ],
    }),
    handler: async (request, reply) => {
      reply.header('cache-control', 'no-store');
      const { username, password } = readBody(request, signInFields);
      const answer = await countedSignIn(context.metrics, () =>
        signIn(context, { username: username as string, password: password as string }, senderOf(request)),
      );
      if (!answer.ok) {
        return sendFailure(request, reply, answer.failure);
      }
      const { token, expiresInSeconds, mustChangePassword, serial, role, scopes } = answer.signedIn;
      return reply.send({
        status: 'success',
        message: mustChangePassword ? 'Signed in; the initial password has to be changed now.' : 'Signed in.',
        data: {
          accessToken: token,
          tokenType: 'Bearer',
          expiresIn: expiresInSeconds,
          mustChangePassword,
          serial,
          role,
          scopes,
        },
      });
    },
  });
}
