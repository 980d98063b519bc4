import type { FastifyInstance } from 'fastify';

/** The API's own description. */
export function docsRoutes(app: FastifyInstance): void {
  const config = { always: true, plain: true, rateLimit: false } as const;
  app.get('/openapi.json', { config, schema: { hide: true } }, async (_request, reply) =>
    reply.header('cache-control', 'public, max-age=60').send(app.swagger()),
  );
}
