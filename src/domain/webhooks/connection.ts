import type { LookupFunction } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { ResolvedAddress } from './webhook-url.js';

/** Node's default of 250 ms per address is too short across continents, and no request of ours is urgent. */
export const addressTryMs = 2_000;

/** A lookup that knows one answer, so that a connection uses an address that was checked. */
export function lookupAmong(addresses: readonly [ResolvedAddress, ...ResolvedAddress[]]): LookupFunction {
  return (_hostname, { all }, callback) => {
    if (all) callback(null, [...addresses]);
    else callback(null, addresses[0].address, addresses[0].family);
  };
}

type ConnectionFailure = 'certificate' | 'closed' | 'refused' | 'timeout' | 'not_http' | 'tls' | 'other';

/** What ended a request. The socket is the one it used. */
export function connectionFailure(failure: unknown, socket: unknown): ConnectionFailure {
  const code = codeOf(failure);
  // Certificate error codes follow no pattern, but the socket records the failure.
  if (socket instanceof TLSSocket && socket.authorizationError) return 'certificate';
  // Without an error the connection just ended, as after a protocol switch (101).
  if (failure === undefined || isReset(failure)) return 'closed';
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (/^HPE_/.test(code)) return 'not_http';
  return /^(?:EPROTO|ERR_SSL_|ERR_TLS_)/.test(code) ? 'tls' : 'other';
}

export function isReset(failure: unknown): boolean {
  return ['ECONNRESET', 'EPIPE'].includes(codeOf(failure));
}

/** If several addresses were tried, the code of the first. */
export function codeOf(failure: unknown): string {
  const { code } = Object(failure) as { code?: unknown };
  return typeof code === 'string' ? code : '';
}
