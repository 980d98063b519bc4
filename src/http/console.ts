import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { pathNotFound } from './error-replies.js';
import { StaticFile } from './static-file.js';

const builtConsole = fileURLToPath(new URL('../../dist/console', import.meta.url));

/** The console is a single-page app. */
export const consolePaths = [
  '/',
  '/users',
  '/users/*',
  '/organizations',
  '/tags',
  '/import',
  '/feeds',
  '/feeds/*',
  '/activity',
  '/activity/*',
  '/changes',
  '/settings',
  '/settings/*',
  '/system',
  '/system/*',
  '/account',
  '/signed-in',
  '/new-password',
  '/sign-in/*',
];

/** Only the console's own files and the API, and no other scripts; its components set inline styles. */
const contentPolicy =
  "default-src 'none'; base-uri 'none'; connect-src 'self'; font-src 'self'; form-action 'self'; frame-ancestors 'none'; img-src 'self' data:; manifest-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'";

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

const route = { config: { always: true, plain: true }, schema: { hide: true } } as const;

/** The HTML document of the console; undefined if the service was built without it. */
export function consoleDocument(): StaticFile | undefined {
  const documentFile = join(builtConsole, 'index.html');
  if (!existsSync(documentFile)) return undefined;
  return StaticFile.ofText(readFileSync(documentFile, 'utf8'), {
    type: 'text/html; charset=utf-8',
    cacheControl: 'no-cache', // it references the assets of this version
    headers: { 'content-security-policy': contentPolicy },
  });
}

/** Clients of the API get JSON: some HTTP libraries accept HTML by default. */
const apiPath = /^\/+(?:service|oauth|oidc|assets|\.well-known)(?:\/|\?|$)/i;

/** Whether a browser opens the URL, so that the console says that there is no such page. */
export function isNavigation({ method, url, headers }: FastifyRequest): boolean {
  const isRead = method === 'GET' || method === 'HEAD';
  return isRead && !apiPath.test(url) && /\btext\/html\b/i.test(headers.accept ?? '');
}

/** Serves the web console. It is a client like any other: everything it does goes through the API. */
export async function consoleRoutes(
  app: FastifyInstance,
  { document }: { readonly document: StaticFile | undefined },
): Promise<void> {
  if (!document) return;
  for (const url of consolePaths) {
    app.get(url, route, (request, reply) => document.send(request, reply));
  }
  const assets = readAssets(join(builtConsole, 'assets'));
  app.get<{ Params: { '*': string } }>('/assets/*', route, async (request, reply) => {
    const asset = assets.get(request.params['*']);
    if (!asset) throw pathNotFound();
    return asset.send(request, reply);
  });
}

/** Looked up by name, so that no path can lead elsewhere. Compressed variants are not separate files. */
function readAssets(directory: string): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(directory).filter((name) => !/\.(?:br|gz)$/.test(name));
  return new Map(
    names.map((name) => [
      name,
      StaticFile.at(join(directory, name), {
        type: types[extname(name)] ?? 'application/octet-stream',
        // The name of an asset contains a hash of its content.
        cacheControl: 'public, max-age=31536000, immutable',
      }),
    ]),
  );
}
