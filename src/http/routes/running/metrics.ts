import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { failure, retry } from '../../../contract/errors.js';
import { metricsContentType } from '../../../telemetry/metrics.js';
import { RequestRejected } from '../../request-rejected.js';

export interface MetricsOptions {
  readonly token: string;
  /** Of this node, in the text format of Prometheus. */
  readonly text: () => Promise<string>;
}

/** Metrics on the main port, for whoever knows the token. Answers during a database outage. */
export function metricsRoute(app: FastifyInstance, { token, text }: MetricsOptions): void {
  const isRight = tokenCheck(token);
  app.get('/metrics', {
    config: { always: true, plain: true },
    schema: { hide: true },
    logLevel: 'error',
    handler: async (request, reply) => {
      if (!isRight(request.headers.authorization)) throw tokenRequired();
      const metrics = await text().catch(() => {
        throw notAvailable();
      });
      return reply.type(metricsContentType).header('cache-control', 'no-store').send(metrics);
    },
  });
}

/** The process that supervises this one did not answer. */
function notAvailable(): RequestRejected {
  return new RequestRejected(
    failure('SERVICE_UNAVAILABLE', 'The metrics are not available. Retry in a moment.', retry),
  );
}

function tokenRequired(): RequestRejected {
  return new RequestRejected(
    failure(
      'ACCESS_TOKEN_REQUIRED',
      'Send "Authorization: Bearer <token>" with the token in ROLLCALL_METRICS_TOKEN.',
    ),
    { 'www-authenticate': 'Bearer' },
  );
}

/** Compares hashes, which have the same length, so that the time tells nothing about the token. */
export function tokenCheck(token: string): (sent: string | undefined) => boolean {
  const expected = hashOf(token);
  return (sent) => {
    const [, value = ''] = /^bearer +(\S+)$/i.exec(sent?.trim() ?? '') ?? [];
    return timingSafeEqual(hashOf(value), expected);
  };
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
