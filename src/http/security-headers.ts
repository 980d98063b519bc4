import type { FastifyReply, FastifyRequest } from 'fastify';

/** API replies are data: nothing may be loaded from them, and they cannot be framed. */
const apiContentPolicy = "default-src 'none'; frame-ancestors 'none'";

/** A year, as browsers' preload lists require. */
const hstsMaxAgeSeconds = 31_536_000;

export type HeaderSet = Readonly<Record<string, string>>;

/**
 * The headers of every reply unless its route overrides them: never stored, sniffed or framed, and of no use to other
 * origins. Routes with public documents replace Cache-Control, and pages replace Content-Security-Policy.
 */
export function securityHeaders(publicUrl: string | undefined): HeaderSet {
  return {
    'cache-control': 'no-store',
    'content-security-policy': apiContentPolicy,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    ...strictTransport(publicUrl),
  };
}

/** A service under a path shares its host, so it does not decide for the subdomains of that host. */
function strictTransport(publicUrl: string | undefined): HeaderSet {
  if (publicUrl === undefined) return {};
  const { protocol, pathname } = new URL(publicUrl);
  if (protocol !== 'https:') return {};
  const subdomains = pathname === '/' ? '; includeSubDomains' : '';
  return { 'strict-transport-security': `max-age=${hstsMaxAgeSeconds}${subdomains}` };
}

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
