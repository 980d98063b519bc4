import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorFrom } from '@rollcall/client';
import { fieldsOf, guessMapping, type Heading } from '@rollcall/sheets';
import { describe, expect, test } from 'vitest';
import { describeError, errorMessage } from '../../../console/src/components/error-message.js';
import * as germanAccount from '../../../console/src/copy/de/account.js';
import * as germanRest from '../../../console/src/copy/de/index.js';
import * as germanOnDemand from '../../../console/src/copy/de/on-demand.js';
import * as englishAccount from '../../../console/src/copy/en/account.js';
import * as englishRest from '../../../console/src/copy/en/index.js';
import * as englishOnDemand from '../../../console/src/copy/en/on-demand.js';
import * as spanishAccount from '../../../console/src/copy/es/account.js';
import * as spanishRest from '../../../console/src/copy/es/index.js';
import * as spanishOnDemand from '../../../console/src/copy/es/on-demand.js';
import { separatorOf } from '../../../console/src/copy/format.js';
import { preferred, wellFormed } from '../../../console/src/copy/language.js';
import { errorCatalogue, errorNames } from '../../../src/contract/errors.js';

type Text = string | ((...values: never[]) => string);

/** Every text of a catalogue, by its path. */
function textsOf(catalogue: object, path: readonly string[] = []): [string, Text][] {
  return Object.entries(catalogue).flatMap(([key, value]): [string, Text][] => {
    const here = [...path, key];
    return typeof value === 'object' && value !== null
      ? textsOf(value, here)
      : [[here.join('.'), value as Text]];
  });
}

const english = { ...englishRest, ...englishOnDemand, ...englishAccount };
const german = { ...germanRest, ...germanOnDemand, ...germanAccount };
const spanish = { ...spanishRest, ...spanishOnDemand, ...spanishAccount };
const englishTexts = new Map(textsOf(english));

/** Words that are the same in both languages, names, and patterns without words. */
const same: Readonly<Record<'de' | 'es', ReadonlySet<string>>> = {
  de: new Set([
    'Name',
    'System',
    'Administrator',
    'Passkey',
    'Status',
    'Name (A–Z)',
    'Name (Z–A)',
    'Webhooks',
    'Position',
    'Problem',
    'Secret',
    'Secrets',
    'Import',
    'Live',
    'Version',
    'Server',
    'Port',
    'Region',
    'Bucket',
    'Token',
    'Tokens',
    'Code',
  ]),
  es: new Set(['No', 'Ctrl', 'Webhooks', 'Error', 'UTF-16 (big-endian)', 'Bucket', 'Token', 'Tokens']),
};
const everywhere = new Set([
  'Rollcall',
  'Feed',
  'Feeds',
  'PostgreSQL',
  'CSV',
  'JSON',
  'Slack',
  'Microsoft Teams',
  'Microsoft Entra ID',
  'Okta',
  'UTF-8',
  'UTF-16',
  'SMS',
  'URL',
  'ID',
  '–',
  '…',
]);

describe.each([
  ['de', german],
  ['es', spanish],
] as const)('translation into %s', (language, catalogue) => {
  const texts = new Map(textsOf(catalogue));

  test('has the texts of the English catalogue and no others', () => {
    expect([...texts.keys()].sort()).toEqual([...englishTexts.keys()].sort());
  });

  test('uses the same values in each text', () => {
    for (const [path, text] of englishTexts) {
      const translated = texts.get(path);
      expect(typeof translated, path).toBe(typeof text);
      if (typeof text === 'function') expect(shownValues(translated), path).toEqual(shownValues(text));
    }
  });

  test('leaves no text in English', () => {
    const untranslated = [...englishTexts].flatMap(([path, text]) =>
      typeof text === 'string' &&
      text === texts.get(path) &&
      !same[language].has(text) &&
      !everywhere.has(text)
        ? [`${path}: ${text}`]
        : [],
    );
    expect(untranslated).toEqual([]);
  });

  test('ends sentences where the English text does', () => {
    for (const [path, text] of englishTexts) {
      const translated = texts.get(path);
      if (typeof text !== 'string' || typeof translated !== 'string' || !text.includes(' ')) continue;
      expect(/[.?]$/.test(translated), `${path}: ${translated}`).toBe(/[.?]$/.test(text));
      expect(translated.endsWith('…'), `${path}: ${translated}`).toBe(text.endsWith('…'));
    }
  });
});

/** How many different parameters a text shows: a translation must not lose one. */
function shownValues(text: Text | undefined): number | undefined {
  return typeof text === 'function' ? text.length : undefined;
}

test('every text is used', () => {
  const root = join(import.meta.dirname, '../../..');
  // The texts about files are read by the package that knows what can be wrong with one.
  const readers = ['table-text.ts', 'row-problems.ts'].map((file) => join(root, 'sheets/src', file));
  const source = [
    sourcesIn(join(root, 'console/src')),
    ...readers.map((file) => readFileSync(file, 'utf8')),
  ].join('\n');
  const read = keysRead(source);
  const passedOn = groupsPassedOn(source);
  const unused = [...englishTexts.keys()].filter((path) => {
    const [, ...keys] = path.split('.');
    const [key = ''] = keys.splice(-1);
    return !read.has(key) && !keys.some((group) => passedOn.has(group));
  });
  expect(unused).toEqual([]);
  expect(keysRead("a.b; const { c, d: e } = f; g['h'];")).toEqual(new Set(['b', 'c', 'd', 'h']));
  expect(groupsPassedOn('f(a.b); c.d[e]; x = copy.y; x[z]; v = copy.w;')).toEqual(
    new Set(['b', 'd', 'x', 'y']),
  );
});

