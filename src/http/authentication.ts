import type { FastifyContextConfig, FastifyReply, FastifyRequest } from 'fastify';
import { failure } from '../contract/errors.js';
import type { Scope } from '../contract/scopes.js';
import type { Authenticator } from '../domain/access/authenticate.js';
import { type ProofSettings, proofProblem } from '../domain/access/prove-identity.js';
import type { ForbiddenRequest } from '../domain/access/rejected-attempts.js';
import { restrictionOf, restrictions } from '../domain/access/sessions.js';
import { type Actor, type Caller, type Sender, scopeProblem, type UserActor } from '../domain/caller.js';
import { RequestRejected } from './request-rejected.js';
import { checkOwnOrigin, sessionCookieOf } from './session-cookie.js';

/** Called for every request once it is authenticated, and for a caller without the scope before the error is sent. */
export interface AuthenticationObserver {
  onRejectedToken(request: FastifyRequest): void;
  onKnownCaller(request: FastifyRequest, reply: FastifyReply): void;
  onForbidden(caller: Caller, request: ForbiddenRequest): Promise<void>;
}

export interface AuthenticationOptions extends ProofSettings {
  /** The configured public URL, if any. */
  readonly givenUrl: string | undefined;
}

/** What a console sends that is open but not used: nobody has touched it for a while. */
const unattendedHeader = 'rollcall-unattended';

/**
 * Authenticates and authorizes the caller before any of the body is read. Without a reply, only checks whether the caller
 * is still authorized.
 */
export function authentication(
  authenticate: Authenticator,
  { givenUrl, ...proof }: AuthenticationOptions,
  observer?: AuthenticationObserver,
) {
  return async (request: FastifyRequest, reply?: FastifyReply): Promise<void> => {
    const { scope, usersOnly, isSensitive } = request.routeOptions.config;
    if (scope === undefined) return;
    const { authorization } = request.headers;
    const cookie = authorization === undefined ? sessionCookieOf(request) : undefined;
    const token = cookie ?? tokenOf(authorization);
    if (token === undefined) {
      observer?.onRejectedToken(request);
      throw new RequestRejected(tokenRequired, { 'www-authenticate': 'Bearer' });
    }
    if (cookie !== undefined && !isRead(request)) checkOwnOrigin(request, givenUrl);
    request.hasSessionCookie = cookie !== undefined;
    const answer = await authenticate(token, !reply || request.headers[unattendedHeader] !== undefined);
    if (!answer.ok) {
      const { failure, why } = answer;
      if (failure.error !== 'ACCESS_TOKEN_INVALID') throw new RequestRejected(failure);
      observer?.onRejectedToken(request);
      if (why) request.log.info({ why }, 'Refused the token of an external issuer.');
      const description = why ? `, error_description="${why}"` : '';
      throw new RequestRejected(failure, {
        'www-authenticate': `Bearer error="invalid_token"${description}`,
      });
    }
    const { actor } = answer;
    request.actor = actor;
    if (reply) observer?.onKnownCaller(request, reply);
    if (actor.kind === 'person') requireComplete(actor, request.routeOptions.config);
    if (usersOnly && actor.kind !== 'person') throw userRequired();
    const missing = missingScope(scope, actor);
    if (missing !== undefined) {
      const { method, routeOptions } = request;
      const route = routeOptions.url ?? '';
      await observer?.onForbidden(callerOf(request), { method, route, scope: missing });
      requireScope({ actor }, missing);
    }
    if (isSensitive && reply) requireProof(actor, proof);
  };
}

function isRead({ method }: FastifyRequest): boolean {
  return method === 'GET' || method === 'HEAD';
}

/** As in RFC 9470. */
function requireProof(actor: Actor, settings: ProofSettings): void {
  const problem = proofProblem(actor, settings);
  if (!problem) return;
  throw new RequestRejected(problem, {
    'www-authenticate': `Bearer error="insufficient_user_authentication", max_age=${settings.proofMaxSeconds}`,
  });
}

