import type { IncomingMessage } from 'node:http';
import { failure } from '../contract/errors.js';
import { RequestRejected } from './request-rejected.js';

/** A host name or address as in a URL, optionally with a port (RFC 3986, section 3.2). */
const validHost = /^(?:\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._~!$&'()*+,;=%-]*)(?::\d{0,5})?$/;

/**
 * Rejects what Node's parser accepts although RFC 9112 does not: other HTTP versions, and a Host header that is
 * missing, repeated or invalid. Such requests allow smuggling between parties that read them differently.
 */
export function checkRequestSyntax({ httpVersion, headers, rawHeaders }: IncomingMessage): void {
  if (httpVersion !== '1.1' && httpVersion !== '1.0') {
    throw malformed('This HTTP version is not supported. Use HTTP/1.1.');
  }
  const { host } = headers;
  if (host === undefined) {
    if (httpVersion === '1.1') throw malformed('The Host header is missing. Send one.');
    return;
  }
  if (!validHost.test(host)) {
    throw malformed('The Host header must be a host name or address, with an optional port.');
  }
  if (isRepeated('host', rawHeaders)) throw malformed('The Host header appears more than once. Send one.');
  if (headers.authorization !== undefined && isRepeated('authorization', rawHeaders)) {
    throw malformed('The Authorization header appears more than once. Send one.');
  }
}

/** Node silently keeps the first of two. Names are at even indexes. */
function isRepeated(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at];
    if (given?.length === name.length && given.toLowerCase() === name && ++count > 1) return true;
  }
  return false;
}

function malformed(detail: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_MALFORMED', detail), { connection: 'close' });
}
