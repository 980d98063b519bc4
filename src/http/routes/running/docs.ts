import { readdirSync } from 'node:fs';
import { extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pathNotFound } from '../../error-replies.js';
import { StaticFile } from '../../static-file.js';

/**
 * Built by `npm run build:service`: generating it here would block the event loop for a tenth of a second, and the YAML
 * for half a second.
 */
const builtDocuments = fileURLToPath(new URL('../../../../dist/api', import.meta.url));

const builtPage = join(builtDocuments, 'page');

/** Only the page's own files; Swagger UI sets some inline styles. */
const contentPolicy =
  "default-src 'self'; base-uri 'self'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'";

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
};

const route = { config: { always: true, plain: true }, schema: { hide: true } } as const;

/** The API description, and a page to read and try it. */
export function docsRoutes(app: FastifyInstance): void {
  const json = builtDocument('openapi.json', 'application/json; charset=utf-8');
  const yaml = builtDocument('openapi.yaml', 'application/yaml; charset=utf-8');
  const serve = (url: string, file: StaticFile) =>
    app.get(url, route, (request, reply) => file.send(request, reply));
  serve('/openapi.json', json);
  serve('/docs/json', json);
  serve('/docs/yaml', yaml);
  // Its URLs are relative, so that it works behind a proxy with a path prefix, and depend on the slash at the end.
  const page = pageFile('index.html', 'no-cache');
  app.get('/docs', route, (request, reply) =>
    /^[^?]*\/(?:\?|$)/.test(request.url) ? page.send(request, reply) : reply.redirect('docs/', 308),
  );

  // Not before they are asked for: this app also describes itself for the build that makes them.
  let files: ReadonlyMap<string, StaticFile> | undefined;
  app.get<{ Params: { '*': string } }>('/docs/static/*', route, async (request, reply) => {
    files ??= pageFiles();
    const file = files.get(request.params['*']);
    if (!file) throw pathNotFound();
    return file.send(request, reply);
  });
}

function builtDocument(name: string, type: string): StaticFile {
  return StaticFile.at(join(builtDocuments, name), { type, cacheControl: 'public, max-age=60' });
}

function pageFiles(): ReadonlyMap<string, StaticFile> {
  const names = readdirSync(builtPage, { recursive: true, encoding: 'utf8' }).map((name) =>
    name.replaceAll(sep, '/'),
  );
  return new Map(names.flatMap((name) => (extname(name) in types ? [[name, pageFile(name)]] : [])));
}

/** Opening one of the files directly is subject to the same policy. */
function pageFile(name: string, cacheControl = 'public, max-age=3600'): StaticFile {
  return StaticFile.at(join(builtPage, name), {
    type: types[extname(name)] ?? '',
    cacheControl,
    headers: { 'content-security-policy': contentPolicy },
  });
}
