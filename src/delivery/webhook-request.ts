import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { AllowedHost } from '../contract/webhook-hosts.js';
import {
  type Lookup,
  resolveTarget,
  type WebhookTargets,
  webhookUrlProblem,
} from '../domain/webhooks/webhook-url.js';
import { shownCode } from './message.js';

export interface WebhookRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type WebhookAnswer =
  | { readonly ok: true; readonly status: number }
  | {
      readonly ok: false;
      /** Null when no answer came. */
      readonly status: number | null;
      /** A sentence for an administrator. It repeats neither the URL nor anything that the receiver said. */
      readonly reason: string;
      /** The receiver wants nothing more, ever (410). */
      readonly gone: boolean;
      /** When the receiver that is busy (429, 503) wants to be asked again. */
      readonly retryAfterSeconds: number | undefined;
    };

export interface WebhookPost {
  /** Never rejects: every failure is an answer. */
  post(request: WebhookRequest): Promise<WebhookAnswer>;
  /** Ends what is under way, and every connection that was kept. */
  close(): void;
}

export interface WebhookPostOptions {
  readonly targets: WebhookTargets;
  /** Empty, or absent: any host. */
  readonly allowedHosts?: readonly AllowedHost[];
  /** For the whole of one post: finding the address, connecting, both tries where there are two, and the answer. */
  readonly timeoutMs: number;
  readonly userAgent: string;
  /** In place of the system's, for tests. */
  readonly lookup?: Lookup | undefined;
  /** Certificates to trust in place of the well-known ones, for tests. */
  readonly ca?: string | undefined;
}

export const retryAfterMaxSeconds = 3_600;

/** What an answer says is of no use here. It is read so that the connection can be used again, within limits. */
const answerBodyMaxBytes = 16 * 1024;
const answerBodyMaxMs = 500;
const keptIdleMaxMs = 30_000;
/** Node gives each of several addresses 250 ms, too little for another continent; nobody waits for a webhook. */
const addressTryMs = 2_000;

const timedOut = 'The receiver did not answer in time.';
const stopped = 'The service stopped before the receiver answered.';

/** The one place that speaks to the receivers of webhooks. */
export function openWebhookPost(options: WebhookPostOptions): WebhookPost {
  const { targets, allowedHosts, timeoutMs, userAgent, lookup, ca } = options;
  const kept = { keepAlive: true, timeout: keptIdleMaxMs };
  const agents = { http: new http.Agent(kept), https: new https.Agent(kept) };
  const connecting = {
    lookup: checkedLookup(targets, lookup),
    autoSelectFamilyAttemptTimeout: addressTryMs,
    ...(ca === undefined ? {} : { ca }),
  };
  const underWay = new Set<AbortController>();
  let isClosed = false;

  async function send({ url, headers, body }: WebhookRequest, signal: AbortSignal): Promise<WebhookAnswer> {
    const address = new URL(url);
    const request = {
      ...connecting,
      method: 'POST',
      headers: { 'content-type': 'application/json', 'user-agent': userAgent, ...headers },
    };
    const agent = address.protocol === 'https:' ? agents.https : agents.http;
    const first = await exchange(address, { ...request, agent }, body, signal);
    if (!first.wasStale) return first.answer;
    // Without an agent the connection is a new one. Others that were kept may be as dead as this.
    const second = await exchange(address, { ...request, agent: false }, body, signal);
    return second.answer;
  }

  return {
    async post(request) {
      // Addresses that are written out never reach the lookup, so this is also where they are checked.
      const problem = webhookUrlProblem(request.url, targets, allowedHosts);
      if (problem !== undefined) return failed(`The URL of the receiver ${problem}.`);
      if (isClosed) return failed(stopped);
      const ending = new AbortController();
      const deadline = setTimeout(() => ending.abort(timedOut), timeoutMs);
      underWay.add(ending);
      try {
        return await send(request, ending.signal);
      } catch (error) {
        return failed(`The request to the receiver cannot be made${shownCode(codeOf(error))}.`);
      } finally {
        clearTimeout(deadline);
        underWay.delete(ending);
      }
    },
    close() {
      isClosed = true;
      for (const ending of underWay) ending.abort(stopped);
      agents.http.destroy();
      agents.https.destroy();
    },
  };
}

/** The host has no address, or one that nothing may be sent to. */
class HostRefused extends Error {}

