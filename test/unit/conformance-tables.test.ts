import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What the last column of the tables names: a test or group of tests after the file. */
function referencesIn(document: string): string[] {
  return readFileSync(`docs/${document}.md`, 'utf8')
    .split('\n')
    .filter((line) => /^\| .+`: /.test(line))
    .flatMap((line) => (line.slice(0, -' |'.length).split(' | ').at(-1) ?? '').split('; '));
}

function exists(reference: string): boolean {
  const [, path = '', name = ''] = /^`([\w/-]+)`: (.+)$/.exec(reference) ?? [];
  const file = `test/${path}.test.ts`;
  if (name === '' || !existsSync(file)) return false;
  const title = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const source = readFileSync(file, 'utf8');
  return ["'", '"', '`'].some((quote) => {
    return new RegExp(`\\(\\s*${quote}${title}${quote}`).test(source);
  });
}

test.each([
  ['scim-conformance', 85],
  ['openid-conformance', 20],
])('the tables of docs/%s.md name tests that exist', (document, atLeast) => {
  const references = referencesIn(document);
  expect(references.length).toBeGreaterThan(atLeast);
  expect(references.filter((reference) => !exists(reference))).toEqual([]);
});
