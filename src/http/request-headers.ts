import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { v4 } from 'uuid';
import { failure } from '../contract/errors.js';
import { requestIdMaxLength } from '../contract/limits.js';
import { RequestRejected } from './request-rejected.js';

const saneRequestId = new RegExp(`^[A-Za-z0-9._~:/+=@-]{1,${requestIdMaxLength}}$`);

/** The caller's own request ID if it is a valid token, so that logs on both sides can be correlated. */
export function requestId(headers: IncomingHttpHeaders): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && saneRequestId.test(given) ? given : v4();
}

export const scimType = 'application/scim+json';
const jsonType = 'application/json';

/** Every reply is JSON, so an Accept header that excludes it is rejected. */
export function checkAccept(request: FastifyRequest): void {
  const { accept } = request.headers;
  const isScim = request.routeOptions.config.scim !== undefined;
  if (accept === undefined || acceptsJson(accept, isScim ? [jsonType, scimType] : [jsonType])) return;
  throw new RequestRejected(
    failure(
      'REQUEST_NOT_ACCEPTABLE',
      `Replies are ${isScim ? scimType : jsonType}. Include it in the Accept header, or omit the header.`,
    ),
  );
}

/** The most specific range that matches JSON decides (RFC 9110): `application/json;q=0, *\/*` excludes it. */
export function acceptsJson(accept: string, types: readonly string[] = [jsonType]): boolean {
  if (accept.trim() === '') return true;
  let best = { specificity: -1, quality: 0 };
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = types.includes(type) ? 2 : ['*/*', 'application/*'].indexOf(type);
    if (specificity > best.specificity) best = { specificity, quality: qualityOf(parameters) };
    else if (specificity === best.specificity && specificity >= 0) {
      best = { specificity, quality: Math.max(best.quality, qualityOf(parameters)) };
    }
  }
  return best.quality > 0;
}

function qualityOf(parameters: readonly string[]): number {
  const given = parameters.find((parameter) => /^q\s*=/.test(parameter));
  if (given === undefined) return 1;
  const quality = Number(given.slice(given.indexOf('=') + 1));
  return Number.isFinite(quality) ? quality : 0;
}

/**
 * A body must have a media type that the operation accepts. Parameters don't matter: clients send `charset=utf8`,
 * `odata.metadata=minimal` and others, and JSON is checked to be UTF-8 in any case.
 */
export function checkContentType(request: FastifyRequest, takes: readonly string[]): void {
  const { headers } = request;
  const contentType = headers['content-type'];
  if (contentType === undefined && !hasBody(headers)) return;
  const [type = ''] = (contentType ?? '').split(';', 1);
  if (!takes.includes(type.trim().toLowerCase())) {
    throw unsupported(`Send the body as ${takes.join(' or ')} in UTF-8.`);
  }
}

/** The media types of files with users. What they contain is detected. */
export const fileTypes = [
  'application/octet-stream',
  'text/csv',
  'application/x-ndjson',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
];

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

export function unsupported(detail: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_MEDIA_TYPE_UNSUPPORTED', detail));
}

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

/** The ETag of a user is its row version: a strong one, because every change increments it. */
export function etagOf(version: number): string {
  return `"${version}"`;
}

/** Whether an If-Match header names the version. Without the header, every version matches. */
export function matches(ifMatch: string | undefined): (version: number) => boolean {
  if (ifMatch === undefined) return () => true;
  const tags = ifMatch.split(',').map((tag) => tag.trim());
  return (version) => tags.includes('*') || tags.includes(etagOf(version));
}
