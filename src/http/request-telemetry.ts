import { context, propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { currentTracer } from '../telemetry/tracing.js';

/** Traces every request, and continues the trace of the caller. Without a tracer, requests have no hooks for it. */
export function traceRequests(app: FastifyInstance): void {
  const tracer = currentTracer();
  if (!tracer) return;
  app.addHook('onRequest', (request, reply, done) => {
    if (isUninteresting(request)) return done();
    const route = routeLabel(request);
    const parent = parentOf(request);
    const span = tracer.startSpan(
      `${request.method} ${route}`,
      {
        kind: SpanKind.SERVER,
        attributes: { 'http.request.method': request.method, 'http.route': route },
      },
      parent,
    );
    request.span = span;
    reply.raw.once('close', () => {
      const { statusCode } = reply.raw;
      span.setAttribute('http.response.status_code', statusCode);
      if (statusCode >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    });
    const active = trace.setSpan(parent, span);
    context.bind(active, request.raw); // the body arrives in events of the socket
    context.with(active, done);
  });
}

/** Load balancers and scrapers ask every few seconds. */
function isUninteresting({ routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.isProbe === true || routeOptions.url === '/metrics';
}

/** An instrumentation of node:http may have begun a span already. */
function parentOf({ headers }: FastifyRequest) {
  const active = context.active();
  return trace.getSpan(active) ? active : propagation.extract(active, headers);
}

/** The route pattern, never the URL: paths and queries contain serials, names and employee IDs. */
export function routeLabel(request: FastifyRequest): string {
  return (request.is404 ? undefined : request.routeOptions.url) ?? 'unknown';
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function methodLabel({ method }: FastifyRequest): string {
  return methods.has(method) ? method : 'other';
}
