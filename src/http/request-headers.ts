import type { IncomingHttpHeaders } from 'node:http';
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

/** Every reply is JSON, so an Accept header that excludes it is rejected. */
export function checkAccept(request: FastifyRequest): void {
  const { accept } = request.headers;
  if (accept === undefined || acceptsJson(accept)) return;
  throw new RequestRejected(
    failure(
      'REQUEST_NOT_ACCEPTABLE',
      'Replies are application/json. Include it in the Accept header, or omit the header.',
    ),
  );
}

/** The most specific range that matches JSON decides (RFC 9110): `application/json;q=0, *\/*` excludes it. */
export function acceptsJson(accept: string): boolean {
  if (accept.trim() === '') return true;
  let best = { specificity: -1, quality: 0 };
  for (const range of accept.split(',')) {
    const [type = '', ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    const specificity = ['*/*', 'application/*', 'application/json'].indexOf(type);
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

export function hasBody(headers: IncomingHttpHeaders): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

function unsupported(detail: string): RequestRejected {
  return new RequestRejected(failure('REQUEST_MEDIA_TYPE_UNSUPPORTED', detail));
}
