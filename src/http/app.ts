import swagger from '@fastify/swagger';
import Fastify, {
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import type { Logger } from 'pino';
import { failure } from '../contract/errors.js';
import { formFieldsMax } from '../contract/limits.js';
import { apiVersion } from '../contract/version.js';
import { clientFreshMs } from '../domain/access/client-tokens.js';
import { recordForbidden } from '../domain/access/rejected-attempts.js';
import type { Actor } from '../domain/caller.js';
import type { Readiness } from '../domain/maintenance/readiness.js';
import type { RateLimiter } from '../domain/rate-limiter.js';
import type { Metrics } from '../telemetry/metrics.js';
import { withinSpan } from '../telemetry/tracing.js';
import { authentication } from './authentication.js';
import { consoleDocument, consoleRoutes, isNavigation } from './console.js';
import { contentEncoding, decompressed } from './content-encoding.js';
import { announceDeprecatedRequests } from './deprecation.js';
import {
  clientErrorHandler,
  errorHandler,
  expectationHandler,
  pathNotFound,
  registerMethodNotAllowed,
  sendFailure,
} from './error-replies.js';
import { readJsonBody } from './json-body.js';
import { LargeBodies } from './large-bodies.js';
import { openApiDocument } from './openapi-document.js';
import type { InteractionOptions } from './openid/interaction-routes.js';
import { providerPath } from './openid/openid-context.js';
import { providerRoutes } from './openid/provider-routes.js';
import { RunningProvider } from './openid/running-provider.js';
import { rateLimits } from './rate-limits.js';
import {
  checkAccept,
  checkContentType,
  checkRequestSyntax,
  fileTypes,
  requestId,
  scimType,
  unsupported,
} from './request-headers.js';
import { RequestRejected } from './request-rejected.js';
import { methodLabel, routeLabel, traceRequests } from './request-telemetry.js';
import { withScimSpelling } from './routes/scim/scim-request.js';
import { type RouteOptions, registerRoutes } from './routes.js';
import { crossOriginRules, securityHeaders } from './security-headers.js';
import './types.js';

export interface AppOptions extends RouteOptions {
  readonly limiter: RateLimiter;
  readonly logger: Logger;
  /** Proxies whose forwarded address is trusted. */
  readonly trustedProxies: readonly string[];
  /** Whose pages may call the service. */
  readonly corsOrigins: readonly string[];
}

/** Wires up the HTTP layer, in the order in which a request passes through it. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { context, access, readiness, logger, trustedProxies } = options;
  const { limits } = context;
  const headers = { ...securityHeaders(options.givenUrl), 'rollcall-api-version': String(apiVersion) };
  const app: FastifyInstance = Fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: (request) => requestId(request.headers),
    requestIdHeader: false,
    trustProxy: trustedProxies.length > 0 ? [...trustedProxies] : false,
    bodyLimit: limits.bodyMaxBytes,
    requestTimeout: limits.requestTimeoutMs,
    keepAliveTimeout: limits.keepAliveTimeoutMs,
    http: {
      requireHostHeader: false, // checked below, to answer in our own format
      maxHeaderSize: limits.headersMaxBytes,
      headersTimeout: limits.headersTimeoutMs,
      connectionsCheckingInterval: 2_000,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    // Callers append paths to base URLs that end with a slash, and URL builders add one at the end.
    routerOptions: { maxParamLength: 1_000, ignoreDuplicateSlashes: true, ignoreTrailingSlash: true },
    rewriteUrl: ({ url = '/' }) => withScimSpelling(url),
    clientErrorHandler: clientErrorHandler(limits, headers),
    frameworkErrors: (_error, request, reply) => {
      reply.headers(headers).header('x-request-id', request.id);
      sendFailure(
        request,
        reply,
        failure('REQUEST_MALFORMED', 'The URL is malformed. Check its length and percent-encoding.'),
      );
    },
  }) as unknown as FastifyInstance;
  app.server.maxConnections = limits.connectionsMax;
  app.server.on('checkExpectation', expectationHandler(headers));

  // Bodies and queries are validated by the rules of the domain, whose errors name the field and the rule.
  app.setValidatorCompiler(() => () => true);
  app.setSerializerCompiler(() => (data) => JSON.stringify(data));
  app.setErrorHandler(errorHandler(limits));
  const document = consoleDocument();
  app.setNotFoundHandler((request, reply) =>
    document && isNavigation(request)
      ? document.send(request, reply, 404)
      : sendFailure(request, reply, pathNotFound().failure),
  );
  registerBodyParsers(app);

  traceRequests(app);
  const counted = rateLimits(options.limiter, limits);
  const { givenUrl } = options;
  const authenticate = authentication(
    access.authenticate,
    { givenUrl, proofMaxSeconds: context.proofMaxSeconds },
    {
      ...counted,
      onForbidden: (caller, request) => recordForbidden(context.forbiddenRequests, caller, request),
    },
  );
  const answersPreflight = crossOriginRules(options.corsOrigins);
  app.addHook('onRequest', async (request, reply) => {
    reply.headers(headers).header('x-request-id', request.id);
    // Checked here rather than in a handler, so that no body is read.
    checkRequestSyntax(request.raw);
    counted.onArrival(request, reply);
    if (answersPreflight(request, reply)) return reply;
    if (request.is404) {
      const refused = methodNotAllowed(request);
      if (!refused && document && isNavigation(request)) return;
      throw refused ?? pathNotFound();
    }
    const { config } = request.routeOptions;
    if (config.always) return;
    if (config.eventStream) await whileStarting(readiness, reply, limits.eventHoldMs);
    if (readiness.state !== 'ready') throw new RequestRejected(readiness.failure());
    await authenticate(request, reply);
    if (!config.plain) checkAccept(request);
    if (config.takes) checkContentType(request, config.takes);
    contentEncoding(request); // rejects unknown ones before the body is read
  });
  const compressed = new LargeBodies(2 * limits.bulkBodyMaxBytes);
  app.addHook('preParsing', async (request, reply, body) => {
    const encoding = contentEncoding(request);
    const { bodyLimit = limits.bodyMaxBytes } = request.routeOptions;
    if (!encoding) return body;
    return decompressed(request.raw, encoding, bodyLimit, async () => {
      const leave = await compressed.enter(bodyLimit);
      if (reply.raw.closed) leave();
      else reply.raw.once('close', leave);
    });
  });
  // The token may have ended while the body arrived.
  app.addHook('preHandler', async (request, reply) => {
    if (request.actor && reply.elapsedTime > clientFreshMs) await authenticate(request);
  });
  const { metrics } = context;
  app.addHook('onResponse', async (request, reply) => {
    withinSpan(request.span, () => logRequest(request, reply.statusCode, reply.elapsedTime));
    if (metrics) countRequest(metrics, request, reply);
  });

  await app.register(swagger, openApiDocument());

  const urls = new Set<string>();
  const urlsOfAnyText = new Set<string>();
  app.addHook('onRoute', ({ url, config }) => {
    urls.add(url);
    if (config?.endsWithAnyText) urlsOfAnyText.add(url);
  });

  announceDeprecatedRequests(app);
  await app.register(async (api) => registerRoutes(api, options));
  if (context.isOpenIdProvider) await app.register(providerRoutes, providerOptions(options));
  await app.register(consoleRoutes, { document });
  const methodNotAllowed = registerMethodNotAllowed(app, urls, urlsOfAnyText);
  return app;
}

function providerOptions({ context, access, logger }: AppOptions): InteractionOptions {
  const issuer = () => `${access.issuer}${providerPath}`;
  const running = new RunningProvider({ context, rejections: context.forbiddenRequests, logger, issuer });
  return { running, database: context.database, authenticate: access.authenticate };
}

/** A reader of events that was cut off by a restart reconnects before the service is ready, and waits for it. */
async function whileStarting(readiness: Readiness, reply: FastifyReply, withinMs: number): Promise<void> {
  if (readiness.state !== 'starting') return;
  const leaving = new AbortController();
  reply.raw.once('close', () => leaving.abort());
  await readiness.whileStarting(withinMs, leaving.signal);
}

function registerBodyParsers(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    ['application/json', 'application/merge-patch+json', scimType],
    { parseAs: 'buffer' },
    (request, bytes, done) => {
      const { takes, takesLongList, takesLists } = request.routeOptions.config;
      // Many clients set a content type even if they send nothing.
      if (bytes.length === 0 && !takes) return done(null, undefined);
      if (takesLongList) return done(null, { bytes });
      const read = readJsonBody(bytes as Buffer, { hasLists: takesLists === true });
      if (read.ok && !takes && !isEmptyObject(read.body.value)) return done(bodyNotTaken());
      if (read.ok) done(null, read.body);
      else done(new RequestRejected(read.failure));
    },
  );
  app.addContentTypeParser(fileTypes, (request, stream, done) => {
    if (request.routeOptions.config.takesFile) done(null, stream);
    else done(unsupported('This operation takes no file.'));
  });
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, text, done) => {
      const fields = fieldsIn(text as string);
      if (fields > formFieldsMax) done(tooManyFields(fields));
      else done(null, new URLSearchParams(text as string));
    },
  );
}

