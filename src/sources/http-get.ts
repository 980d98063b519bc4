import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';
import { addressTryMs, connectionFailure, lookupAmong } from '../domain/webhooks/connection.js';
import { checkedAddresses, type HostRules } from './checked-host.js';
import { errorCodeOf } from './error-code.js';
import type { ReadDeadline } from './read-deadline.js';

export interface HttpOptions extends HostRules {
  readonly userAgent: string;
  /** Trusted certificates for tests. */
  readonly ca?: string | undefined;
}

/** All HTTP requests to sources go through here. Throws SourceFailed if there is no response. */
export async function httpGet(
  url: URL,
  headers: Readonly<Record<string, string>>,
  options: HttpOptions,
  deadline: ReadDeadline,
): Promise<IncomingMessage> {
  if (url.username !== '' || url.password !== '') throw new SourceFailed({ code: 'invalid_url' });
  const addresses = await checkedAddresses(url, options, deadline);
  const { userAgent, ca } = options;
  const requestOptions = {
    // A connection of its own, which ends with the response.
    agent: false,
    lookup: lookupAmong(addresses),
    autoSelectFamilyAttemptTimeout: addressTryMs,
    headers: { 'user-agent': userAgent, ...headers },
    ...(ca === undefined ? {} : { ca }),
  };
  const request = (url.protocol === 'https:' ? https : http).request(url, requestOptions);
  deadline.onEnd(() => request.destroy());
  return deadline.wait(
    new Promise((resolve, reject) => {
      const fail = (error?: unknown) => reject(new SourceFailed(requestProblem(error, request.socket)));
      request.on('response', (response) => {
        // The error also ends the iteration. Without a listener, it would end the process.
        response.on('error', () => {});
        resolve(response);
      });
      request.on('error', fail);
      request.on('close', fail);
      request.end();
    }),
  );
}

/** The URL, if it is one that may be requested. Throws SourceFailed otherwise. */
export function sourceUrl(text: string, { targets }: HostRules): URL {
  if (!URL.canParse(text)) throw new SourceFailed({ code: 'invalid_url' });
  const url = new URL(text);
  const isSecure = url.protocol === 'https:';
  if (!isSecure && (targets === 'public' || url.protocol !== 'http:')) {
    throw new SourceFailed({ code: 'insecure_url' });
  }
  return url;
}

function requestProblem(error: unknown, socket: unknown): SourceProblem {
  const errorCode = errorCodeOf(error);
  switch (connectionFailure(error, socket)) {
    case 'certificate':
      return { code: 'certificate_not_trusted', errorCode };
    case 'closed':
      return { code: 'connection_closed', errorCode };
    case 'timeout':
      return { code: 'timed_out' };
    case 'not_http':
      return { code: 'invalid_response', errorCode };
    case 'tls':
      return { code: 'tls_failed', errorCode };
    case 'refused':
    case 'other':
      return { code: 'unreachable', errorCode };
  }
}
