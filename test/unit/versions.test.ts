import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { apiVersion } from '../../src/contract/version.js';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const json = (file: string) => JSON.parse(read(file));
const { version, workspaces } = json('package.json');
const changelog = read('CHANGELOG.md');
const releases = [...changelog.matchAll(/^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$/gm)];

test.each<string>(workspaces)('%s has the version of the service', (workspace) => {
  expect(json(`${workspace}/package.json`).version).toBe(version);
});

test('the lockfile has the same version for the service and every workspace', () => {
  const lock = json('package-lock.json');
  expect(lock.version).toBe(version);
  for (const each of ['', ...workspaces]) expect(lock.packages[each].version, each).toBe(version);
});

test('the API description has the same version', () => {
  expect(json('openapi.json').info.version).toBe(version);
});

test('the API description and docs/versioning.md have the version of the API', () => {
  expect(json('openapi.json').info['x-api-version']).toBe(apiVersion);
  expect(read('docs/versioning.md')).toContain(`\`Rollcall-Api-Version: ${apiVersion}\``);
});

test('changes of the API are compared with the description of this release', () => {
  expect(json('test/support/api-compatibility/released.json').info.version).toBe(version);
});

test('the README names the package that npm pack creates', () => {
  const named = [...read('README.md').matchAll(/rollcall-(\d[\w.-]*)\.tgz/g)].map(([, each]) => each);
  expect(named).toEqual([version]);
});

test('the changelog has the version as its latest release, below the unreleased changes', () => {
  expect(releases[0]?.[1]).toBe(version);
  expect(changelog.indexOf('\n## [Unreleased]\n')).toBeGreaterThan(0);
  expect(changelog.indexOf('\n## [Unreleased]\n')).toBeLessThan(releases[0]?.index ?? 0);
  const dates = releases.map(([, , date]) => date);
  expect(dates).toEqual(dates.toSorted().reverse());
});
