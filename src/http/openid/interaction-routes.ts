import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { decodeJwt } from 'jose';
import type { Authenticator } from '../../domain/access/authenticate.js';
import type { UserActor } from '../../domain/caller.js';
import type { Database } from '../../domain/database.js';
import { forgetBrowserSession, nextStep, signedInAs } from '../../domain/openid/sign-in-to-application.js';
import { senderOf } from '../authentication.js';
import { sessionCookieOf } from '../session-cookie.js';
import { resumeCookiesOf } from './cookies.js';
import { providerPath } from './openid-context.js';
import { continuePage, expiredPage, type Page } from './pages.js';
import type { OpenIdProvider, ProviderError, ProviderInteraction } from './provider-library.js';
import type { RunningProvider } from './running-provider.js';

export interface InteractionOptions {
  readonly running: RunningProvider;
  readonly database: Database;
  readonly authenticate: Authenticator;
}

export type InteractionRequest = { Params: { uid: string } };

const route = { config: { plain: true }, schema: { hide: true } } as const;
const url = `${providerPath}/interaction/:uid`;

/**
 * Between the request of an application and its reply. The cookies of the provider say that this browser is the one that
 * the application has sent, and the cookie of the session says who uses it.
 */
export function interactionRoutes(app: FastifyInstance, options: InteractionOptions): void {
  app.get<InteractionRequest>(url, {
    ...route,
    handler: async ({ headers, params }, reply) => {
      const next = `${encodeURIComponent(params.uid)}/continue`;
      return sendPage(reply, continuePage(headers['accept-language'], next));
    },
  });
  app.get<InteractionRequest>(`${url}/continue`, {
    ...route,
    handler: (request, reply) =>
      withInteraction(options, request, reply, (provider, interaction) =>
        goOn(options, provider, interaction, request, reply),
      ),
  });
  app.get<InteractionRequest>(`${url}/abort`, {
    ...route,
    handler: (request, reply) =>
      withInteraction(options, request, reply, (provider) =>
        provider.interactionResult(request.raw, reply.raw, refused),
      ),
  });
}

const refused = {
  error: 'access_denied',
  error_description: 'the user may not sign in to this application, or did not want to',
};
const otherUser = {
  error: 'login_required',
  error_description: 'another user is signed in than the one of id_token_hint',
};

/** Returns where the browser goes next. */
async function goOn(
  { database, authenticate, running }: InteractionOptions,
  provider: OpenIdProvider,
  interaction: ProviderInteraction,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<string> {
  const { params, prompt, uid } = interaction;
  const actor = await signedInUser(authenticate, request);
  const step = await nextStep(database, {
    actor,
    applicationId: params.client_id ?? '',
    startedSecondsAgo: Date.now() / 1_000 - interaction.iat,
    wantsProof: prompt.reasons.includes('login_prompt'),
    maxAgeSeconds: params.max_age === undefined ? undefined : Number(params.max_age),
    wantedUser: params.id_token_hint === undefined ? undefined : subjectOf(params.id_token_hint),
  });
  if (step === 'other-user') return provider.interactionResult(request.raw, reply.raw, otherUser);
  if (step !== 'continue' || !actor) return consolePage(running.issuer, uid, step);
  const { session } = interaction;
  if (session && session.accountId !== actor.id) {
    await forgetBrowserSession(database, session.uid);
    interaction.session = undefined;
    await interaction.save(interaction.exp - Math.floor(Date.now() / 1_000));
  }
  return provider.interactionResult(request.raw, reply.raw, signedInAs(actor));
}

/**
 * Whether this browser has the session that was decided with. An application on a domain next to ours can set cookies for
 * both: without this check, it could have one browser sign in, and another one get the code.
 */
export async function isDecidedHere(
  { authenticate, running }: InteractionOptions,
  request: FastifyRequest<InteractionRequest>,
): Promise<boolean> {
  const { uid } = request.params;
  if (resumeCookiesOf(request, running.issuer).some((value) => value !== uid)) return false;
  const provider = await running.current();
  const decidedWith = (await provider.Interaction.find(uid))?.result?.rollcallSession;
  return decidedWith === undefined || decidedWith === (await signedInUser(authenticate, request))?.sessionId;
}

/** The page of the console that asks for what is missing, and then leads back here. */
function consolePage(issuer: string, uid: string, step: string): string {
  const base = new URL(issuer).pathname.slice(0, -providerPath.length);
  const query = step === 'sign-in' ? '' : `?step=${step}`;
  return `${base}/sign-in/${encodeURIComponent(uid)}${query}`;
}

async function signedInUser(
  authenticate: Authenticator,
  request: FastifyRequest,
): Promise<UserActor | undefined> {
  const token = sessionCookieOf(request);
  const answer = token === undefined ? undefined : await authenticate(token);
  return answer?.ok && answer.actor.kind === 'person' ? answer.actor : undefined;
}

/** The provider has verified it. */
function subjectOf(idToken: string): string | undefined {
  return decodeJwt(idToken).sub;
}

async function withInteraction(
  { running }: InteractionOptions,
  request: FastifyRequest<InteractionRequest>,
  reply: FastifyReply,
  next: (provider: OpenIdProvider, interaction: ProviderInteraction) => Promise<string>,
): Promise<FastifyReply> {
  const provider = await running.current();
  running.address(request.raw, request.raw.url ?? '/', senderOf(request));
  const found = await interactionOf(provider, request, reply);
  if (!found) return sendPage(reply, expiredPage(request.headers['accept-language']), 400);
  return reply
    .code(303)
    .header('location', await next(provider, found))
    .send();
}

/** Undefined if it has ended, or belongs to another browser. */
async function interactionOf(
  provider: OpenIdProvider,
  { raw, params }: FastifyRequest<InteractionRequest>,
  reply: FastifyReply,
): Promise<ProviderInteraction | undefined> {
  try {
    const found = await provider.interactionDetails(raw, reply.raw);
    return found.uid === params.uid ? found : undefined;
  } catch (error) {
    if ((error as ProviderError).name === 'SessionNotFound') return undefined;
    throw error;
  }
}

export function sendPage(reply: FastifyReply, { html, contentPolicy }: Page, status = 200): FastifyReply {
  return reply
    .code(status)
    .header('content-security-policy', contentPolicy)
    .type('text/html; charset=utf-8')
    .send(html);
}
