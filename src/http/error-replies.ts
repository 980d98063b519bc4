import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { RequestRejected } from './request-rejected.js';
import '@fastify/swagger';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ErrorName, errorBody, errorCatalogue, type Failure, failure } from '../contract/errors.js';
import type { Limits } from '../contract/limits.js';
import { mayReadUsers, visibleFailure } from '../domain/access/visibility.js';
import { RequestAborted } from '../domain/database.js';
import { damageOf, failureOf } from '../domain/outage.js';
import { scimError } from '../scim/error-body.js';
import { bodyTooLarge } from './content-encoding.js';
import { mustRetryAsStream, sendRetryStream } from './event-stream.js';
import { requestId, scimType } from './request-headers.js';
import type { HeaderSet } from './security-headers.js';

/** Never seen by the client. The number is nginx's, which readers of logs know. */
const clientClosedRequest = 499;

export function sendFailure(request: FastifyRequest, reply: FastifyReply, problem: Failure): FastifyReply {
  const { status } = errorCatalogue[problem.error];
  if (problem.data && 'retryAfterSeconds' in problem.data) {
    reply.header('retry-after', String(problem.data.retryAfterSeconds));
  }
  if (mustRetryAsStream(request, status)) return sendRetryStream(reply, problem);
  // RFC 9110 requires every 401 to say how to authenticate. Routes that do not use a bearer token set the header
  // themselves.
  if (status === 401 && !reply.hasHeader('www-authenticate')) reply.header('www-authenticate', 'Bearer');
  if (isScim(request)) {
    request.scimFacts = { ...request.scimFacts, failure: problem };
    const { body, status } = scimError(visibleFailure(problem, false)); // a provider may not see everyone
    return reply.code(status).header('cache-control', 'no-store').type(scimType).send(body);
  }
  const body = errorBody(visibleFailure(problem, mayReadUsers(request.actor)), carriesData(request));
  return reply
    .code(status)
    .header('cache-control', 'no-store') // overrides what the route set for success
    .send(request.routeOptions.config?.oauth ? { ...oauthError(problem), ...body } : body);
}

/** Also for paths that don't exist: a client of SCIM understands nothing else. */
function isScim({ routeOptions, url }: FastifyRequest): boolean {
  return routeOptions.config?.scim !== undefined || /^\/scim(?:[/?]|$)/.test(url);
}

/** The operations of the contract reply with exactly its fields, unless the caller asks for more. */
function carriesData({ routeOptions, query }: FastifyRequest): boolean {
  return routeOptions.config?.errorDataOnRequest !== true || Object(query).details === 'true';
}

/** The format that OAuth libraries expect from the token endpoint (RFC 6749, section 5.2). */
function oauthError({ error, detail }: Failure): { error: string; error_description: string } {
  const names: Partial<Record<ErrorName, string>> = {
    ACCESS_CLIENT_INVALID: 'invalid_client',
    ACCESS_GRANT_UNSUPPORTED: 'unsupported_grant_type',
    ACCESS_SCOPE_INVALID: 'invalid_scope',
    ACCESS_TOKEN_OF_ANOTHER_CLIENT: 'unauthorized_client',
    ACCESS_TOKEN_TYPE_UNSUPPORTED: 'unsupported_token_type',
    SERVICE_UNAVAILABLE: 'temporarily_unavailable',
    SERVICE_INTERNAL_ERROR: 'server_error',
  };
  return { error: names[error] ?? 'invalid_request', error_description: detail };
}

/** Converts any error into the flat error body. Only internal errors are logged with their cause. */
export function errorHandler(limits: Limits) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    if (error instanceof RequestRejected) {
      return sendFailure(request, reply.headers(error.headers), error.failure);
    }
    if (error instanceof RequestAborted || isCutOff(error, reply)) {
      request.log.info({ route: request.routeOptions.url }, 'the client disconnected');
      return reply.code(clientClosedRequest).send();
    }
    const problem = frameworkFailure(error as Partial<FastifyError>, request, limits) ?? failureOf(error);
    logServerError(request, problem, error);
    return sendFailure(request, reply, problem);
  };
}

/** A reply that is a stream is cut off when its reader disconnects. With the reader still there, it is an error of ours. */
function isCutOff(error: unknown, { raw }: FastifyReply): boolean {
  return raw.destroyed && Object(error).code === 'ERR_STREAM_PREMATURE_CLOSE';
}

export function logServerError(request: FastifyRequest, problem: Failure, error: unknown): void {
  const { status } = errorCatalogue[problem.error];
  const damage = damageOf(error);
  if (damage !== undefined) request.log.error({ err: error }, `the database is damaged: ${damage}`);
  else if (status === 500) request.log.error({ err: error }, 'internal error');
  else if (status === 503) request.log.warn({ err: error }, 'the database could not serve a request');
}

/** Fastify rejects some requests before our code sees them. */
function frameworkFailure(
  error: Partial<FastifyError>,
  request: FastifyRequest,
  limits: Limits,
): Failure | undefined {
  if (!request.raw.complete && error.code === 'ECONNRESET') {
    return failure(
      'REQUEST_MALFORMED',
      'The connection closed before the complete body had arrived. Send the request again.',
    );
  }
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return bodyTooLarge(request.routeOptions.bodyLimit ?? limits.bodyMaxBytes).failure;
    case 'Z_DATA_ERROR':
    case 'Z_BUF_ERROR':
      return failure(
        'REQUEST_BODY_NOT_JSON',
        'The body could not be decompressed. Check that it is complete, and that Content-Encoding says how it is compressed.',
      );
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return failure(
        'REQUEST_MEDIA_TYPE_UNSUPPORTED',
        'This operation does not support the Content-Type of the body.',
      );
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return failure('REQUEST_MALFORMED', 'The length of the body does not match Content-Length.');
    default:
      return error.code?.startsWith('FST_') && (error.statusCode ?? 500) < 500
        ? failure('REQUEST_MALFORMED', 'The request is malformed. Check its URL and headers.')
        : undefined;
  }
}

