import type { FastifyInstance } from 'fastify';
import type { ErrorName } from '../../../contract/errors.js';
import { DoneReply, SignedInReply, SignIn, signInFields } from '../../../contract/sign-in.js';
import { type SignInContext, type SignInReply, signIn, signOut } from '../../../domain/access/sessions.js';
import type { Database } from '../../../domain/database.js';
import { HashingBusy } from '../../../domain/passwords/password.js';
import type { Metrics, SignInOutcome } from '../../../telemetry/metrics.js';
import { callerOf, senderOf, userActorOf } from '../../authentication.js';
import { bodyErrors, commonErrors, describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { RequestRejected } from '../../request-rejected.js';
import { exampleSerial } from '../users/examples.js';

export interface SignInRouteContext extends SignInContext {
  readonly metrics?: Metrics | undefined;
}

export function signInRoute(app: FastifyInstance, context: SignInRouteContext): void {
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
          user: {
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
        throw new RequestRejected(answer.failure);
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

const outcomes: Partial<Record<ErrorName, SignInOutcome>> = {
  ACCESS_SIGN_IN_DELAYED: 'delayed',
  ACCESS_PASSWORD_EXPIRED: 'expired',
};

/** Counts how an attempt to sign in ended. An outage is none of the attempt's outcomes. */
export async function countedSignIn(
  metrics: Metrics | undefined,
  attempt: () => Promise<SignInReply>,
): Promise<SignInReply> {
  try {
    const reply = await attempt();
    metrics?.signIn(reply.ok ? 'succeeded' : (outcomes[reply.failure.error] ?? 'failed'));
    return reply;
  } catch (error) {
    if (error instanceof HashingBusy) metrics?.signIn('busy');
    throw error;
  }
}

export function signOutRoute(app: FastifyInstance, database: Database): void {
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
      await signOut(database, userActorOf(request), callerOf(request));
      return reply.send({ status: 'success', message: 'Signed out.', data: {} });
    },
  });
}
