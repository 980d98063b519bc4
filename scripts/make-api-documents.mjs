// Writes the API description that the service sends, as JSON and YAML, with compressed versions of each.
import { mkdirSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { describedApp } from './described-app.mjs';

const app = await describedApp();
const folder = new URL('../dist/api/', import.meta.url);
mkdirSync(folder, { recursive: true });
const documents = {
  'openapi.json': JSON.stringify(app.swagger()),
  'openapi.yaml': app.swagger({ yaml: true }),
};
for (const [name, text] of Object.entries(documents)) {
  writeFileSync(new URL(name, folder), text);
  writeFileSync(new URL(`${name}.br`, folder), brotliCompressSync(text));
  writeFileSync(new URL(`${name}.gz`, folder), gzipSync(text, { level: 9 }));
}
process.exit(0);
