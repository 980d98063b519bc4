import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Failure } from '../../../contract/errors.js';
import { DoneReply } from '../../../contract/sign-in.js';
import type { Authenticator } from '../../../domain/access/authenticate.js';
import { newSecret } from '../../../domain/sso/handshake.js';
import type { IdentityProvider } from '../../../domain/sso/identity-provider.js';
import { logOutWithProvider } from '../../../domain/sso/provider-logout.js';
import {
  beginProviderSignIn,
  finishProviderSignIn,
  type SsoContext,
} from '../../../domain/sso/sign-in-with-provider.js';
import { logoutInvalid, notConfigured, signInInvalid } from '../../../domain/sso/sso-failures.js';
import type { Metrics } from '../../../telemetry/metrics.js';
import { senderOf } from '../../authentication.js';
import { deviceOf } from '../../device.js';
import { oauthBodyTypes, oauthErrors, readOAuthForm } from '../../oauth-form.js';
import { describeOperation } from '../../openapi.js';
import { browserSecretOf, setBrowserSecret } from '../../provider-cookie.js';
import { RequestRejected, succeeded } from '../../request-rejected.js';
import { sessionCookieOf, setSessionCookie } from '../../session-cookie.js';

export interface SsoRouteContext extends SsoContext {
  readonly metrics?: Metrics | undefined;
}

interface SsoRouteOptions {
  readonly provider: IdentityProvider | undefined;
  readonly authenticate: Authenticator;
}

/** Browsers open these two, so that they are no operations of the API. */
const forBrowsers = { config: { plain: true }, schema: { hide: true } } as const;
const beginning = { ...forBrowsers, config: { plain: true, beginsSignIn: true } } as const;

export function ssoRoutes(app: FastifyInstance, context: SsoRouteContext, options: SsoRouteOptions): void {
  startRoute(app, context, options);
  callbackRoute(app, context, options);
  backchannelLogoutRoute(app, context, options);
}

function startRoute(
  app: FastifyInstance,
  context: SsoRouteContext,
  { provider, authenticate }: SsoRouteOptions,
): void {
  app.get('/service/auth/sso/start', beginning, async (request, reply) => {
    const isProof = queryOf(request).get('purpose') === 'proof';
    if (!provider) return answer(request, reply, { isProof, failure: notConfigured });
    const sessionId = await sessionIdOf(request, authenticate);
    if (isProof && sessionId === null) return answer(request, reply, { isProof, failure: signInInvalid });
    // Tabs of a browser share the secret, so that one does not end what another has begun.
    const browserSecret = browserSecretOf(request) ?? newSecret();
    const begun = await beginProviderSignIn(context, provider, { browserSecret, sessionId, isProof });
    if (!begun.ok) return answer(request, reply, { isProof, failure: begun.failure });
    setBrowserSecret(request, reply, browserSecret);
    return reply.redirect(begun.url.href, 303);
  });
}

function callbackRoute(app: FastifyInstance, context: SsoRouteContext, { provider }: SsoRouteOptions): void {
  app.get('/service/auth/sso/callback', forBrowsers, async (request, reply) => {
    if (!provider) return answer(request, reply, { isProof: false, failure: notConfigured });
    const returned = { query: queryOf(request), browserSecret: browserSecretOf(request) };
    const sender = { ...senderOf(request), device: deviceOf(request) };
    const finished = await finishProviderSignIn(context, provider, returned, sender);
    const { isProof } = finished;
    if (!isProof) context.metrics?.signIn(finished.ok ? 'succeeded' : 'failed');
    if (!finished.ok) return answer(request, reply, { isProof, failure: finished.failure });
    setSessionCookie(request, reply, finished.session);
    return answer(request, reply, { isProof });
  });
}

function queryOf({ url }: FastifyRequest): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at));
}

/** Of the console in this browser, if it is signed in. */
async function sessionIdOf(request: FastifyRequest, authenticate: Authenticator): Promise<string | null> {
  const token = sessionCookieOf(request);
  const known = token === undefined ? undefined : await authenticate(token, true);
  return known?.ok && known.actor.kind === 'person' ? known.actor.sessionId : null;
}

/**
 * A page of the console goes on: browsers send the cookie of a session only with requests of its own pages, and not while
 * the provider redirects. Programs get the error itself.
 */
function answer(
  request: FastifyRequest,
  reply: FastifyReply,
  { isProof, failure }: { readonly isProof: boolean; readonly failure?: Failure },
): FastifyReply {
  const isBrowser = /\btext\/html\b/i.test(request.headers.accept ?? '');
  if (failure && !isBrowser) throw new RequestRejected(failure);
  const facts = new URLSearchParams({
    ...(isProof ? { purpose: 'proof' } : {}),
    ...(failure ? { problem: failure.error } : {}),
  });
  const query = facts.size === 0 ? '' : `?${facts}`;
  // Relative, so that it works behind a proxy with a path prefix.
  return reply.header('cache-control', 'no-store').redirect(`../../../signed-in${query}`, 303);
}

const LogoutForm = Type.Object(
  { logout_token: Type.String({ minLength: 1, description: 'A signed logout token.' }) },
  { title: 'BackchannelLogout' },
);
const loggedOut = { status: 'success', message: 'Signed out.', data: {} };

function backchannelLogoutRoute(
  app: FastifyInstance,
  { database }: SsoRouteContext,
  { provider }: SsoRouteOptions,
): void {
  app.post('/service/auth/sso/backchannel-logout', {
    config: { takes: [...oauthBodyTypes], plain: true, oauth: true },
    schema: describeOperation({
      operationId: 'backchannelLogout',
      summary: 'End sessions for the identity provider',
      description:
        'OpenID Connect Back-Channel Logout 1.0: the provider sends this when a user signs out there. The sessions that the user opened with it end on every node.',
      tag: 'Sign-in',
      secured: false,
      body: {
        types: oauthBodyTypes,
        schema: LogoutForm,
        examples: { token: { summary: 'A logout token', value: { logout_token: 'eyJhbGciOiJSUzI1NiJ9…' } } },
      },
      success: { status: 200, description: 'They have ended.', schema: DoneReply, example: loggedOut },
      errors: [
        'ACCESS_LOGOUT_TOKEN_INVALID',
        'ACCESS_SSO_NOT_CONFIGURED',
        'ACCESS_SSO_UNAVAILABLE',
        ...oauthErrors,
        'SERVICE_INTERNAL_ERROR',
      ],
    }),
    handler: async (request, reply) => {
      const { form } = succeeded(readOAuthForm(request));
      const token = form.field('logout_token');
      if (token === undefined) throw new RequestRejected(logoutInvalid);
      if (!provider) throw new RequestRejected(notConfigured);
      succeeded(await logOutWithProvider(database, provider, token, senderOf(request)));
      return reply.header('cache-control', 'no-store').send(loggedOut);
    },
  });
}
