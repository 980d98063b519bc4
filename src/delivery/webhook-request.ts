import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import type { WebhookProblem } from '../contract/enums.js';
import type { AllowedHost } from '../contract/webhook-hosts.js';
import {
  addressTryMs,
  codeOf,
  connectionFailure,
  isReset,
  lookupAmong,
} from '../domain/webhooks/connection.js';
import type { WebhookAnswer, WebhookRequest, WebhookSender } from '../domain/webhooks/webhook-message.js';
import {
  type Lookup,
  resolveTarget,
  type WebhookTargets,
  webhookUrlProblem,
} from '../domain/webhooks/webhook-url.js';
import { traced, traceHeaders } from '../telemetry/tracing.js';
import { codeText } from './message.js';
import { secondsIn } from './retry.js';

export type { WebhookAnswer, WebhookRequest };

export interface WebhookPost extends WebhookSender {
  /** Aborts active requests and closes all connections. */
  close(): void;
}

export interface WebhookPostOptions {
  readonly targets: WebhookTargets;
  /** Any host if empty or absent. */
  readonly allowedHosts?: readonly AllowedHost[];
  /** For the whole request: lookup, connection, a possible second try, and the response. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Replaces the system's lookup in tests. */
  readonly lookup?: Lookup | undefined;
  /** Trusted certificates for tests. */
  readonly ca?: string | undefined;
}

/** The body is read, within limits, so that the connection can be reused. Its beginning is kept. */
const answerBodyMaxBytes = 16 * 1024;
const answerBodyMaxMs = 500;
const answerKeptBytes = 1024;
const keptIdleMaxMs = 30_000;

const timedOut = failed('timedOut', 'The receiver did not respond in time.');
const stopped = failed('stopped', 'The service stopped before the receiver responded.');

/** All requests to webhook receivers go through here. */
export function openWebhookPost(options: WebhookPostOptions): WebhookPost {
  const { targets, allowedHosts, timeoutMs, userAgent, lookup, ca } = options;
  const kept = { keepAlive: true, timeout: keptIdleMaxMs };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };
  const connecting = {
    lookup: checkedLookup(targets, lookup),
    autoSelectFamilyAttemptTimeout: addressTryMs,
    ...(ca === undefined ? {} : { ca }),
  };
  const active = new Set<AbortController>();
  let isClosed = false;

  async function send({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
    const address = new URL(url);
    const request = {
      ...connecting,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': userAgent,
        ...traceHeaders(),
        ...headers,
      },
    };
    const agent = address.protocol === 'https:' ? agents.https : agents.http;
    const first = await exchange(address, { ...request, agent }, body, signal);
    if (!first.wasStale) return first.answer;
    // Without an agent the connection is new. Other kept connections may be just as stale.
    const second = await exchange(address, { ...request, agent: false }, body, signal);
    return second.answer;
  }

  return {
    async post(request) {
      // IP addresses in the URL never reach the lookup, so they are checked here.
      const problem = webhookUrlProblem(request.url, targets, allowedHosts);
      if (problem !== undefined) return failed('hostRefused', `The URL of the receiver ${problem}.`);
      if (isClosed) return stopped;
      const ending = new AbortController();
      const deadline = setTimeout(() => ending.abort(timedOut), timeoutMs);
      active.add(ending);
      try {
        return await tracedSend(() => send(request, ending.signal));
      } catch (error) {
        return failed('unreachable', `Cannot send the request to the receiver${codeText(codeOf(error))}.`);
      } finally {
        clearTimeout(deadline);
        active.delete(ending);
      }
    },
    close() {
      isClosed = true;
      for (const ending of active) ending.abort(stopped);
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** Without the URL, which may contain a secret. */
function tracedSend(send: () => Promise<WebhookAnswer>): Promise<WebhookAnswer> {
  const attributes = { 'http.request.method': 'POST' };
  return traced({ name: 'POST webhook', kind: SpanKind.CLIENT, attributes }, async (span) => {
    const answer = await send();
    if (answer.status !== null) span?.setAttribute('http.response.status_code', answer.status);
    if (!answer.ok) span?.setStatus({ code: SpanStatusCode.ERROR });
    return answer;
  });
}

/** The host has no address, or one that is not allowed. */
class HostRefused extends Error {}

/** Returns only checked addresses, and the connection uses one of them. */
function checkedLookup(targets: WebhookTargets, lookup: Lookup | undefined): LookupFunction {
  return (hostname, options, callback) => {
    void resolveTarget(hostname, targets, lookup).then((target) => {
      if (target.ok) lookupAmong(target.addresses)(hostname, options, callback);
      else callback(new HostRefused(`The host of the receiver ${target.problem}.`), []);
    });
  };
}

interface Exchange {
  readonly answer: WebhookAnswer;
  /** The receiver had closed the kept connection, which shows only on use. */
  readonly wasStale: boolean;
}

function exchange(
  url: URL,
  options: https.RequestOptions,
  body: string,
  signal: AbortSignal,
): Promise<Exchange> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    const end = () => request.destroy();
    let answer: Answer | undefined;
    let beginning: () => string | null = () => null;
    let failure: unknown;
    signal.addEventListener('abort', end);
    request.on('response', (response) => {
      answer = answerOf(response);
      beginning = readBeginning(response);
    });
    request.on('error', (error) => {
      failure = error;
    });
    // Not earlier: only now is the connection free for the next request.
    request.on('close', () => {
      signal.removeEventListener('abort', end);
      resolve({
        answer: answer
          ? { ...answer, response: beginning() }
          : signal.aborted
            ? signal.reason
            : failureOf(failure, request.socket),
        wasStale: answer === undefined && !signal.aborted && request.reusedSocket && isReset(failure),
      });
    });
    request.end(body);
  });
}