/** The scopes in the configuration of a route: each element is sufficient, and needs all of its scopes. */
export function sufficientScopes(scope: FastifyContextConfig['scope']): readonly (readonly Scope[])[] {
  if (scope === undefined || scope === 'any') return [[]];
  if (typeof scope === 'string') return [[scope]];
  return 'oneOf' in scope ? scope.oneOf : [scope];
}

/** The first that is missing. */
function missingScope(scope: FastifyContextConfig['scope'], { scopes }: Actor): Scope | undefined {
  const missing = sufficientScopes(scope).map((needed) => needed.find((each) => !scopes.has(each)));
  return missing.includes(undefined) ? undefined : missing[0];
}

const tokenRequired = failure(
  'ACCESS_TOKEN_REQUIRED',
  'Send "Authorization: Bearer <token>" with a token from POST /oauth/token or POST /service/auth/sign-in.',
);

/** `Bearer <token>`, or the bare token that the contract shows. */
function tokenOf(authorization: string | undefined): string | undefined {
  const [, token] = /^(?:bearer +)?([^\s]+)$/i.exec(authorization?.trim() ?? '') ?? [];
  return token?.toLowerCase() === 'bearer' ? undefined : token;
}

/** For parameters that need more than the operation does. */
export function requireScope({ actor }: Pick<FastifyRequest, 'actor'>, scope: Scope): void {
  const problem = actor && scopeProblem(actor, scope);
  if (!problem) return;
  throw new RequestRejected(problem, {
    'www-authenticate': `Bearer error="insufficient_scope", scope="${scope}"`,
  });
}

/** Until a session is complete, only what completes or ends it is allowed. */
function requireComplete(actor: UserActor, { mayLack }: FastifyContextConfig): void {
  const lacking = restrictionOf(actor);
  if (lacking === undefined) return;
  if (mayLack !== undefined && restrictions.indexOf(lacking) >= restrictions.indexOf(mayLack)) return;
  if (lacking === 'password') throw changeRequired();
  throw factorRequired(lacking === 'factor' ? 'required' : 'enrol');
}

function factorRequired(secondFactor: 'required' | 'enrol'): RequestRejected {
  const detail =
    secondFactor === 'required'
      ? 'Give a second factor first, with POST /service/auth/factor.'
      : 'Your company requires a second factor. Add one first, with POST /service/me/factors/totp or /service/me/factors/passkeys/options.';
  return new RequestRejected(failure('ACCESS_FACTOR_REQUIRED', detail, { secondFactor }));
}

function changeRequired(): RequestRejected {
  return new RequestRejected(
    failure(
      'ACCESS_PASSWORD_CHANGE_REQUIRED',
      'Change your initial password first, with POST /service/auth/change-password.',
    ),
  );
}

function userRequired(): RequestRejected {
  return new RequestRejected(
    failure(
      'ACCESS_USER_REQUIRED',
      'This operation requires a user session. Get one from POST /service/auth/sign-in.',
    ),
  );
}

export function senderOf(request: FastifyRequest): Sender {
  return { requestId: request.id, address: addressOf(request.ip) };
}

/** Some proxies add the port, and IPv4 addresses may be IPv6-mapped: one caller, one address. */
export function addressOf(ip: string): string {
  const [, bare = ip] = /^\[(.+)\](?::\d+)?$/.exec(ip) ?? /^([\d.]+):\d+$/.exec(ip) ?? [];
  return bare.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '');
}

/** Routes with a scope always have a caller. */
export function callerOf(request: FastifyRequest): Caller {
  return { ...senderOf(request), actor: actorOf(request) };
}

export function actorOf({ actor }: FastifyRequest): Actor {
  if (!actor) throw new Error('the route has no scope, so the caller was not authenticated');
  return actor;
}

/** Routes for users always have one. */
export function userActorOf(request: FastifyRequest): UserActor {
  const { actor } = request;
  if (actor?.kind !== 'person') throw new Error('the route is not restricted to signed-in users');
  return actor;
}
