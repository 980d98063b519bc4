import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** What the last column of the tables names: a test or group of tests after the file. */
const references = readFileSync('docs/scim-conformance.md', 'utf8')
  .split('\n')
  .filter((line) => /^\| \d{4} .+`: /.test(line))
  .flatMap((line) => (line.slice(0, -' |'.length).split(' | ').at(-1) ?? '').split('; '));

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

test('the tables of requirements name tests that exist', () => {
  expect(references.length).toBeGreaterThan(100);
  expect(references.filter((reference) => !exists(reference))).toEqual([]);
});