type Answer =
  | Omit<WebhookAnswer & { readonly ok: true }, 'response'>
  | Omit<WebhookAnswer & { readonly ok: false }, 'response'>;

function answerOf({ statusCode: status = 0, headers }: IncomingMessage): Answer {
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  const isBusy = status === 429 || status === 503;
  return {
    ok: false,
    status,
    problem: isRedirect ? 'redirected' : 'responded',
    reason: isRedirect
      ? `The receiver responded with a redirect (${status}), which is not followed.`
      : `The receiver responded with ${status}.`,
    gone: status === 410,
    retryAfterSeconds: isBusy ? secondsIn(headers['retry-after'], Date.now()) : undefined,
  };
}

/** Reads the body. Returns what is known of its beginning. */
function readBeginning(response: IncomingMessage): () => string | null {
  const timer = setTimeout(() => response.destroy(), answerBodyMaxMs);
  const kept: Buffer[] = [];
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (bytes < answerKeptBytes) kept.push(chunk.subarray(0, answerKeptBytes - bytes));
    bytes += chunk.length;
    if (bytes > answerBodyMaxBytes) response.destroy();
  });
  // Errors no longer matter: the status is known.
  response.on('error', () => {});
  response.on('close', () => clearTimeout(timer));
  return () => Buffer.concat(kept).toString('utf8').replaceAll('\0', '') || null;
}

function failed(problem: WebhookProblem, reason: string): WebhookAnswer {
  return {
    ok: false,
    status: null,
    problem,
    reason,
    gone: false,
    retryAfterSeconds: undefined,
    response: null,
  };
}

function failureOf(failure: unknown, socket: unknown): WebhookAnswer {
  if (failure instanceof HostRefused) return failed('hostRefused', failure.message);
  const code = codeText(codeOf(failure));
  switch (connectionFailure(failure, socket)) {
    case 'certificate':
      return failed('certificateNotTrusted', `The certificate of the receiver is not trusted${code}.`);
    case 'closed':
      return failed('closed', 'The receiver closed the connection before it responded.');
    case 'refused':
      return failed('refused', 'The receiver refused the connection.');
    case 'timeout':
      return timedOut;
    case 'not_http':
      return failed('invalidResponse', `The response of the receiver is not valid HTTP${code}.`);
    case 'tls':
      return failed('tls', `Could not establish a secure connection to the receiver${code}.`);
    case 'other':
      return failed('unreachable', `Cannot reach the receiver${code}.`);
  }
}
