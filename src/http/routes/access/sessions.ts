import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { failure } from '../../../contract/errors.js';
import {
  DoneReply,
  Prove,
  proveFields,
  RenewedReply,
  SessionListReply,
  SessionsEndedReply,
  SignedOutReply,
} from '../../../contract/sign-in.js';
import { type ProveContext, proveIdentity, proveWithPasskey } from '../../../domain/access/prove-identity.js';
import {
  endSession,
  endSessions,
  endSessionsOfUser,
  listSessions,
  type SessionContext,
  signOut,
} from '../../../domain/access/sessions.js';
import type { Actor } from '../../../domain/caller.js';
import type { PageRequest } from '../../../domain/cursor.js';
import type { IdentityProvider } from '../../../domain/sso/identity-provider.js';
import { callerOf, userActorOf } from '../../authentication.js';
import { listRoute } from '../../list-route.js';
import { bodyErrors, commonErrors, describeOperation, type OperationDoc } from '../../openapi.js';
import {
  flagParameter,
  invalidParameter,
  type Query,
  querySchema,
  readParameters,
  textParameter,
} from '../../query.js';
import { readBody } from '../../request-body.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { forgetSessionCookie } from '../../session-cookie.js';
import { exampleSerial } from '../users/examples.js';
import { serialParameter } from '../users/get-user.js';
import { passkeySiteOf } from './passkey-site.js';
import { handOver } from './session-token.js';

export interface SessionRouteContext extends SessionContext, ProveContext {}

export interface SessionRouteOptions {
  /** Signs users out, too. */
  readonly provider: IdentityProvider | undefined;
  /** The configured public URL, if any. */
  readonly publicUrl: string | undefined;
}

const exampleSession = {
  id: '0198c0de-7a11-7000-8000-5f1e2d3c4b5f',
  userSerial: exampleSerial,
  createdAt: '2026-11-15T08:30:00.000Z',
  lastSeenAt: '2026-11-15T09:12:00.000Z',
  expiresAt: '2026-11-15T20:30:00.000Z',
  method: 'password',
  address: '192.0.2.7',
  device: 'Firefox on Windows',
  isCurrent: true,
};
const renewed = {
  status: 'success',
  message: 'Proven.',
  data: { expiresIn: 41_000, accessToken: 'rcs_…', tokenType: 'Bearer' },
};
const idParams = Type.Object({
  id: Type.String({ description: 'The ID of the session.', examples: [exampleSession.id] }),
});

export function sessionRoutes(
  app: FastifyInstance,
  context: SessionRouteContext,
  { provider, publicUrl }: SessionRouteOptions,
): void {
  signOutRoute(app, context, provider);
  proveRoute(app, context, publicUrl);
  listOwnSessionsRoute(app, context);
  endOwnSessionRoute(app, context);
  endOtherSessionsRoute(app, context);
  listSessionsRoute(app, context);
  endSessionRoute(app, context);
  endSessionsOfUserRoute(app, context);
  endAllSessionsRoute(app, context);
}

function signOutRoute(
  app: FastifyInstance,
  { database }: SessionRouteContext,
  provider: IdentityProvider | undefined,
): void {
  app.post('/service/auth/sign-out', {
    config: { scope: 'any', usersOnly: true, mayLack: 'factor' },
    schema: describeOperation({
      operationId: 'signOut',
      summary: 'Sign out',
      description: 'Invalidates the token immediately on every node.',
      tag: 'Sign-in',
      secured: true,
      success: {
        status: 200,
        description: 'Signed out.',
        schema: SignedOutReply,
        example: { status: 'success', message: 'Signed out.', data: { providerSignOutUrl: null } },
      },
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors],
    }),
    handler: async (request, reply) => {
      const actor = userActorOf(request);
      await signOut(database, actor, callerOf(request));
      if (request.hasSessionCookie) forgetSessionCookie(request, reply);
      const providerSignOutUrl =
        actor.method === 'provider' ? ((await provider?.signOutUrl()) ?? null) : null;
      return reply.send({ status: 'success', message: 'Signed out.', data: { providerSignOutUrl } });
    },
  });
}

