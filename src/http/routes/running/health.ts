import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { failure, retry } from '../../../contract/errors.js';
import type { Database } from '../../../domain/database.js';
import { databaseIsReady, type Readiness } from '../../../domain/maintenance/readiness.js';
import { describeOperation } from '../../openapi.js';
import { RequestRejected } from '../../request-rejected.js';

const Health = Type.Object({ status: Type.String(), message: Type.String() }, { title: 'Health' });
const config = { always: true, plain: true, isProbe: true } as const;

export function healthRoutes(app: FastifyInstance, database: Database, readiness: Readiness): void {
  const isReady = singleFlight(() => databaseIsReady(database));
  app.get('/healthz', {
    config,
    logLevel: 'error',
    schema: describeOperation({
      operationId: 'getHealth',
      summary: 'Check that the process is running',
      description: 'Says nothing about the database: use it to restart a process that hangs.',
      tag: 'Operations',
      secured: false,
      success: {
        status: 200,
        description: 'It runs.',
        schema: Health,
        example: { status: 'success', message: 'The process is running.' },
      },
      errors: ['REQUEST_MALFORMED'],
    }),
    handler: async () => ({ status: 'success', message: 'The process is running.' }),
  });

  app.get('/readyz', {
    config,
    logLevel: 'error',
    schema: describeOperation({
      operationId: 'getReadiness',
      summary: 'Check that requests can be served',
      description: 'Ready means that the database responds and its schema is up to date.',
      tag: 'Operations',
      secured: false,
      success: {
        status: 200,
        description: 'Requests can be served.',
        schema: Health,
        example: { status: 'success', message: 'Ready.' },
      },
      errors: ['REQUEST_MALFORMED', 'SERVICE_UNAVAILABLE'],
    }),
    handler: async (_request, reply) => {
      if (readiness.state !== 'ready') throw new RequestRejected(readiness.failure());
      if (await isReady()) return reply.send({ status: 'success', message: 'Ready.' });
      throw new RequestRejected(
        failure('SERVICE_UNAVAILABLE', 'The database schema is out of date. Run the migrations.', retry),
      );
    },
  });
}

/** Probes are not rate-limited, so concurrent ones share a single database query. */
function singleFlight<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | undefined;
  return () => {
    running ??= ask().finally(() => {
      running = undefined;
    });
    return running;
  };
}
