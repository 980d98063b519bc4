import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FastifyInstance } from 'fastify';
import { pathNotFound } from '../../error-replies.js';
import { StaticFile } from '../../static-file.js';

/**
 * Built by `npm run build:service`: generating it here would block the event loop for a tenth of a second, and the YAML
 * for half a second.
 */
const builtDocuments = fileURLToPath(new URL('../../../../dist/api', import.meta.url));

/** The plugin bundles Swagger UI as published. Its routes are not used: they serialize the API on each request. */
const swaggerUi = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');

/** Only the page's own files; Swagger UI sets some inline styles. */
const contentPolicy =
  "default-src 'self'; base-uri 'self'; frame-ancestors 'none'; img-src 'self' data:; object-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'";

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
};

const swaggerUiFiles = [
  'favicon-16x16.png',
  'favicon-32x32.png',
  'index.css',
  'oauth2-redirect.html',
  'oauth2-redirect.js',
  'swagger-ui-bundle.js',
  'swagger-ui-standalone-preset.js',
  'swagger-ui.css',
];

const initializer = `const { presets, plugins } = SwaggerUIBundle;
const own = document.currentScript.src;
window.onload = () =>
  SwaggerUIBundle({
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: 'list',
    layout: 'StandaloneLayout',
    oauth2RedirectUrl: new URL('oauth2-redirect.html', own).href,
    plugins: [plugins.DownloadUrl],
    presets: [presets.apis, SwaggerUIStandalonePreset],
    tryItOutEnabled: true,
    url: new URL('../json', own).href,
    validatorUrl: null,
  });
`;

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
  // Relative URLs, so that the page works behind a proxy with a path prefix. They depend on the slash at the end.
  const [page, pageInFolder] = [pageFile('docs/static'), pageFile('static')];
  app.get('/docs', route, (request, reply) =>
    (/^[^?]*\/(?:\?|$)/.test(request.url) ? pageInFolder : page).send(request, reply),
  );

  const files = pageFiles();
  app.get<{ Params: { '*': string } }>('/docs/static/*', route, async (request, reply) => {
    const file = files.get(request.params['*']);
    if (!file) throw pathNotFound();
    return file.send(request, reply);
  });
}

function builtDocument(name: string, type: string): StaticFile {
  return StaticFile.at(join(builtDocuments, name), { type, cacheControl: 'public, max-age=60' });
}

/** Opening one of the files directly is subject to the same policy. */
const pageOptions = (type: string) => ({
  type,
  cacheControl: 'public, max-age=3600',
  headers: { 'content-security-policy': contentPolicy },
});

function pageFiles(): ReadonlyMap<string, StaticFile> {
  const published = swaggerUiFiles.map(
    (name) => [name, StaticFile.at(join(swaggerUi, name), pageOptions(types[extname(name)] ?? ''))] as const,
  );
  const hideTopbar = '.swagger-ui .topbar { display: none }';
  return new Map([
    ...published,
    ['rollcall.css', StaticFile.ofText(hideTopbar, pageOptions('text/css; charset=utf-8'))],
    ['rollcall.js', StaticFile.ofText(initializer, pageOptions('text/javascript; charset=utf-8'))],
  ]);
}

function pageFile(files: string): StaticFile {
  const html = `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>Rollcall API</title>
    <link rel="stylesheet" href="${files}/swagger-ui.css">
    <link rel="stylesheet" href="${files}/index.css">
    <link rel="stylesheet" href="${files}/rollcall.css">
    <link rel="icon" type="image/png" href="${files}/favicon-32x32.png" sizes="32x32">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${files}/swagger-ui-bundle.js"></script>
    <script src="${files}/swagger-ui-standalone-preset.js"></script>
    <script src="${files}/rollcall.js"></script>
  </body>
</html>
`;
  return StaticFile.ofText(html, { ...pageOptions('text/html; charset=utf-8'), cacheControl: 'no-cache' });
}