function proveRoute(app: FastifyInstance, context: SessionRouteContext, publicUrl: string | undefined): void {
  app.post('/service/auth/prove', {
    config: { scope: 'any', usersOnly: true, mayLack: 'enrolment', takes: ['application/json'] },
    schema: describeOperation({
      operationId: 'prove',
      summary: 'Prove again who one is',
      description:
        'For operations that answered with ACCESS_PROOF_REQUIRED: send the password, with a code for users who have a second factor, or a passkey instead. Then repeat the request. The session continues with another token; the old one ends.',
      tag: 'Sign-in',
      secured: true,
      body: {
        types: ['application/json'],
        schema: Prove,
        examples: {
          password: { summary: 'With the password', value: { password: 'correct horse battery staple' } },
          code: {
            summary: 'With a second factor',
            value: { password: 'correct horse battery staple', code: '492039' },
          },
        },
      },
      success: { status: 200, description: 'Proven.', schema: RenewedReply, example: renewed },
      errors: [
        'ACCESS_PASSWORD_WRONG',
        'ACCESS_FACTOR_CODE_WRONG',
        'ACCESS_PASSKEY_REFUSED',
        'ACCESS_PASSKEYS_UNAVAILABLE',
        'ACCESS_SIGN_IN_DELAYED',
        'ACCESS_USER_REQUIRED',
        'REQUEST_BODY_INVALID',
        ...bodyErrors,
        ...commonErrors,
      ],
    }),
    handler: async (request, reply) => {
      const { password, code, passkey } = readBody(request, proveFields);
      const actor = userActorOf(request);
      const caller = callerOf(request);
      if ((password == null) === (passkey == null)) throw oneProof();
      const proven = succeeded(
        passkey == null
          ? await proveIdentity(context, actor, { password: password ?? '', code: code ?? undefined }, caller)
          : await proveWithPasskey(context, passkeySiteOf(request, publicUrl), actor, passkey, caller),
      );
      return reply.send({ ...renewed, data: handOver(request, reply, proven.session) });
    },
  });
}

function oneProof(): RequestRejected {
  const detail = 'The body must have a "password" or a "passkey". Send one of them.';
  return new RequestRejected(failure('REQUEST_BODY_INVALID', detail, { field: 'password' }));
}

async function pageOfSessions(
  context: SessionContext,
  actor: Actor,
  userSerial: string | undefined,
  page: PageRequest,
) {
  const listed = await listSessions(context, userSerial, page);
  if (!listed.ok) return listed;
  const own = actor.kind === 'person' ? actor.sessionId : undefined;
  return { ...listed, items: listed.items.map((session) => ({ ...session, isCurrent: session.id === own })) };
}

function listOwnSessionsRoute(app: FastifyInstance, context: SessionContext): void {
  listRoute(app, context.database, {
    url: '/service/me/sessions',
    scope: 'any',
    usersOnly: true,
    operationId: 'listOwnSessions',
    summary: 'List where one is signed in',
    description: 'Newest first.',
    tag: 'Sign-in',
    noun: 'Sessions',
    reply: SessionListReply,
    example: exampleSession,
    errors: ['ACCESS_USER_REQUIRED'],
    page: (database, page, { actor }) => pageOfSessions({ ...context, database }, actor, actor.id, page),
  });
}

function endOwnSessionRoute(app: FastifyInstance, { database }: SessionContext): void {
  app.delete<SessionRequest>('/service/me/sessions/:id', {
    config: { scope: 'any', usersOnly: true },
    schema: endOneOperation({
      operationId: 'endOwnSession',
      summary: 'End one of the own sessions',
      tag: 'Sign-in',
      errors: ['ACCESS_USER_REQUIRED'],
    }),
    handler: async (request, reply) => {
      const { id: userSerial } = userActorOf(request);
      succeeded(await endSession(database, { id: request.params.id, userSerial }, callerOf(request)));
      return reply.send(endedOne);
    },
  });
}

