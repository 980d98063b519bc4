// Run by `npm version <x>`: keeps the API description of the release, without prose and examples, so that
// test/unit/api-compatibility.test.ts can compare later changes with it, and digests of the migrations, for
// test/unit/migrations.test.ts. Files, because a clone may have no tags.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';

const root = new URL('..', import.meta.url);
const [source = 'openapi.json'] = process.argv.slice(2);
const document = JSON.parse(readFileSync(new URL(source, root), 'utf8'));
const { version } = document.info;
const recorded = {
  info: { version },
  paths: shapeOf(document.paths),
  components: shapeOf(document.components),
};
// Indented, so that the diff of a release shows what has changed in the API.
writeFileSync(
  new URL('test/support/api-compatibility/released.json', root),
  `${JSON.stringify(recorded, null, 1)}\n`,
);

const migrations = readdirSync(new URL('migrations', root)).sort();
const digests = migrations.map((file) => [file, digestOf(readFileSync(new URL(`migrations/${file}`, root)))]);
writeFileSync(
  new URL('test/support/released-migrations.json', root),
  `${JSON.stringify({ version, migrations: Object.fromEntries(digests) }, null, 2)}\n`,
);

function digestOf(bytes) {
  return createHash('sha256').update(bytes).digest('hex');
}

function shapeOf(node) {
  if (Array.isArray(node)) return node.map(shapeOf);
  if (typeof node !== 'object' || node === null) return node;
  return Object.fromEntries(
    Object.entries(node).flatMap(([key, value]) => {
      if (['description', 'summary', 'example', 'examples', 'tags', 'servers'].includes(key)) return [];
      return [[key, key === 'properties' ? shapesOf(value) : shapeOf(value)]];
    }),
  );
}

/** Fields can have any name, such as "description". */
function shapesOf(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, shapeOf(schema)]));
}
