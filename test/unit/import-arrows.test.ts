import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const root = fileURLToPath(new URL('../../src', import.meta.url));

/** Which folders each folder may import from; files at the root wire everything together and may import all. */
const arrows: Record<string, readonly string[]> = {
  contract: [],
  files: [],
  storage: ['contract'],
  domain: ['contract', 'files', 'storage'],
  http: ['contract', 'domain'],
  delivery: ['contract', 'domain', 'storage'],
  config: ['contract'],
  cli: ['', 'config', 'contract', 'files', 'domain', 'storage', 'delivery', 'http'],
};

/** Commands that talk to a service know it by its client alone; those of its machine are in cli/service. */
const remoteCommands = /^cli\/(?!service\/|completion\/)[^/]+\//;
const insides = /^(?:domain|storage|delivery|http|cli\/service)\//;
const packages = ['#client', '#sheets'];

/** Pure decisions: they import the contract and each other, and nothing that reads a clock, a disk or a network. */
const pure = [
  'domain/users/plans/undo-plan.ts',
  'domain/users/plans/sequential-plan.ts',
  'domain/users/plans/name-holders.ts',
  'domain/users/plans/create-plan.ts',
  'domain/users/plans/final-state-plan.ts',
  'domain/users/plans/position-queue.ts',
  'domain/users/plans/protected-users.ts',
  'domain/users/plans/resolve-names.ts',
  'domain/users/plans/updates.ts',
  'domain/passwords/context-words.ts',
  'domain/passwords/password-rules.ts',
  'domain/read-fields.ts',
  'domain/steps.ts',
  'domain/users/plans/user-change.ts',
  'domain/users/user-rules.ts',
];

const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts'));

function importsOf(file: string): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map(
    (match) => match[1] as string,
  );
  return specifiers.map((specifier) => resolved(file, specifier));
}

/** The file that is meant, from the folder of sources on; a package keeps its name. */
function resolved(file: string, specifier: string): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = relative(root, resolve(root, dirname(file), specifier));
  return path.replaceAll('\\', '/').replace(/\.js$/, '.ts');
}

/** All that is loaded with a file: its imports and theirs, but for types and for what is imported later. */
function loadedWith(file: string, found = new Set<string>()): string[] {
  const source = readFileSync(join(root, file), 'utf8');
  for (const [, names = '', specifier] of source.matchAll(/^(?:import|export) ([^;']*?)from '([^']+)';$/gm)) {
    if (names.startsWith('type ')) continue;
    const imported = resolved(file, specifier as string);
    if (found.has(imported)) continue;
    found.add(imported);
    if (files.includes(imported)) loadedWith(imported, found);
  }
  return [...found];
}

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : '');

describe('import arrows', () => {
  test('every folder of src has its arrows written down', () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => folder !== '').sort()).toEqual(
      Object.keys(arrows).sort(),
    );
  });

  test.each(files.filter((file) => folderOf(file) !== ''))('%s imports only where its folder may', (file) => {
    const own = folderOf(file);
    const reached = importsOf(file)
      .filter((imported) => files.includes(imported))
      .map(folderOf)
      .filter((folder) => folder !== own);
    for (const folder of reached)
      expect(arrows[own], `${file} imports ${folder || 'the root'}`).toContain(folder);
  });

  test.each(files.filter((file) => remoteCommands.test(file)))(
    '%s talks to a service from outside: it imports nothing of its inside',
    (file) => {
      for (const imported of importsOf(file)) expect(imported).not.toMatch(insides);
    },
  );

  test('the client and the tables are for commands: a service knows nothing of them', () => {
    const importing = files.filter((file) => importsOf(file).some((imported) => packages.includes(imported)));
    expect(importing.filter((file) => folderOf(file) !== 'cli')).toEqual([]);
  });

  test('help and mistakes are answered without loading what commands do', () => {
    const loaded = loadedWith('cli/program.ts');
    const heavy = loaded.filter((file) => /^(?:domain|http|delivery)\/|^storage\/(?!errors)/.test(file));
    expect(heavy).toEqual([]);
    expect(loaded.filter((name) => [...packages, 'pg', 'fastify', 'pino'].includes(name))).toEqual([]);
    expect(loaded, 'the rule bites').toContain('cli/service/commands.ts');
  });

  test.each(pure)('%s is pure: it imports the contract and its pure neighbours alone', (file) => {
    for (const imported of importsOf(file))
      expect(imported).toMatch(new RegExp(`^contract/|^(?:${pure.join('|')})$`));
  });

  test('the rule bites: imports are found at all', () => {
    expect(importsOf('domain/users/plans/sequential-plan.ts')).toContain('contract/errors.ts');
    expect(importsOf('http/app.ts')).toContain('http/types.ts');
  });
});