export function pathNotFound(): RequestRejected {
  return new RequestRejected(
    failure(
      'REQUEST_PATH_NOT_FOUND',
      'This path does not exist. For the API reference, see /docs or /openapi.json, unless they are disabled.',
    ),
  );
}

/**
 * Fastify answers 404 for a path that exists under other methods. This answers 405 with the methods that are allowed.
 * Returns what gives this answer. Only a path that would otherwise be taken for an entry, such as /service/users/lookup,
 * needs routes for its other methods: with routes for all, registering them took a third of the time in which the service
 * starts.
 */
export function registerMethodNotAllowed(
  app: FastifyInstance,
  urls: ReadonlySet<string>,
  urlsOfAnyText: ReadonlySet<string>,
): (request: FastifyRequest) => RequestRejected | undefined {
  // The router, too, prefers a path of text alone to one with parameters, and that to one that can end with anything.
  const known = [...urls]
    .map((url) => {
      // The path of an action can also be that of an entry with the same name.
      const matching = [url, ...[...urlsOfAnyText].filter((each) => parentOf(each) === parentOf(url))];
      const exists = (method: string) => matching.some((each) => app.hasRoute({ url: each, method }));
      return { url, pattern: patternOf(url), allowed: app.supportedMethods.filter(exists).sort() };
    })
    .sort((one, other) => wildcardsIn(one.url) - wildcardsIn(other.url));
  for (const { url, allowed } of known) {
    const others = known.filter((each) => each.url !== url && each.pattern.test(url));
    const taken = new Set(others.flatMap((each) => each.allowed).filter((each) => !allowed.includes(each)));
    if (taken.size === 0) continue;
    app.route({
      method: [...taken],
      url,
      schema: { hide: true },
      config: { always: true, plain: true },
      // The body is not read for a method that does not exist.
      onRequest: async () => {
        throw methodNotAllowed(allowed);
      },
      handler: () => undefined,
    });
  }
  return ({ method, url }) => {
    const path = pathOf(url);
    const found = known.find(({ pattern }) => pattern.test(path));
    return found && !found.allowed.includes(method) ? methodNotAllowed(found.allowed) : undefined;
  };
}

/** The path as the router compares it: without the query, doubled slashes and one at the end. */
function pathOf(url: string): string {
  const [path = ''] = url.split('?', 1);
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '');
}

/** What matches the paths of a route, such as `/service/users/:serial/role` or `/assets/*`. */
function patternOf(url: string): RegExp {
  const text = url.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`^${text.replace(/:\w+/g, '[^/]+').replace(/\*/g, '.*')}$`);
}

function wildcardsIn(url: string): number {
  if (url.includes('*')) return 2;
  return url.includes(':') ? 1 : 0;
}

function parentOf(url: string): string {
  return url.slice(0, url.lastIndexOf('/'));
}

function methodNotAllowed(allowed: string[]): RequestRejected {
  return new RequestRejected(
    failure('REQUEST_METHOD_NOT_ALLOWED', `Use ${allowed.join(', ')} with this path.`, { allowed }),
    { allow: allowed.join(', ') },
  );
}

/** For an Expect header other than 100-continue, which Node would answer with an empty reply. */
export function expectationHandler(headers: HeaderSet) {
  return (request: IncomingMessage, response: ServerResponse): void => {
    const problem = failure('REQUEST_MALFORMED', 'The only supported expectation is "Expect: 100-continue".');
    const body = JSON.stringify(errorBody(problem, false));
    response
      .writeHead(errorCatalogue[problem.error].status, {
        ...headers,
        'content-type': 'application/json; charset=utf-8',
        'content-length': Buffer.byteLength(body),
        'x-request-id': requestId(request.headers),
        connection: 'close',
      })
      .end(body);
  };
}

/** Requests rejected by the HTTP parser never reach Fastify. They get the same body, written by hand. */
export function clientErrorHandler(limits: Limits, headers: HeaderSet) {
  const headerLines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const problem = parserFailure(error.code, limits);
    // Which operation was meant is not known, so that only the fields of the contract are safe to send.
    const body = JSON.stringify(errorBody(problem, false));
    const { status } = errorCatalogue[problem.error];
    socket.end(
      `HTTP/1.1 ${status} ${problem.error}\r\nContent-Type: application/json; charset=utf-8\r\n` +
        `Content-Length: ${Buffer.byteLength(body)}\r\nX-Request-Id: ${requestId({})}\r\n${headerLines.join('')}Connection: close\r\n\r\n${body}`,
    );
  };
}

function parserFailure(code: string | undefined, limits: Limits): Failure {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return failure(
        'REQUEST_HEADERS_TOO_LARGE',
        `The headers exceed the limit of ${limits.headersMaxBytes} bytes.`,
      );
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return failure(
        'REQUEST_TIMEOUT',
        `The request took too long to arrive. Send the headers within ${limits.headersTimeoutMs} ms and the complete request within ${limits.requestTimeoutMs} ms.`,
      );
    default:
      return failure('REQUEST_MALFORMED', 'This is not a valid HTTP/1.1 request.');
  }
}
