import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ErrorName } from '../../../contract/errors.js';
import { SessionOpenedReply, SignedInReply } from '../../../contract/sign-in.js';
import { endReplacedSession, restrictionOf } from '../../../domain/access/sessions.js';
import type { SignedIn, SignInContext, SignInReply, SignInSender } from '../../../domain/access/sign-in.js';
import { HashingBusy } from '../../../domain/passwords/password.js';
import type { Metrics, SignInOutcome } from '../../../telemetry/metrics.js';
import { senderOf } from '../../authentication.js';
import { deviceOf } from '../../device.js';
import { bodyErrors, describeOperation, openErrors } from '../../openapi.js';
import { succeeded } from '../../request-rejected.js';
import { checkOwnOrigin, sessionCookieOf } from '../../session-cookie.js';
import { exampleSerial } from '../users/examples.js';
import { handOver } from './session-token.js';

export interface SignInRouteContext extends SignInContext {
  readonly metrics?: Metrics | undefined;
}

interface Operation {
  readonly url: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
}

/** A way to sign in: for programs, which get a token, and for the console, which keeps no token that a script could read. */
export interface WayToSignIn {
  readonly forPrograms: Operation;
  readonly forConsole: Operation;
  readonly body: NonNullable<Parameters<typeof describeOperation>[0]['body']>;
  readonly errors: readonly ErrorName[];
  /** With what is in the body. */
  attempt(request: FastifyRequest, sender: SignInSender): Promise<SignInReply>;
}

const token = { accessToken: 'rcs_…', tokenType: 'Bearer' };
const exampleSession = {
  expiresIn: 43_200,
  sessionId: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  method: 'password',
  mustChangePassword: false,
  secondFactor: 'none',
  serial: exampleSerial,
  role: 'operator',
  scopes: ['users:read', 'users:write'],
};
const config = { takes: ['application/json'], guesses: 'passwords' } as const;
const errors = ['ACCESS_SIGN_IN_DELAYED', 'REQUEST_BODY_INVALID', ...bodyErrors, ...openErrors] as const;

export function openSessionRoutes(
  app: FastifyInstance,
  context: SignInRouteContext,
  givenUrl: string | undefined,
  way: WayToSignIn,
): void {
  forPrograms(app, context, way);
  forConsole(app, context, givenUrl, way);
}

function forPrograms(app: FastifyInstance, { metrics }: SignInRouteContext, way: WayToSignIn): void {
  const { url, ...operation } = way.forPrograms;
  app.post(url, {
    config,
    schema: describeOperation({
      ...operation,
      tag: 'Sign-in',
      secured: false,
      body: way.body,
      success: {
        status: 200,
        description: 'A token for this user.',
        schema: SignedInReply,
        example: { status: 'success', message: 'Signed in.', data: { ...token, ...exampleSession } },
      },
      errors: [...way.errors, ...errors],
    }),
    handler: async (request, reply) => {
      const signedIn = await signedInBy(way, request, metrics);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, false)));
    },
  });
}

/** The session that the cookie held before ends. */
function forConsole(
  app: FastifyInstance,
  { database, metrics }: SignInRouteContext,
  givenUrl: string | undefined,
  way: WayToSignIn,
): void {
  const { url, ...operation } = way.forConsole;
  app.post(url, {
    config,
    schema: describeOperation({
      ...operation,
      tag: 'Sign-in',
      secured: false,
      body: way.body,
      success: {
        status: 200,
        description: 'The session. Its token is in the cookie.',
        schema: SessionOpenedReply,
        example: { status: 'success', message: 'Signed in.', data: exampleSession },
        headers: { 'Set-Cookie': 'The session.' },
      },
      errors: ['ACCESS_ORIGIN_REFUSED', ...way.errors, ...errors],
    }),
    handler: async (request, reply) => {
      checkOwnOrigin(request, givenUrl);
      const signedIn = await signedInBy(way, request, metrics);
      const replaced = sessionCookieOf(request);
      if (replaced !== undefined) await endReplacedSession(database, replaced);
      return reply.send(signedInBody(signedIn, handOver(request, reply, signedIn, true)));
    },
  });
}

async function signedInBy(
  way: WayToSignIn,
  request: FastifyRequest,
  metrics: Metrics | undefined,
): Promise<SignedIn> {
  const sender = { ...senderOf(request), device: deviceOf(request) };
  return succeeded(await countedSignIn(metrics, () => way.attempt(request, sender))).signedIn;
}

function signedInBody(signedIn: SignedIn, token: object) {
  const { sessionId, method, mustChangePassword, secondFactor, serial, role, scopes } = signedIn;
  return {
    status: 'success',
    message: messageOf(signedIn),
    data: { ...token, sessionId, method, mustChangePassword, secondFactor, serial, role, scopes },
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
