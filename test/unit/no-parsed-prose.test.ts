import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, test } from 'vitest';

/**
 * Error texts are for humans and can be reworded at any time, so programs use error data and never parse them. These
 * tests fail if code searches, splits, replaces or compares a property with such a text, or matches it with a pattern.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folders = ['client/src', 'src/cli', 'console/src', 'src/domain/access/visibility.ts'];

const proseNames = new Set(['detail', 'reason', 'message', 'sentence', 'problem']);
/** String methods that inspect a text. */
const searches = new Set(
  'match matchAll replace replaceAll search split includes startsWith endsWith indexOf lastIndexOf slice substring at charAt'.split(
    ' ',
  ),
);
/** Methods of regular expressions. */
const patterns = new Set(['exec', 'test']);

const anyProse = `\\b(?:${[...proseNames].join('|')})\\b`;
const anyMethod = `\\.(?:${[...searches, ...patterns].join('|')})\\(`;
/** A source with both: a text, and a method that inspects one. */
const mayParse = new RegExp(`^(?=[^]*${anyProse})(?=[^]*${anyMethod})`);

/** `aliases` are local variables that hold such texts. */
function isProse(node: ts.Node, aliases: ReadonlySet<string>): boolean {
  if (ts.isPropertyAccessExpression(node)) return proseNames.has(node.name.text);
  if (ts.isIdentifier(node)) return node.text === 'detail' || aliases.has(node.text);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isNonNullExpression(node))
    return isProse(node.expression, aliases);
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken)
    return isProse(node.left, aliases) || isProse(node.right, aliases);
  return (
    ts.isCallExpression(node) && isStringOf(node) && node.arguments.some((each) => isProse(each, aliases))
  );
}

/** String(error.detail) */
function isStringOf({ expression }: ts.CallExpression): boolean {
  return ts.isIdentifier(expression) && expression.text === 'String';
}

/** The lines where a source parses prose. */
function parsedProse(source: string, name = 'source.tsx'): string[] {
  if (!mayParse.test(source)) return []; // parsing all files takes seconds
  const file = ts.createSourceFile(name, source, ts.ScriptTarget.Latest, false, ts.ScriptKind.TSX);
  const found: string[] = [];
  const aliases = new Set<string>();
  const collect = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer) {
      if (isProse(node.initializer, aliases)) aliases.add(node.name.text);
    } else if (ts.isBindingElement(node) && ts.isIdentifier(node.name) && node.propertyName) {
      if (ts.isIdentifier(node.propertyName) && node.propertyName.text === 'detail')
        aliases.add(node.name.text);
    }
    ts.forEachChild(node, collect);
  };
  collect(file);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const { expression: on, name: method } = node.expression;
      const isSearch = searches.has(method.text) && isProse(on, aliases);
      const isPattern = patterns.has(method.text) && node.arguments.some((each) => isProse(each, aliases));
      if (isSearch || isPattern) {
        const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
        found.push(`${line + 1}: ${node.getText(file).slice(0, 100)}`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}

function* sources(path: string): Generator<string> {
  if (/\.tsx?$/.test(path)) return yield path;
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    const child = join(path, entry.name);
    if (entry.isDirectory()) yield* sources(child);
    else if (/\.tsx?$/.test(entry.name)) yield child;
  }
}

describe('no code parses error texts', () => {
  test.each(folders)('in %s', (folder) => {
    const found = [...sources(join(root, folder))].flatMap((path) => {
      const name = relative(root, path);
      return parsedProse(readFileSync(path, 'utf8'), path).map((line) => `${name}:${line}`);
    });
    expect(found).toEqual([]);
  });

  test.each([
    ['a pattern matched against a detail', `const [, n] = /confirm=(\\d+)/.exec(cause.detail) ?? [];`],
    [
      'a pattern matched against a local detail',
      `function f(detail: string) { return /^items/.test(detail); }`,
    ],
    ['a replacement', `const told = error.detail.replace(/ Nothing.*$/, '');`],
    ['a replacement in a local detail', `const cut = detail.replace(holder, '');`],
    ['a comparison of a message', `if (error.message.startsWith('The token ')) throw error;`],
    ['a cast', `brakeOf(/x/.exec((error as { detail: string }).detail));`],
    ['a default', `const n = (error.detail ?? '').match(/\\d+/);`],
    ['an optional chain', `const is = error?.detail?.includes('taken');`],
    ['an alias', `const told = error.detail; told.replace(/x/, '');`],
    ['destructuring with a new name', `const { detail: told } = error; /x/.test(told);`],
    ['a conversion with String', `String(error.message).split(':');`],
    ['in a component', `const a = <p>{error.detail.slice(3)}</p>;`],
  ])('is found: %s', (_, source) => {
    expect(parsedProse(source)).toHaveLength(1);
  });

  test.each([
    ['a text that is printed', `say(error.detail);`],
    ['data', `const { confirm } = error.data;`],
    ['a text in a message', `throw new Error('Failed: ' + error.message);`],
    ['another text', `const [first] = line.split(',');`],
  ])('is not found: %s', (_, source) => {
    expect(parsedProse(source)).toEqual([]);
  });
});
