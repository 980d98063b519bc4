import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (file: string): string => readFileSync(join(root, file), 'utf8');

interface Package {
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly allowScripts?: Readonly<Record<string, boolean>>;
}
const packageIn = (folder: string): Package => JSON.parse(read(`${folder}/package.json`));
const main = packageIn('.');
const packages = [main, ...(main.workspaces ?? []).map(packageIn)];
const releaseTests = packageIn('test/release');

/** The cells of the rows under a heading. */
function rowsOf(heading: string): string[][] {
  const [, section = ''] = read('docs/dependencies.md').split(`\n## ${heading}\n`);
  const [table = ''] = section.split('\n## ');
  const rows = table.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| package |'));
  return rows.map((line) => line.slice(2, -2).split(' | '));
}
/** A row can be about several packages. */
const namesOf = (heading: string): string[] =>
  rowsOf(heading).flatMap(([names = '']) => names.replaceAll('`', '').split(', '));

describe('docs/dependencies.md', () => {
  test('lists exactly the packages installed at run time', () => {
    const installed = packages.flatMap(({ dependencies = {} }) => Object.keys(dependencies));
    expect(namesOf('At run time')).toEqual([...new Set(installed)].sort());
  });

  test('lists exactly the packages used for building and testing', () => {
    const used = packages
      .flatMap(({ devDependencies = {} }) => Object.keys(devDependencies))
      .filter((name) => !name.startsWith('@rollcall/'));
    expect([...namesOf('In the console'), ...namesOf('For development')].sort()).toEqual(used.sort());
  });

  test('lists exactly the packages used only for testing releases', () => {
    expect(namesOf('For testing releases')).toEqual(Object.keys(releaseTests.dependencies ?? {}).sort());
  });

  test('says what each package is used for', () => {
    for (const heading of ['At run time', 'In the console', 'For development', 'For testing releases']) {
      for (const [name, use] of rowsOf(heading)) expect(use?.length, name).toBeGreaterThan(3);
    }
  });

  test('lists our own implementations that exist, each with its reason', () => {
    const parts = rowsOf('Ours, on purpose').slice(1);
    expect(parts.length).toBeGreaterThan(10);
    for (const [part = '', instead = '', reason = ''] of parts) {
      const path = /\(`([^`]+)`\)/.exec(part)?.[1] ?? 'none';
      expect(existsSync(join(root, path)), part).toBe(true);
      expect(instead.length, part).toBeGreaterThan(2);
      expect(reason.length, part).toBeGreaterThan(10);
    }
  });
});

test.each(['.', 'test/release'])(
  'the lockfile in %s names no registry, so npm uses the configured one',
  (folder) => {
    expect(read(`${folder}/package-lock.json`)).not.toContain('"resolved": "http');
  },
);

test('release tests use exact versions, so that only a change of them changes what a release is tested with', () => {
  for (const version of Object.values(releaseTests.dependencies ?? {}))
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
});

test.each(['.', 'test/release'])(
  '%s decides on the install scripts of all platforms, so npm ci shows no warnings',
  (folder) => {
    const locked: Record<string, { hasInstallScript?: boolean }> = JSON.parse(
      read(`${folder}/package-lock.json`),
    ).packages;
    const withScripts = Object.keys(locked)
      .filter((path) => locked[path]?.hasInstallScript)
      .map((path) => path.replace(/^.*node_modules\//, ''));
    expect(Object.keys(packageIn(folder).allowScripts ?? {}).sort()).toEqual(withScripts.sort());
  },
);