/** Answers with addresses that were checked, and with those alone: the connection is made to one of them. */
function checkedLookup(targets: WebhookTargets, lookup: Lookup | undefined): LookupFunction {
  return (hostname, { all }, callback) => {
    void resolveTarget(hostname, targets, lookup).then((target) => {
      if (!target.ok) callback(new HostRefused(`The host of the receiver ${target.problem}.`), []);
      else if (all) callback(null, [...target.addresses]);
      else callback(null, target.addresses[0].address, target.addresses[0].family);
    });
  };
}

interface Exchange {
  readonly answer: WebhookAnswer;
  /** The receiver had given up the kept connection, which shows only when it is used. */
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
    let answer: WebhookAnswer | undefined;
    let trouble: unknown;
    signal.addEventListener('abort', end);
    request.on('response', (response) => {
      answer = answerOf(response);
      discardBody(response);
    });
    request.on('error', (error) => {
      trouble = error;
    });
    // Not sooner: from here on the connection is free for the next request.
    request.on('close', () => {
      signal.removeEventListener('abort', end);
      resolve({
        answer: answer ?? failed(signal.aborted ? signal.reason : reasonOf(trouble, request.socket)),
        wasStale: answer === undefined && !signal.aborted && request.reusedSocket && isReset(trouble),
      });
    });
    request.end(body);
  });
}

function answerOf({ statusCode: status = 0, headers }: IncomingMessage): WebhookAnswer {
  if (status >= 200 && status < 300) return { ok: true, status };
  const isRedirect = status >= 300 && status < 400;
  const isBusy = status === 429 || status === 503;
  return {
    ok: false,
    status,
    reason: isRedirect
      ? `The receiver answered with a redirect (${status}), which is not followed.`
      : `The receiver answered ${status}.`,
    gone: status === 410,
    retryAfterSeconds: isBusy ? secondsIn(headers['retry-after'], Date.now()) : undefined,
  };
}

/** The header has a number of seconds or a date; nobody can put us off for longer than an hour. */
function secondsIn(retryAfter: string | undefined, nowMs: number): number | undefined {
  if (retryAfter === undefined) return undefined;
  if (/^\d+$/.test(retryAfter)) return Math.min(Number(retryAfter), retryAfterMaxSeconds);
  // Date.parse finds a date in nearly everything; those of HTTP end with GMT.
  const dateMs = retryAfter.endsWith('GMT') ? Date.parse(retryAfter) : Number.NaN;
  if (Number.isNaN(dateMs)) return undefined;
  return Math.min(Math.max(Math.ceil((dateMs - nowMs) / 1000), 0), retryAfterMaxSeconds);
}

function discardBody(response: IncomingMessage): void {
  const patience = setTimeout(() => response.destroy(), answerBodyMaxMs);
  let bytes = 0;
  response.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > answerBodyMaxBytes) response.destroy();
  });
  // Whatever goes wrong now, the status has been given.
  response.on('error', () => {});
  response.on('close', () => clearTimeout(patience));
}

function failed(reason: string): WebhookAnswer {
  return { ok: false, status: null, reason, gone: false, retryAfterSeconds: undefined };
}

function reasonOf(trouble: unknown, socket: unknown): string {
  if (trouble instanceof HostRefused) return trouble.message;
  const code = codeOf(trouble);
  // The codes of certificates follow no pattern, but the connection knows that it stumbled over one.
  if (socket instanceof TLSSocket && socket.authorizationError) {
    return `The certificate of the receiver is not trusted${shownCode(code)}.`;
  }
  // Without an error the connection just ended, as after an answer that changes the protocol (101).
  if (trouble === undefined || isReset(trouble)) {
    return 'The receiver closed the connection before it answered.';
  }
  if (code === 'ECONNREFUSED') return 'The receiver refused the connection.';
  if (code === 'ETIMEDOUT') return timedOut;
  if (/^HPE_/.test(code)) return `The receiver answered with something that is not HTTP${shownCode(code)}.`;
  if (/^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code)) {
    return `No secure connection to the receiver can be made${shownCode(code)}.`;
  }
  return `The receiver cannot be reached${shownCode(code)}.`;
}

function isReset(trouble: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(trouble));
}

/** Of several addresses that were tried it is the code of the first. */
function codeOf(trouble: unknown): string {
  const { code } = Object(trouble) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
