import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { commandVariables } from '../../src/config/command-variables.js';
import { operatorSettings } from '../../src/config/settings.js';

/** Variables that the tests read. */
const ofTests = ['ROLLCALL_TEST_BROWSER', 'ROLLCALL_TEST_PICTURES', 'ROLLCALL_TEST_SEED'];

const root = fileURLToPath(new URL('../..', import.meta.url));
const folders = ['.', 'client', 'sheets', 'docs', 'docs/console', 'docs/decisions', 'docs/security'];
const documents = folders.flatMap((folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name)),
);
/** The changelog can name files that no longer exist. */
const current = documents.filter((document) => document !== 'CHANGELOG.md');

const sources = new Map<string, string>();

function sourceOf(document: string): string {
  const source = sources.get(document) ?? readFileSync(join(root, document), 'utf8');
  sources.set(document, source);
  return source;
}

/** Code blocks are examples of other formats, not Markdown. */
function read(document: string): string {
  return sourceOf(document).replaceAll(/^```.*?^```$/gms, '');
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

function problemsOf(document: string, target: string): string[] {
  const [path = '', anchor] = target.split('#');
  const linked = path === '' ? document : relative(root, join(root, dirname(document), path));
  if (!existsSync(join(root, linked))) return [`${document} links to ${target}: there is no ${linked}`];
  if (anchor === undefined || anchorsIn(read(linked)).includes(anchor)) return [];
  return [`${document} links to ${target}: ${linked} has no heading for it`];
}

describe('documents', () => {
  test('are found at all', () => {
    expect(documents).toEqual(expect.arrayContaining(['README.md', join('docs', 'api.md')]));
  });

  test('link to files and headings that exist', () => {
    const problems = documents.flatMap((document) => {
      const text = read(document);
      const links = text.matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g);
      const pictures = text.matchAll(/ (?:src|srcset|href)="(?!https?:)([^"\s]+)"/g);
      return [...links, ...pictures].flatMap(([, target = '']) => problemsOf(document, target));
    });
    expect(problems).toEqual([]);
    expect(problemsOf('README.md', 'docs/none.md')).toHaveLength(1);
    expect(problemsOf('README.md', 'CONTRIBUTING.md#none')).toHaveLength(1);
  });

  test('name source files that exist', () => {
    const isPath = /^(?:src|test|docs|console|client|sheets|bench|scripts|migrations|templates)\/[\w./-]+$/;
    const missing = current.flatMap((document) =>
      [...read(document).matchAll(/`([^`\n]+)`/g)]
        .map(([, code = '']) => code)
        .filter((code) => isPath.test(code) && !existsSync(join(root, code)))
        .map((path) => `${document}: ${path}`),
    );
    expect(missing).toEqual([]);
  });

  test('name settings that exist', () => {
    const settings = operatorSettings.map(({ name }) => name);
    const known = new Set([...settings, ...Object.keys(commandVariables), ...ofTests]);
    // migrating.md says what to use instead of former settings.
    const others = current.filter((document) => document !== join('docs', 'migrating.md'));
    const unknown = others.flatMap((document) =>
      [...sourceOf(document).matchAll(/\bROLLCALL_[A-Z\d_]+\b/g)]
        .filter(([name]) => !known.has(name.replace(/_FILE$/, '')))
        .map(([name]) => `${document}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });
});

test('CONTRIBUTING.md links one example file per kind', () => {
  const rows = [...read('CONTRIBUTING.md').matchAll(/^\| (\w[\w ]*) \| \[`([^`]+)`\]\(([^)]+)\) \|/gm)];
  expect(rows.map(([, kind]) => kind)).toEqual(['Operation', 'Query', 'Plan', 'Command', 'Page', 'Test']);
  for (const [, , text, target] of rows) expect(text).toBe(target);
});
