import { ConnectionFailed, errorFrom, InvalidArgument, RollcallError, UnexpectedReply } from './errors.js';
import type { CommonOptions } from './operations.js';
import { readRetryAfter } from './retry.js';

/** A file, or its bytes as they arrive. */
type FileBytes = Blob | ReadableStream<Uint8Array>;

/** A request with its serialized body. Every attempt sends the same bytes, except for a stream, which has only one. */
export interface OutgoingRequest {
  readonly method: string;
  /** The route, with `{serial}` in place of private values: safe for messages. */
  readonly route: string;
  readonly url: string;
  readonly headers: Headers;
  readonly body: string | FileBytes | undefined;
  readonly signal: AbortSignal | undefined;
}

export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly etag: string | undefined;
  readonly body: unknown;
}

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

type Values = Readonly<Record<string, unknown>>;

/** Options of any operation. The types of `Rollcall` check which of them an operation takes. */
export interface AnyOptions extends CommonOptions {
  readonly path?: Values | undefined;
  readonly query?: Values | undefined;
  readonly headers?: Values | undefined;
  readonly body?: unknown;
}

/** A row of the generated tables. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly secured: boolean;
  readonly safe: boolean;
  readonly contentType?: string;
  /** Errors carry their data, and reports positions, only if details=true is sent. */
  readonly details?: boolean;
}

export function outgoing(base: string, operation: Operation, options: AnyOptions): OutgoingRequest {
  const { method, path: route, contentType } = operation;
  const headers = { accept: 'application/json', 'content-type': contentType, ...options.headers };
  const query = operation.details
    ? { ...options.query, details: options.query?.details ?? true }
    : options.query;
  const search = new URLSearchParams(texts(query)).toString();
  return {
    method,
    route,
    url: base + filled(route, options.path) + (search && `?${search}`),
    headers: new Headers(texts(headers)),
    body: contentType === undefined ? undefined : written(contentType, options.body),
    signal: options.signal,
  };
}

function filled(route: string, path: Values = {}): string {
  return route.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(path[name] ?? '');
    // These would change the path: URLs resolve dot segments, escaped or not.
    if (['', '.', '..'].includes(value)) {
      throw new InvalidArgument('path', `path.${name} cannot be "${value}".`);
    }
    return encodeURIComponent(value);
  });
}

function written(contentType: string, body: unknown): string | FileBytes {
  if (contentType === 'application/octet-stream') return body as FileBytes; // as uploadFeedFile takes it
  return contentType === 'application/x-www-form-urlencoded'
    ? new URLSearchParams(texts(body as Values)).toString()
    : JSON.stringify(body);
}

/** Undefined values are omitted, and those of a list repeat the name. */
function texts(values: Values = {}): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    [value].flat().flatMap((each): [string, string][] => (each === undefined ? [] : [[name, String(each)]])),
  );
}

/** One attempt. Returns a successful response; throws otherwise. */
export async function send(fetch: Fetch, request: OutgoingRequest, token?: string): Promise<Received> {
  const response = await ask(fetch, request, token);
  return read(response, await answered(request, response.text()), request);
}

/** One attempt to open a stream of the first type that is accepted. Returns its bytes; throws otherwise. */
export async function open(
  fetch: Fetch,
  request: OutgoingRequest,
  token?: string,
): Promise<ReadableStream<Uint8Array>> {
  const response = await ask(fetch, request, token);
  const type = response.headers.get('content-type') ?? '';
  const [expected = ''] = (request.headers.get('accept') ?? '').split(',');
  if (response.ok && response.body && type.startsWith(expected)) return response.body;
  read(response, await answered(request, response.text()), request);
  throw notOfTheApi(response, `not ${expected}`, request);
}

function ask(fetch: Fetch, request: OutgoingRequest, token: string | undefined): Promise<Response> {
  const { method, url, body, signal } = request;
  signal?.throwIfAborted();
  const init: RequestInit = {
    method,
    headers: withToken(request.headers, token),
    redirect: 'manual', // a redirect could send a body with a secret to another host
    ...(body === undefined ? {} : { body }),
    ...(body instanceof ReadableStream ? { duplex: 'half' } : {}), // fetch rejects streams without it
    ...(signal === undefined ? {} : { signal }),
  };
  return answered(request, fetch(url, init));
}

/** Returns the response, or throws if there was none. */
async function answered<T>({ method, route, signal }: OutgoingRequest, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    signal?.throwIfAborted();
    const reason = reasonOf(error);
    throw new ConnectionFailed(`${method} ${route}: no reply (${reason}).`, {
      outcomeUnknown: true,
      cause: error,
      reason,
    });
  }
}

/** fetch would include a token that is not a valid header value in its error message. */
function withToken(given: Headers, token: string | undefined): Headers {
  if (token === undefined) return given;
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new InvalidArgument('token', 'The token is empty or contains invalid characters.');
  const headers = new Headers(given);
  headers.set('authorization', `Bearer ${token}`);
  return headers;
}

function reasonOf(error: unknown): string {
  const { message, cause } = Object(error) as {
    message?: string;
    cause?: { code?: string; message?: string };
  };
  return cause?.code ?? cause?.message ?? message ?? 'unknown';
}

function read(response: Response, text: string, request: OutgoingRequest): Received {
  const { status, ok, headers } = response;
  const body = jsonObject(text);
  if (ok && body) return { status, headers, etag: headers.get('etag') ?? undefined, body };
  const { errorCode, message, detail, data } = body ?? {};
  if (!ok && typeof errorCode === 'number' && typeof message === 'string') {
    const error = errorFrom({ errorCode, message, detail: String(detail), data });
    throw new RollcallError(status, error, factsOf(response));
  }
  const got = body ? 'JSON of another API' : (headers.get('content-type') ?? 'no content type');
  throw notOfTheApi(response, got, request);
}

function notOfTheApi(response: Response, got: string, { method, route }: OutgoingRequest): UnexpectedReply {
  const { status } = response;
  const told = `${method} ${route}: the reply is not from Rollcall (${status}, ${got}).`;
  return new UnexpectedReply(told, status, factsOf(response));
}

function factsOf({ headers }: Response) {
  return {
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterMs: readRetryAfter(headers.get('retry-after')),
  };
}

function jsonObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
