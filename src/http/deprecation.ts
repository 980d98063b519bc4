import type { FastifyReply } from 'fastify';
import type { Deprecation } from '../contract/deprecation.js';
import type { HeaderSet } from './security-headers.js';
import './types.js';

/** Tells the caller that the request used, or the reply contains, something deprecated. */
export function announceDeprecated(reply: FastifyReply, ...used: readonly Deprecation[]): void {
  if (used.length === 0) return;
  reply.deprecations = [...(reply.deprecations ?? []), ...used];
  reply.headers(deprecationHeaders(reply.deprecations));
}

/** The headers of RFC 9745 and RFC 8594. If a request uses several deprecated things, the earliest dates count. */
export function deprecationHeaders(used: readonly Deprecation[]): HeaderSet {
  const earliest = (dates: readonly string[]) => Math.min(...dates.map((date) => Date.parse(date)));
  const sunsets = used.flatMap(({ sunset }) => sunset ?? []);
  const links = [...new Set(used.map(({ link }) => `<${link}>; rel="deprecation"`))];
  return {
    deprecation: `@${earliest(used.map(({ since }) => since)) / 1_000}`,
    ...(sunsets.length === 0 ? {} : { sunset: new Date(earliest(sunsets)).toUTCString() }),
    link: links.join(', '),
  };
}
