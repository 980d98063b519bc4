import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commandVariables } from '../../src/config/command-variables.js';
import { allSettings } from '../../src/config/settings.js';

/** Variables that the tests read. */
const ofTests = ['ROLLCALL_TEST_BROWSER', 'ROLLCALL_TEST_PICTURES'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['.', 'client', 'sheets', 'docs', 'docs/console', 'docs/decisions', 'docs/security'];
const documents = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
/** The changelog can name files that no longer exist. */
const current = documents.filter((document) => document !== 'CHANGELOG.md');

/** Code blocks are examples of other formats, not Markdown. */
function read(document: string): string {
  return readFileSync(join(root, document), 'utf8').replaceAll(/^```.*?^```$/gms, '');
}

/** Anchors as GitHub generates them from headings. */
function anchorsIn(text: string): string[] {
  const headings = [...text.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function problemOf(document: string, target: string): string | undefined {
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? document : relative(root, join(root, dirname(document), path));
  if (!existsSync(join(root, linked))) return `${target}: there is no ${linked}`;
  if (anchor === undefined || anchorsIn(read(linked)).includes(anchor)) return undefined;
  return `${target}: ${linked} has no heading for it`;
}

describe.each(documents)('%s', (document) => {
  test('links to files and headings that exist', () => {
    const text = read(document);
    const links = text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g);
    const pictures = text.matchAll(/ (?:src|srcset|href)="(?!https?:)([^"\s]+)"/g);
    const targets = [...links, ...pictures].map(([, target = '']) => target);
    expect(targets.flatMap((target) => problemOf(document, target) ?? [])).toEqual([]);
  });
});

describe.each(current)('%s', (document) => {
  test('names source files that exist', () => {
    const inCode = [...read(document).matchAll(/`([^`\n]+)`/g)].map(([, code = '']) => code);
    const paths = inCode.filter((code) =>
      /^(?:src|test|docs|console|client|sheets|bench|scripts|migrations|templates)\/[\w./-]+$/.test(code),
    );
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe.each(current)('%s', (document) => {
  test('names settings that exist', () => {
    const settings = allSettings.flatMap(({ name, formerName }) => [name, formerName]);
    const known = [...settings, ...Object.keys(commandVariables), ...ofTests];
    const text = readFileSync(join(root, document), 'utf8');
    const names = [...text.matchAll(/\bROLLCALL_[A-Z\d_]+\b/g)].map(([name]) => name);
    expect(names.filter((name) => !known.includes(name.replace(/_FILE$/, '')))).toEqual([]);
  });
});

test('CONTRIBUTING.md links one example file per kind', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| (\w[\w ]*) \| \[`([^`]+)`\]\(([^)]+)\) \|/gm)];
  expect(rows.map(([, kind]) => kind)).toEqual(['Operation', 'Query', 'Plan', 'Command', 'Page', 'Test']);
  for (const [, , text, target] of rows) expect(text).toBe(target);
});
