import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fieldsOf, requiredFieldsOf, ruleOf } from '../../../sheets/src/index.js';
import type { FieldUse } from '../../../src/contract/shapes.js';
import { bulkUpdateFields, createUserFields } from '../../../src/contract/users.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

describe('rules match the service', () => {
  // The rules of attributes are definitions, which are passed in.
  const { attributes: _created, ...create } = createUserFields;
  const { attributes: _updated, ...update } = bulkUpdateFields;
  const operations = { create, update } as const;

  test.each(['create', 'update'] as const)('%s accepts the same fields, with the same rules', (operation) => {
    const uses: Readonly<Record<string, FieldUse>> = operations[operation];
    expect(fieldsOf(operation)).toEqual(Object.keys(uses));
    expect(requiredFieldsOf(operation)).toEqual(Object.keys(uses).filter((field) => uses[field]?.required));
    for (const field of fieldsOf(operation)) expect(ruleOf(field)).toBe(uses[field]?.field.rule);
  });

  test('a sync accepts the fields of both, and requires only the employee ID', () => {
    const both = { ...create, ...update };
    expect([...fieldsOf('sync')].sort()).toEqual(Object.keys(both).sort());
    expect(requiredFieldsOf('sync')).toEqual(['employeeID']);
  });
});

test('the package imports only its own files and dependencies, because it must run in browsers', () => {
  const folder = join(root, 'sheets/src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const imports = files.flatMap((file) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
      ([, specifier]) => specifier as string,
    ),
  );
  expect(imports).toContain('./problems.js');
  const packages = [...new Set(imports.filter((specifier) => !specifier.startsWith('.')))].sort();
  expect(packages).toEqual(['@zip.js/zip.js/lib/zip-core-custom.js', 'numfmt']);
  expect(Object.keys(dependenciesOf('sheets/package.json')).sort()).toEqual(['@zip.js/zip.js', 'numfmt']);
  // The service package contains the built sheets/, but npm installs only the dependencies of the service.
  expect(dependenciesOf('package.json')).toMatchObject(dependenciesOf('sheets/package.json'));
});

function dependenciesOf(file: string): Record<string, string> {
  const { dependencies } = JSON.parse(readFileSync(join(root, file), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  return dependencies;
}