function endOtherSessionsRoute(app: FastifyInstance, { database }: SessionContext): void {
  app.delete('/service/me/sessions', {
    config: { scope: 'any', usersOnly: true },
    schema: describeOperation({
      operationId: 'endOtherSessions',
      summary: "End all other sessions of one's own",
      description: 'Only the session of this request goes on.',
      tag: 'Sign-in',
      secured: true,
      success: endedReply('The other sessions have ended, on every node.'),
      errors: ['ACCESS_USER_REQUIRED', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const { id: userSerial, tokenHash } = userActorOf(request);
      const which = { userSerial, ownTokenHash: tokenHash };
      return reply.send(endedBody(await endSessions(database, which, callerOf(request))));
    },
  });
}

function listSessionsRoute(app: FastifyInstance, context: SessionContext): void {
  listRoute(app, context.database, {
    url: '/service/sessions',
    scope: 'access:admin',
    operationId: 'listSessions',
    summary: 'List who is signed in',
    description: 'Newest first.',
    tag: 'Access',
    noun: 'Sessions',
    reply: SessionListReply,
    example: { ...exampleSession, isCurrent: false },
    parameters: { userSerial: textParameter('Sessions of this user.', exampleSerial) },
    page: (database, page, { actor, parameters: { userSerial } }) =>
      pageOfSessions({ ...context, database }, actor, userSerial, page),
  });
}

function endSessionRoute(app: FastifyInstance, { database }: SessionContext): void {
  app.delete<SessionRequest>('/service/sessions/:id', {
    config: { scope: 'access:admin' },
    schema: endOneOperation({
      operationId: 'endSession',
      summary: 'End a session',
      tag: 'Access',
      errors: [],
    }),
    handler: async (request, reply) => {
      const which = { id: request.params.id, userSerial: null };
      succeeded(await endSession(database, which, callerOf(request)));
      return reply.send(endedOne);
    },
  });
}

type SessionRequest = { Params: { id: string } };

const endedOne = { status: 'success', message: 'Session ended.', data: {} };

function endOneOperation({
  errors,
  ...operation
}: Pick<OperationDoc, 'operationId' | 'summary' | 'tag' | 'errors'>) {
  return describeOperation({
    ...operation,
    description: 'Its token is rejected on every node at once.',
    secured: true,
    parameters: { params: idParams },
    success: {
      status: 200,
      description: 'It has ended, on every node.',
      schema: DoneReply,
      example: endedOne,
    },
    errors: ['ACCESS_SESSION_NOT_FOUND', ...errors, ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
  });
}

function endSessionsOfUserRoute(app: FastifyInstance, { database }: SessionContext): void {
  app.delete<{ Params: { serial: string } }>('/service/users/:serial/sessions', {
    config: { scope: 'access:admin' },
    schema: describeOperation({
      operationId: 'endSessionsOfUser',
      summary: 'End all sessions of a user',
      description: "Of one's own, the current one goes on.",
      tag: 'Access',
      secured: true,
      parameters: { params: serialParameter },
      success: endedReply('They have ended, on every node.'),
      errors: ['USER_NOT_FOUND', 'USER_ERASED', ...commonErrors, 'SERVICE_OUTCOME_UNKNOWN'],
    }),
    handler: async (request, reply) => {
      const caller = callerOf(request);
      return reply.send(
        endedBody(
          succeeded(await endSessionsOfUser(database, request.params.serial, ownTokenHash(request), caller))
            .ended,
        ),
      );
    },
  });
}

const everybody = flagParameter('Confirms that everybody is signed out.', undefined);

function endAllSessionsRoute(app: FastifyInstance, { database }: SessionContext): void {
  app.delete<{ Querystring: Query }>('/service/sessions', {
    config: { scope: 'access:admin', isSensitive: true },
    schema: describeOperation({
      operationId: 'endAllSessions',
      summary: 'Sign everybody out',
      description:
        'Ends the sessions of all users except the current one, if everybody=true confirms it. Tokens of clients go on.',
      tag: 'Access',
      secured: true,
      parameters: { querystring: querySchema({ everybody }) },
      success: endedReply('They have ended, on every node.'),
      errors: [
        'ACCESS_PROOF_REQUIRED',
        'REQUEST_PARAMETER_INVALID',
        ...commonErrors,
        'SERVICE_OUTCOME_UNKNOWN',
      ],
    }),
    handler: async (request, reply) => {
      if (!readParameters(request.query, { everybody }).everybody) {
        throw invalidParameter('everybody', 'must be true, to confirm that everybody is signed out.');
      }
      const which = { ownTokenHash: ownTokenHash(request) };
      return reply.send(endedBody(await endSessions(database, which, callerOf(request))));
    },
  });
}

function ownTokenHash({ actor }: FastifyRequest): string | null {
  return actor?.kind === 'person' ? actor.tokenHash : null;
}

function endedReply(description: string) {
  return { status: 200, description, schema: SessionsEndedReply, example: endedBody(2) };
}

function endedBody(ended: number) {
  return {
    status: 'success',
    message: `${ended === 1 ? '1 session' : `${ended} sessions`} ended.`,
    data: { ended },
  };
}