/** `copy.key`, `{ key } = copy`, or the key as a text. */
function keysRead(source: string): Set<string> {
  const properties = [...source.matchAll(/\.(\w+)/g)].map(([, key = '']) => key);
  const destructured = [...source.matchAll(/\{([^{}]*)\}\s*=/g)].flatMap(([, names = '']) =>
    [...names.matchAll(/(?:^|,)\s*(\w+)/g)].map(([, key = '']) => key),
  );
  const texts = [...source.matchAll(/'([^'\n]+)'/g)].map(([, key = '']) => key);
  return new Set([...properties, ...destructured, ...texts]);
}

/** `copy.group[key]`, also by another name, or the group as a value of its own. */
function groupsPassedOn(source: string): Set<string> {
  const values = [...source.matchAll(/\.(\w+)\s*[})\],]/g)].map(([, group = '']) => group);
  const indexed = new Set([...source.matchAll(/\b(\w+)\[/g)].map(([, group = '']) => group));
  const aliases = [...source.matchAll(/(\w+) = \w+\.(\w+);/g)]
    .filter(([, alias = '']) => alias !== 'copy' && indexed.has(alias))
    .map(([, , group = '']) => group);
  return new Set([...values, ...indexed, ...aliases]);
}

function sourcesIn(directory: string): string {
  return readdirSync(directory, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/^copy\/(?:en|de|es)\//.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8'))
    .join('\n');
}

describe('errors of the service', () => {
  test('have a text of the console', () => {
    const detail = 'Only for developers: holds no NUL.';
    for (const name of errorNames) {
      const { code } = errorCatalogue[name];
      const message = errorMessage(errorFrom({ errorCode: code, message: name, detail }));
      expect(message, name).toBe(english.errorsCopy.codes[name]);
      expect(message).toMatch(/\.$/);
    }
  });

  test('that the console does not know get a general text', () => {
    const error = errorFrom({ errorCode: 19_999, message: 'BRAND_NEW', detail: 'New.' });
    expect(errorMessage(error)).toBe(english.errorsCopy.unknown);
    expect(describeError(new Error('Stack overflow'))).toBe(english.errorsCopy.unknown);
  });

  const refused = (data: object) =>
    errorMessage(errorFrom({ errorCode: 10212, message: 'ACCESS_PASSWORD_REFUSED', detail: 'No.', data }));

  test('say which rule a password breaks', () => {
    expect(refused({ rule: 'length' })).toBe('Use 8 to 128 characters.');
    expect(refused({ rule: 'common' })).toBe('This is one of the most common passwords. Choose another one.');
    expect(refused({ rule: 'guessable', basedOn: ['company', 'email'] })).toBe(
      'This password is easy to guess, because it is based on the company name and your email address. Add more characters, or choose another one.',
    );
  });

  const invalid = (data: object) =>
    errorMessage(errorFrom({ errorCode: 10107, message: 'USER_FIELD_INVALID', detail: 'No.', data }));

  test('say what a field accepts, and never repeat the words of the service', () => {
    const problem = 'must be a string that holds no NUL.';
    expect(invalid({ field: 'employeeID', problem })).toBe(
      'Employee ID: Use only letters from a to z and digits, at most 64.',
    );
    expect(invalid({ field: 'organizationSerial', problem, rule: 'directory' })).toBe(
      "Organization: This organization doesn't exist. Add it first, or choose another one.",
    );
    expect(invalid({ field: 'shoeSize', problem })).toBe('A field has a value that is not allowed.');
    const data = { field: 'patch.managerEmployeeID' };
    expect(
      errorMessage(errorFrom({ errorCode: 10004, message: 'REQUEST_BODY_INVALID', detail: 'No.', data })),
    ).toBe('No user has this name or employee ID. Choose a manager from the list.');
  });

  test('say when to try again', () => {
    const data = { retryAfterSeconds: 90 };
    const delayed = errorFrom({ errorCode: 10209, message: 'ACCESS_SIGN_IN_DELAYED', detail: 'No.', data });
    expect(errorMessage(delayed)).toBe('There were too many attempts. Try again in 2 minutes.');
  });
});

test('the language is the first of the browser that there is', () => {
  expect(preferred(['fr-FR', 'de-AT', 'en'])).toBe('de');
  expect(preferred(['es-419'])).toBe('es');
  expect(preferred(['fr', 'it'])).toBeUndefined();
});

test('locales that no formatter takes are repaired or left out', () => {
  expect(wellFormed(['de-AT@posix', 'not a locale', 'C', 'es-419'])).toEqual(['de-AT', 'es-419']);
});

test('spreadsheets of the region can open downloaded files', () => {
  expect(['en-GB', 'de', 'de-AT', 'es-ES', 'es-MX'].map(separatorOf)).toEqual([',', ';', ';', ';', ',']);
});

test.each([
  ['en', english],
  ['de', german],
  ['es', spanish],
])('headings of a template in %s are recognized in its upload', (_, { commonCopy }) => {
  for (const operation of ['update', 'create'] as const) {
    const fields = fieldsOf(operation);
    const headings = fields.map((field, column): Heading => {
      const name = commonCopy.fields[field];
      return { column, letter: '', name, isEmpty: false };
    });
    const expected = Object.fromEntries(fields.map((field, column) => [field, [column]]));
    expect(guessMapping(headings, operation).mapping).toEqual(expected);
  }
});
