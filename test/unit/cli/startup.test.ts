import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../src');
const staticImport = /^(?:import|export) (?!type )[^;]*?from '([^']+)'|^import '([^']+)'/gm;

/** Packages that are loaded with a file, also through the files it imports. */
function packagesLoadedBy(file: string, seen = new Set<string>()): Set<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  for (const [, from, plain] of readFileSync(file, 'utf8').matchAll(staticImport)) {
    const target = from ?? plain ?? '';
    if (!target.startsWith('.')) packages.add(target);
    else {
      const next = resolve(dirname(file), target.replace(/\.js$/, '.ts'));
      for (const name of packagesLoadedBy(next, seen)) packages.add(name);
    }
  }
  return packages;
}

test('a command loads no package but commander until it runs, because loading takes most of its time', () => {
  const packages = packagesLoadedBy(resolve(root, 'cli.ts'));
  expect([...packages].filter((name) => !name.startsWith('node:'))).toEqual(['commander']);
});

test('the search for packages follows imports', () => {
  expect([...packagesLoadedBy(resolve(root, 'contract/fields.ts'))]).toContain('typebox');
});
