import type { Auth, TokenSource } from './auth.js';
import { type ErrorName, RollcallError } from './errors.js';
import { operations, streams } from './generated/tables.js';
import type { CallArguments, Item, OperationName, Page, PagedName, Reply, Schemas } from './operations.js';
import { each, isIncomplete, pages } from './pages.js';
import {
  type AnyOptions,
  type Fetch,
  type Operation,
  type OutgoingRequest,
  open,
  outgoing,
  type Received,
  send,
} from './request.js';
import { persistently, type RetryOptions, retryPolicy } from './retry.js';
import { keepSource } from './streams.js';

export interface ClientOptions {
  /** Such as `https://people.example.com`. Empty in a browser: the origin of the page. */
  readonly baseUrl: string;
  /** `clientCredentials(…)` or `bearer(…)`; without it, only operations that need no token work. */
  readonly auth?: Auth | undefined;
  readonly fetch?: Fetch | undefined;
  readonly retry?: RetryOptions | false | undefined;
  /** Browsers set their own. */
  readonly userAgent?: string | undefined;
  /** Sent with every request, to find them in the logs and the change log. Default: a new ID per request. */
  readonly requestId?: string | undefined;
}

export interface Rollcall {
  /** Calls an API operation by name. Resolves to a successful response and throws on failure. */
  call<Name extends OperationName>(name: Name, ...options: CallArguments<Name>): Promise<Reply<Name>>;
  /** The pages of a list, fetched on demand. */
  pages<Name extends PagedName>(name: Name, ...options: CallArguments<Name>): AsyncIterable<Page<Name>>;
  /** All items of a list, fetched page by page. */
  each<Name extends PagedName>(name: Name, ...options: CallArguments<Name>): AsyncIterable<Item<Name>>;
}

export function createClient({
  baseUrl,
  auth,
  retry,
  userAgent,
  requestId,
  ...given
}: ClientOptions): Rollcall {
  const base = checkedBase(baseUrl);
  // Called on its global, because browsers reject a detached fetch.
  const fetch: Fetch = given.fetch ?? ((url, init) => globalThis.fetch(url, init));
  const prepared = (operation: Operation, options: AnyOptions): OutgoingRequest => {
    const headers = { 'user-agent': userAgent, 'x-request-id': requestId, ...options.headers };
    return outgoing(base, operation, { ...options, headers });
  };

  const perform = async (
    name: OperationName,
    options: AnyOptions,
    tokens?: TokenSource,
  ): Promise<Received> => {
    const { secured, safe }: Operation = operations[name];
    const request = prepared(operations[name], options);
    return persistently({
      attempt: () =>
        authorised(secured ? tokens : undefined, request.signal, (token) => send(fetch, request, token)),
      isSafe: safe,
      isRepeatable: safe || request.headers.has('idempotency-key'),
      isPartial: (reply) => brokeOff(reply) || (options.untilComplete === true && isIncomplete(reply)),
      signal: options.signal,
      policy: retryPolicy(retry, options.retry),
    });
  };
  const tokens = auth?.(async (form) => {
    const { body } = await perform('issueToken', { body: form });
    return body as Schemas['Token'];
  });
  const call = (name: OperationName, options: AnyOptions = {}) => perform(name, options, tokens);

  // Only the types, generated from openapi.json, know the operations.
  const rollcall = {
    call,
    pages: (name: PagedName, options?: AnyOptions) => pages(call, name, options),
    each: (name: PagedName, options?: AnyOptions) => each(call, name, options),
  } as unknown as Rollcall;
  return keepSource(rollcall, {
    open: async (name, options) => {
      const request = prepared(streams[name], options);
      return authorised(tokens, request.signal, (token) => open(fetch, request, token));
    },
    policy: retryPolicy(retry),
  });
}

function checkedBase(baseUrl: string): string {
  if (baseUrl !== '' && !baseUrl.startsWith('/')) {
    const { username, password, search, hash } = new URL(baseUrl);
    if (username || password || search || hash) {
      throw new TypeError('baseUrl cannot hold credentials, a query or a fragment.');
    }
  }
  return baseUrl.replace(/\/+$/, '');
}

/** Requests a new token once after a 401. A 401 changes nothing, so any request can be resent. */
async function authorised<Answer>(
  tokens: TokenSource | undefined,
  signal: AbortSignal | undefined,
  attempt: (token: string | undefined) => Promise<Answer>,
): Promise<Answer> {
  const token = tokens && (await unlessAborted(tokens(), signal));
  try {
    return await attempt(token);
  } catch (error) {
    const isRefused = error instanceof RollcallError && error.status === 401;
    const another = isRefused && tokens && token && (await unlessAborted(tokens(token), signal));
    if (!another || another === token) throw error;
    return attempt(another);
  }
}

/** Concurrent calls share a token renewal. Aborting one call does not affect the others. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    const end = () => signal.removeEventListener('abort', stop);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    work.finally(end).then(resolve, reject);
  });
}

const brokenOff: readonly ErrorName[] = ['SERVICE_UNAVAILABLE', 'SERVICE_OUTCOME_UNKNOWN'];

/** A bulk call interrupted by a database failure. Resent with its key, it resumes. */
function brokeOff({ body }: Received): boolean {
  const { data } = body as { data?: Partial<Schemas['BulkUpdateReport']['data']> };
  return data?.failedItems?.some(({ error }) => (brokenOff as string[]).includes(error.message)) ?? false;
}
