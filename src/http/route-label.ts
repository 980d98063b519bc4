import type { FastifyRequest } from 'fastify';

/** The route pattern, never the URL: paths and queries contain serials, names and employee IDs. */
export function routeLabel(request: FastifyRequest): string {
  return (request.is404 ? undefined : request.routeOptions.url) ?? 'unknown';
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function methodLabel({ method }: FastifyRequest): string {
  return methods.has(method) ? method : 'other';
}