/** The number of fields in a form, counted before any is parsed. */
function fieldsIn(form: string): number {
  let separators = 0;
  for (let at = form.indexOf('&'); at >= 0; at = form.indexOf('&', at + 1)) separators++;
  return separators + 1;
}

function tooManyFields(fields: number): RequestRejected {
  return new RequestRejected(
    failure(
      'ACCESS_TOKEN_REQUEST_INVALID',
      `A form can have at most ${formFieldsMax} fields, but this one has ${fields}. Send only the fields of RFC 6749.`,
    ),
  );
}

function isEmptyObject(value: unknown): boolean {
  return JSON.stringify(value) === '{}';
}

/** Ignoring the body would do something other than requested. */
function bodyNotTaken(): RequestRejected {
  return new RequestRejected(
    failure(
      'REQUEST_BODY_INVALID',
      'This operation does not accept a body. Use the path and the query parameters.',
    ),
  );
}

/** Clients and users by ID. The subjects of external issuers can be names or addresses, so only their kind is logged. */
function logged(actor: Actor): string {
  return actor.kind === 'outside' ? actor.kind : actor.id;
}

function countRequest(metrics: Metrics, request: FastifyRequest, reply: FastifyReply): void {
  const { statusCode: status, elapsedTime } = reply;
  metrics.request({ route: routeLabel(request), method: methodLabel(request), status }, elapsedTime / 1_000);
}

function logRequest(request: FastifyRequest, status: number, elapsedMs: number): void {
  const entry = {
    method: request.method,
    route: routeLabel(request),
    status,
    ms: Math.round(elapsedMs * 10) / 10,
    ...(request.actor ? { actor: logged(request.actor) } : {}),
  };
  if (status === 503) request.log.warn(entry, 'request not served');
  else if (status >= 500) request.log.error(entry, 'request failed');
  else request.log.info(entry, 'request');
}
