import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import type { TargetError } from '../contract/enums.js';
import { scimTargetLimits } from '../contract/limits.js';
import type { AllowedHost } from '../contract/webhook-hosts.js';
import {
  bodyIn,
  type TargetAnswer,
  type TargetFailure,
  type TargetRequest,
} from '../domain/provisioning/target-client.js';
import { addressTryMs, connectionFailure, isReset, lookupAmong } from '../domain/webhooks/connection.js';
import {
  type Lookup,
  resolveTarget,
  type WebhookTargets,
  webhookUrlProblem,
} from '../domain/webhooks/webhook-url.js';
import { secondsIn } from './retry.js';

/** Where a target is, and how it knows us. */
export interface TargetAddress {
  readonly url: string;
  readonly token: string;
}

export interface TargetSender {
  send(target: TargetAddress, request: TargetRequest, signal: AbortSignal): Promise<TargetAnswer>;
  /** Closes all connections. */
  close(): void;
}

export interface TargetSenderOptions {
  readonly targets: WebhookTargets;
  /** Any host if empty. */
  readonly allowedHosts: readonly AllowedHost[];
  /** For the whole request. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** Replaces the system's lookup in tests. */
  readonly lookup?: Lookup | undefined;
}

const keptIdleMaxMs = 30_000;

/** All requests to SCIM targets go through here. They follow the rules of webhooks. */
export function openTargetSender(options: TargetSenderOptions): TargetSender {
  const { targets, allowedHosts, timeoutMs, userAgent, lookup } = options;
  const kept = { keepAlive: true, timeout: keptIdleMaxMs };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };
  return {
    async send({ url: base, token }, { method, path, body }, signal) {
      const text = `${base}${path}`;
      // IP addresses in the URL never reach the lookup, so they are checked here.
      if (webhookUrlProblem(base, targets, allowedHosts) !== undefined) return failed('hostRefused');
      const url = new URL(text);
      const payload = body === undefined ? undefined : JSON.stringify(body);
      const request = {
        method,
        agent: url.protocol === 'https:' ? agents.https : agents.http,
        lookup: checkedLookup(targets, lookup),
        autoSelectFamilyAttemptTimeout: addressTryMs,
        headers: {
          authorization: `Bearer ${token}`,
          accept: 'application/scim+json, application/json',
          'user-agent': userAgent,
          ...(payload === undefined
            ? {}
            : { 'content-type': 'application/scim+json', 'content-length': Buffer.byteLength(payload) }),
        },
      };
      const ending = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
      const first = await exchange(url, request, payload, ending);
      // Without an agent the connection is new. Other kept connections may be just as stale.
      const answer =
        first === 'stale' ? await exchange(url, { ...request, agent: false }, payload, ending) : first;
      if (signal.aborted && answer !== 'stale' && !answer.ok) return failed('stopped');
      return answer === 'stale' ? failed('unreachable') : answer;
    },
    close() {
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

function failed(error: TargetFailure['error'], status: number | null = null): TargetFailure {
  return { ok: false, error, status };
}

/** The host has no address, or one that is not allowed. */
class HostRefused extends Error {}

/** Returns only checked addresses, and the connection uses one of them. */
function checkedLookup(targets: WebhookTargets, lookup: Lookup | undefined): LookupFunction {
  return (hostname, options, callback) => {
    void resolveTarget(hostname, targets, lookup).then((found) => {
      if (found.ok) lookupAmong(found.addresses)(hostname, options, callback);
      else callback(found.code === 'address_refused' ? new HostRefused() : new Error(found.code), []);
    });
  };
}

/** Stale: the target had closed the kept connection, which shows only on use. */
function exchange(
  url: URL,
  options: https.RequestOptions,
  payload: string | undefined,
  signal: AbortSignal,
): Promise<TargetAnswer | 'stale'> {
  return new Promise((resolve) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, options);
    const end = () => request.destroy();
    let failure: unknown;
    let answering = false;
    if (signal.aborted) end();
    signal.addEventListener('abort', end);
    request.on('response', (response) => {
      answering = true;
      void answerOf(response)
        .catch(() => failed(signal.aborted ? 'timedOut' : 'invalidResponse'))
        .then(resolve);
    });
    request.on('error', (error) => {
      failure = error;
    });
    request.on('close', () => {
      signal.removeEventListener('abort', end);
      if (answering) return;
      const isStale = !signal.aborted && request.reusedSocket && isReset(failure);
      if (isStale) resolve('stale');
      else resolve(failed(signal.aborted ? 'timedOut' : errorOf(failure, request.socket)));
    });
    request.end(payload);
  });
}

function errorOf(failure: unknown, socket: unknown): TargetError {
  if (failure instanceof HostRefused) return 'hostRefused';
  switch (connectionFailure(failure, socket)) {
    case 'certificate':
    case 'tls':
      return 'certificateNotTrusted';
    case 'timeout':
      return 'timedOut';
    case 'not_http':
      return 'invalidResponse';
    default:
      return 'unreachable';
  }
}

async function answerOf(response: IncomingMessage): Promise<TargetAnswer> {
  const status = response.statusCode ?? 0;
  if (status < 200 || status > 299) {
    response.destroy();
    const { 'retry-after': retryAfter } = response.headers;
    return { ...failed(errorOfStatus(status), status), retryAfterSeconds: secondsIn(retryAfter, Date.now()) };
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > scimTargetLimits.responseMaxBytes) return failed('responseTooLarge', status);
    chunks.push(chunk);
  }
  return { ok: true, status, body: bodyIn(Buffer.concat(chunks).toString('utf8')) };
}

function errorOfStatus(status: number): TargetError {
  if (status === 401) return 'unauthorized';
  if (status === 404 || status === 410) return 'notFound';
  if (status === 409) return 'conflict';
  if (status === 429) return 'rateLimited';
  if (status >= 300 && status < 400) return 'redirected';
  return status >= 500 ? 'serverError' : 'rejected';
}
