// Writes what the service sends about its API: the description as JSON and YAML with compressed versions of each, and the
// page at /docs, whose operations are described one by one. Prints the written files for scripts/build.mjs.
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { withInlinedParts } from '../dist/http/openapi-shared-parts.js';
import { documentWith } from './api-parts.mjs';
import { describedApp } from './described-app.mjs';

const app = await describedApp();
const openApi = app.swagger();
const folder = fileURLToPath(new URL('../dist/api', import.meta.url));
const sources = fileURLToPath(new URL('api-page', import.meta.url));
/** The plugin contains Swagger UI as published, without a script that runs when it is installed. */
const swaggerUi = join(dirname(createRequire(import.meta.url).resolve('@fastify/swagger-ui')), 'static');

mkdirSync(join(folder, 'page/operations'), { recursive: true });
for (const [name, text] of [
  ['openapi.json', JSON.stringify(openApi)],
  ['openapi.yaml', app.swagger({ yaml: true })],
]) {
  write(name, text);
  write(`${name}.br`, brotliCompressSync(text));
  write(`${name}.gz`, gzipSync(text, { level: 9 }));
}
const inlined = withInlinedParts(openApi);
// Without the webhook, which Swagger UI can't show on its own.
const operations = Object.entries(openApi.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, { operationId: id, summary, tags }]) => ({
    ...{ id, path, method, summary, tag: tags[0] },
  })),
);
write('page/index.html', page());
for (const name of ['page.css', 'page.js']) write(`page/${name}`, readFileSync(join(sources, name)));
for (const name of ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png']) {
  copyFileSync(join(swaggerUi, name), join(folder, 'page', name));
  written(`page/${name}`);
}
for (const { id, path, method } of operations) {
  write(`page/operations/${id}.json`, JSON.stringify(documentWith(inlined, path, method)));
}
process.exit(0);

function page() {
  const contract = ['createUser', 'updateUsersBulk', 'issueToken'].map((id) =>
    operations.find((operation) => operation.id === id),
  );
  const groups = [
    {
      name: 'Start here',
      description: 'The two operations of the contract, and a token for them.',
      contract,
    },
    ...openApi.tags,
  ];
  const sections = groups.map(({ name, description, contract: these }) => {
    const items = (these ?? operations.filter(({ tag }) => tag === name)).map(
      ({ id, path, method, summary }) =>
        `<li><a href="#${id}"><b class="${method}">${method.toUpperCase()}</b> <span>${escaped(summary)}</span> <code>${escaped(path)}</code></a></li>`,
    );
    return `<section><h2>${escaped(name)}</h2><p>${escaped(description)}</p><ul>\n${items.join('\n')}\n</ul></section>`;
  });
  return `<!DOCTYPE html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Rollcall API</title>
    <link rel="stylesheet" href="static/swagger-ui.css">
    <link rel="stylesheet" href="static/page.css">
    <link rel="icon" type="image/png" href="static/favicon-32x32.png" sizes="32x32">
    <script type="module" src="static/page.js"></script>
  </head>
  <body>
    <header>
      <h1>Rollcall API</h1>
      <p>Open an operation to read about it and to try it. Get a token first: clients from <code>POST /oauth/token</code>, users from <code>POST /service/auth/sign-in</code>.</p>
      <p>The whole description for tools: <a href="json">JSON</a>, <a href="yaml">YAML</a>.</p>
      <input id="find" type="search" placeholder="Find an operation" aria-label="Find an operation">
    </header>
    <main>
      <nav aria-label="Operations">
${sections.join('\n')}
<p id="nothing" hidden>No operation matches.</p>
      </nav>
      <div id="operation"></div>
    </main>
  </body>
</html>
`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function write(name, content) {
  writeFileSync(join(folder, name), content);
  written(name);
}

function written(name) {
  console.log(`TSFILE: ${join(folder, name)}`);
}
