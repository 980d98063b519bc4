import type {
  FastifyContextConfig,
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  HTTPMethods,
} from 'fastify';
import { failure } from '../../contract/errors.js';
import { senderOf } from '../authentication.js';
import { RequestRejected } from '../request-rejected.js';
import {
  type InteractionOptions,
  type InteractionRequest,
  interactionRoutes,
  isDecidedHere,
  sendPage,
} from './interaction-routes.js';
import { providerPath } from './openid-context.js';
import { expiredPage } from './pages.js';
import type { RunningProvider } from './running-provider.js';

/** What the provider adds a hash to if a page of it has a script; on its own, it allows none. */
const contentPolicy =
  "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; script-src 'report-sample'";

interface Endpoint {
  readonly methods: readonly HTTPMethods[];
  readonly path: string;
  readonly counted?: Pick<FastifyContextConfig, 'guesses' | 'beginsSignIn'>;
}

/** Applications prove who they are here. */
const withSecrets = { guesses: 'client secrets' } as const;

const endpoints: readonly Endpoint[] = [
  { methods: ['GET', 'OPTIONS'], path: '/.well-known/openid-configuration' },
  { methods: ['GET', 'OPTIONS'], path: '/jwks' },
  { methods: ['GET'], path: '/auth', counted: { beginsSignIn: true } },
  { methods: ['GET', 'POST', 'OPTIONS'], path: '/me' },
  { methods: ['POST', 'OPTIONS'], path: '/token', counted: withSecrets },
  { methods: ['POST', 'OPTIONS'], path: '/token/introspection', counted: withSecrets },
  { methods: ['POST', 'OPTIONS'], path: '/token/revocation', counted: withSecrets },
  { methods: ['GET'], path: '/session/end' },
  { methods: ['POST'], path: '/session/end/confirm' },
  { methods: ['GET'], path: '/session/end/success' },
];

export async function providerRoutes(app: FastifyInstance, options: InteractionOptions): Promise<void> {
  const { running } = options;
  authorizationByPost(app);
  interactionRoutes(app, options);
  // The library reads bodies itself.
  await app.register(async (raw) => {
    raw.removeAllContentTypeParsers();
    raw.addContentTypeParser('*', (_request, _body, done) => done(null));
    for (const { methods, path, counted } of endpoints) {
      raw.route({
        method: [...methods],
        url: `${providerPath}${path}`,
        config: { plain: true, ...counted },
        schema: { hide: true },
        handler: (request, reply) => {
          refuseEncoding(request);
          return pass(running, path, request, reply);
        },
      });
    }
    resumeRoute(raw, options);
  });
}

/** OpenID Connect lets applications send their users by POST as well. Only a GET carries the cookies of the provider. */
function authorizationByPost(app: FastifyInstance): void {
  app.post(`${providerPath}/auth`, {
    config: { plain: true, takes: ['application/x-www-form-urlencoded'] },
    schema: { hide: true },
    handler: async ({ body }, reply) => {
      const parameters = body instanceof URLSearchParams ? body.toString() : '';
      return reply.code(303).header('location', `auth?${parameters}`).send();
    },
  });
}

/** Leads the user back to the application, in the browser that has decided about the sign-in. */
function resumeRoute(app: FastifyInstance, options: InteractionOptions): void {
  app.get<InteractionRequest>(`${providerPath}/auth/:uid`, {
    config: { plain: true },
    schema: { hide: true },
    handler: async (request, reply) =>
      (await isDecidedHere(options, request))
        ? pass(options.running, `/auth/${encodeURIComponent(request.params.uid)}`, request, reply)
        : sendPage(reply, expiredPage(request.headers['accept-language']), 400),
  });
}

async function pass(
  running: RunningProvider,
  path: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { raw } = request;
  const provider = await running.current();
  const query = raw.url?.includes('?') ? raw.url.slice(raw.url.indexOf('?')) : '';
  running.address(raw, `${path}${query}`, senderOf(request));
  reply.header('content-security-policy', contentPolicy);
  reply.hijack();
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value);
  }
  await provider.callback()(raw, reply.raw);
  return reply;
}

function refuseEncoding({ headers }: FastifyRequest): void {
  const { 'content-encoding': encoding = 'identity' } = headers;
  if (encoding.toLowerCase() === 'identity') return;
  throw new RequestRejected(
    failure(
      'REQUEST_MEDIA_TYPE_UNSUPPORTED',
      'The OpenID provider takes no compressed bodies. Send the form without Content-Encoding.',
    ),
  );
}
