import { readdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const built = fileURLToPath(new URL('../../../dist/console/', import.meta.url));
const assets = readdirSync(`${built}assets`);

/** These scripts and everything they import. */
function withImports(files: readonly string[]): Set<string> {
  const needed = new Set(files);
  for (const file of needed) {
    const source = readFileSync(`${built}assets/${file}`, 'utf8');
    for (const [, imported] of source.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
      needed.add(imported as string);
  }
  return needed;
}

test.each([
  ['home-page', 230],
  ['users-page', 255],
] as const)('%s loads less than %i KB of JavaScript, compressed with Brotli', (page, kilobytesMax) => {
  const html = readFileSync(`${built}index.html`, 'utf8');
  const entries = [...html.matchAll(/assets\/([\w.-]+\.js)/g)].map(([, file]) => file as string);
  const onDemand = assets.filter((file) => new RegExp(`^(en|start|${page})-.*\\.js$`).test(file));
  expect(onDemand).toHaveLength(3);
  const files = [...withImports([...entries, ...onDemand])];
  expect(files.length).toBeGreaterThan(5);
  const bytes = files.reduce((sum, file) => sum + statSync(`${built}assets/${file}.br`).size, 0);
  expect(bytes / 1024).toBeGreaterThan(100); // proves that it measured the console
  expect(bytes / 1024).toBeLessThan(kilobytesMax);
});
