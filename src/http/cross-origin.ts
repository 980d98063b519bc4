import type { FastifyReply, FastifyRequest } from 'fastify';

const allowed = {
  'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
  'access-control-allow-headers':
    'Accept, Authorization, Content-Encoding, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Traceparent, Tracestate, X-Request-Id',
  'access-control-max-age': '7200',
};
const exposed =
  'Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, Sunset, WWW-Authenticate, X-Call-Id, X-Request-Id';

/**
 * Lets pages of these origins call the service. They send a token, never a cookie, so nobody can act in the name of a user
 * who is signed in to the console. Returns whether a preflight was answered.
 */
export function crossOriginRules(origins: readonly string[]) {
  const known = new Set(origins);
  return (request: FastifyRequest, reply: FastifyReply): boolean => {
    if (known.size === 0) return false;
    reply.header('vary', 'Origin');
    const { origin = '' } = request.headers;
    if (!known.has(origin)) return false;
    reply.headers({
      'access-control-allow-origin': origin,
      'access-control-expose-headers': exposed,
      'cross-origin-resource-policy': 'cross-origin',
    });
    if (request.method !== 'OPTIONS' || !request.headers['access-control-request-method']) return false;
    reply.code(204).headers(allowed).send();
    return true;
  };
}
