import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';

const builtConsole = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** The pages of the console are one document, which looks at the path itself. */
const pages = ['/', '/people', '/people/*', '/bulk/*', '/activity', '/activity/*', '/account'];

/** The console's own files and the API, and no script but those; its components set styles inline. */
const contentPolicy =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; manifest-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'";

const documentHeaders = {
  'content-security-policy': contentPolicy,
  'cache-control': 'no-cache', // it names the assets of this very version
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

const open = { always: true, plain: true, rateLimit: false } as const;

/** Serves the web console. It is a client like any other: everything it does goes through the API. */
export async function consoleRoutes(app: FastifyInstance): Promise<void> {
  const documentFile = join(builtConsole, 'index.html');
  if (!existsSync(documentFile)) return; // built without it: the API is there all the same
  const document = readFileSync(documentFile, 'utf8');
  for (const url of pages) {
    app.get(url, { config: open, schema: { hide: true } }, async (_request, reply) =>
      reply.headers(documentHeaders).type('text/html; charset=utf-8').send(document),
    );
  }
  app.addHook('onRoute', (route) => {
    route.config = { ...route.config, ...open };
    route.schema = { ...route.schema, hide: true };
  });
  await app.register(fastifyStatic, {
    root: join(builtConsole, 'assets'),
    prefix: '/assets/',
    decorateReply: false,
    index: false,
    preCompressed: true,
    // The name of an asset holds a hash of what is in it.
    immutable: true,
    maxAge: '365d',
    setHeaders: (reply) => reply.header('x-content-type-options', 'nosniff'),
  });
}
