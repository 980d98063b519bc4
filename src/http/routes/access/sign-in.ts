import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorName } from '../../../contract/errors.js';
import { SessionOpenedReply, SignedInReply, SignIn, signInFields } from '../../../contract/sign-in.js';
import { endReplacedSession, restrictionOf } from '../../../domain/access/sessions.js';
import {
  type SignedIn,
  type SignInContext,
  type SignInReply,
  signIn,
} from '../../../domain/access/sign-in.js';
import { HashingBusy } from '../../../domain/passwords/password.js';
import type { Metrics, SignInOutcome } from '../../../telemetry/metrics.js';
import { senderOf } from '../../authentication.js';
import { deviceOf } from '../../device.js';
import { bodyErrors, describeOperation, openErrors } from '../../openapi.js';
import { readBody } from '../../request-body.js';
import { succeeded } from '../../request-rejected.js';
import { checkOwnOrigin, sessionCookieOf } from '../../session-cookie.js';
import { exampleSerial } from '../users/examples.js';
import { handOver } from './session-token.js';

export interface SignInRouteContext extends SignInContext {
  readonly metrics?: Metrics | undefined;
}

const body = {
  types: ['application/json'],
  schema: SignIn,
  examples: {
    user: { summary: 'A user', value: { username: 'ada', password: 'correct horse battery staple' } },
  },
};
const token = { accessToken: 'rcs_…', tokenType: 'Bearer' };
export const exampleSession = {
  expiresIn: 43_200,
  sessionId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  mustChangePassword: false,
  secondFactor: 'none',
  serial: exampleSerial,
  role: 'operator',
  scopes: ['users:read', 'users:write'],
};
const errors: readonly ErrorName[] = [
  'ACCESS_SIGN_IN_FAILED',
  'ACCESS_SIGN_IN_DELAYED',
  'ACCESS_PASSWORD_EXPIRED',
  'REQUEST_BODY_INVALID',
  ...bodyErrors,
  ...openErrors,
];
const config = { takes: ['application/json'], guesses: 'passwords' } as const;

export function signInRoute(app: FastifyInstance, context: SignInRouteContext): void {
  app.post('/service/auth/sign-in', {
    config,
    schema: describeOperation({
      operationId: 'signIn',
      summary: 'Sign in as a user',
      description:
        'With username (ignoring case) and password. If secondFactor is required or enrol, the session can be used once a second factor was given or added. A wrong password, an unknown username and a deactivated user get the same answer. Failures of a username or an address delay the next attempt.',
      tag: 'Sign-in',
      secured: false,
      body,
      success: {
        status: 200,
        description: 'A token for this user.',
        schema: SignedInReply,
        example: { status: 'success', message: 'Signed in.', data: { ...token, ...exampleSession } },
      },
      errors,
    }),
    handler: async (request, reply) => {
      const signedIn = await signInWithBody(request, context);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, false)));
    },
  });
}

/** The same for the console, which keeps no token that a script could read. */
export function openSessionRoute(
  app: FastifyInstance,
  context: SignInRouteContext,
  givenUrl: string | undefined,
): void {
  app.post('/service/auth/open-session', {
    config,
    schema: describeOperation({
      operationId: 'openSession',
      summary: 'Sign in to the console',
      description:
        'As signIn, but the token is in a cookie that only the console can use: scripts cannot read it, and it changes something only in requests of its own pages. The session that the cookie held before ends.',
      tag: 'Sign-in',
      secured: false,
      body,
      success: {
        status: 200,
        description: 'The session. Its token is in the cookie.',
        schema: SessionOpenedReply,
        example: { status: 'success', message: 'Signed in.', data: exampleSession },
        headers: { 'Set-Cookie': 'The session.' },
      },
      errors: ['ACCESS_ORIGIN_REFUSED', ...errors],
    }),
    handler: async (request, reply) => {
      checkOwnOrigin(request, givenUrl);
      const signedIn = await signInWithBody(request, context);
      const replaced = sessionCookieOf(request);
      if (replaced !== undefined) await endReplacedSession(context.database, replaced);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, true)));
    },
  });
}

async function signInWithBody(request: FastifyRequest, context: SignInRouteContext): Promise<SignedIn> {
  const { username, password } = readBody(request, signInFields);
  const sender = { ...senderOf(request), device: deviceOf(request) };
  const attempt = () =>
    signIn(context, { username: username as string, password: password as string }, sender);
  return succeeded(await countedSignIn(context.metrics, attempt)).signedIn;
}

export function signedInBody(signedIn: SignedIn, token: object) {
  const { sessionId, mustChangePassword, secondFactor, serial, role, scopes } = signedIn;
  return {
    status: 'success',
    message: messageOf(signedIn),
    data: { ...token, sessionId, mustChangePassword, secondFactor, serial, role, scopes },
  };
}

function messageOf(signedIn: SignedIn): string {
  switch (restrictionOf(signedIn)) {
    case 'factor':
      return 'The password is correct; a second factor has to be given now.';
    case 'password':
      return 'Signed in; the initial password has to be changed now.';
    case 'enrolment':
      return 'Signed in; a second factor has to be added now.';
    default:
      return 'Signed in.';
  }
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
