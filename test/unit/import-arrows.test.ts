import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

interface Tree {
  readonly files: readonly string[];
  /** The source of each file. */
  readonly sources: ReadonlyMap<string, string>;
  /** What each file imports, also types: files relative to the source folder, and names of packages. */
  readonly imports: ReadonlyMap<string, readonly string[]>;
}

function treeOf(path: string): Tree {
  const root = fileURLToPath(new URL(`../../${path}`, import.meta.url));
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
  const sources = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const imports = [...sources].map(([file, source]): [string, string[]] => {
    const specifiers = [...source.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)];
    return [file, specifiers.map(([, specifier = '']) => resolved(file, specifier, sources))];
  });
  return { files, sources, imports: new Map(imports) };
}

/** The imported file, relative to the source folder. Packages keep their name. */
function resolved(file: string, specifier: string, sources: ReadonlyMap<string, string>): string {
  if (!specifier.startsWith('.')) return specifier;
  const path = join(dirname(file), specifier).replaceAll('\\', '/');
  const component = path.replace(/\.js$/, '.tsx');
  return sources.has(component) ? component : path.replace(/\.js$/, '.ts');
}

const service = treeOf('src');
const webConsole = treeOf('console/src');
const client = treeOf('client/src');
const sheets = treeOf('sheets/src');
const bench = treeOf('bench');
const { files, sources } = service;

/** The folders that each folder may import. Files at the root wire everything together and may import all. */
const arrows: Record<string, readonly string[]> = {
  contract: [],
  files: [],
  scim: ['contract'],
  telemetry: ['contract'],
  storage: ['contract', 'scim', 'telemetry'],
  domain: ['contract', 'files', 'scim', 'storage', 'telemetry'],
  http: ['contract', 'domain', 'scim', 'telemetry'],
  delivery: ['contract', 'domain', 'scim', 'storage', 'telemetry'],
  sources: ['contract', 'domain', 'telemetry'],
  config: ['contract'],
  startup: ['', 'contract', 'delivery', 'domain', 'sources', 'storage', 'telemetry'],
  cli: ['', 'config', 'contract', 'files', 'domain', 'storage', 'delivery', 'http', 'startup', 'telemetry'],
};

/**
 * The same for subfolders. A file directly in a folder has no entry: it either serves the subfolders or wires them
 * together, and what it imports counts as imported by the subfolders that import it.
 */
const innerArrows: Record<string, Record<string, readonly string[]>> = {
  domain: {
    audit: [],
    secrets: [],
    changes: [],
    attributes: ['audit'],
    indexing: ['attributes', 'changes'],
    names: ['audit'],
    bulk: ['changes'],
    passwords: ['audit', 'secrets'],
    clients: ['audit'],
    deliveries: ['audit', 'secrets'],
    notices: ['secrets'],
    users: ['attributes', 'audit', 'bulk', 'changes', 'indexing', 'names', 'passwords', 'secrets'],
    directories: ['audit', 'bulk', 'changes', 'indexing', 'users'],
    statistics: [],
    views: [],
    calls: ['attributes', 'bulk', 'changes', 'directories', 'passwords', 'secrets', 'users'],
    factors: ['secrets'],
    access: ['audit', 'bulk', 'clients', 'factors', 'passwords', 'secrets', 'users'],
    profile: ['attributes', 'changes', 'users'],
    recovery: ['access', 'audit', 'passwords', 'users'],
    sso: ['access', 'audit'],
    openid: ['access', 'attributes', 'audit', 'clients', 'secrets'],
    planned: ['attributes', 'bulk', 'calls', 'notices', 'secrets', 'users'],
    events: ['attributes', 'changes'],
    webhooks: ['audit', 'changes', 'events', 'secrets'],
    feeds: [
      ...['attributes', 'audit', 'bulk', 'calls', 'directories', 'notices', 'planned', 'secrets', 'users'],
      'webhooks',
    ],
    erasure: ['access', 'attributes', 'audit', 'bulk', 'feeds', 'indexing', 'users'],
    maintenance: [
      'access',
      'audit',
      'changes',
      'clients',
      'erasure',
      'names',
      'openid',
      'passwords',
      'secrets',
      'sso',
      'users',
    ],
    backups: ['audit', 'notices'],
    scim: ['access', 'attributes', 'audit', 'bulk', 'clients', 'directories', 'erasure', 'notices', 'users'],
    provisioning: ['audit', 'changes', 'scim', 'secrets', 'webhooks'],
  },
  storage: {
    attributes: [],
    changes: [],
    delivery: ['changes'],
    names: [],
    indexing: ['names'],
    directories: [],
    users: ['changes', 'delivery'],
    access: ['changes'],
    erasure: ['changes', 'indexing'],
    maintenance: ['changes'],
    embedded: [],
    feeds: ['changes', 'users'],
    backups: ['indexing'],
    openid: ['access'],
    scim: ['directories', 'users'],
    provisioning: ['users'],
  },
  cli: {
    terminal: [],
    session: ['terminal'],
    changes: ['session', 'terminal'],
    planning: ['session', 'terminal'],
    matching: ['changes', 'planning', 'session', 'terminal'],
    users: ['changes', 'matching', 'planning', 'session', 'terminal'],
    directories: ['matching', 'session', 'terminal'],
    attributes: ['session', 'terminal'],
    calls: ['changes', 'planning', 'session', 'terminal'],
    clients: ['session', 'terminal'],
    scim: ['session', 'terminal'],
    webhooks: ['clients', 'session', 'terminal'],
    applications: ['clients', 'session', 'terminal'],
    deliveries: ['session', 'terminal'],
    stats: ['session', 'terminal'],
    status: ['session', 'terminal'],
    export: ['session', 'terminal', 'users'],
    feeds: ['export', 'session', 'terminal'],
    sync: ['planning', 'session', 'terminal'],
    service: ['session', 'terminal'],
    completion: ['session', 'terminal'],
  },
  http: { openid: [], routes: [] },
  scim: { language: [], bulk: ['language'] },
  'cli/sync': { file: [], journal: [], names: [], target: [] },
};

/** The same for the console. '' stands for its top-level folders. */
const consoleArrows: Record<string, Record<string, readonly string[]>> = {
  '': {
    copy: [],
    session: [],
    components: ['copy', 'session'],
    live: ['components', 'session'],
    charts: ['components', 'copy'],
    navigation: ['components', 'copy', 'session'],
    home: ['charts', 'components', 'copy', 'session'],
    account: ['components', 'copy', 'session'],
    matching: ['components', 'copy', 'session'],
    directories: ['components', 'copy', 'matching', 'session'],
    settings: ['components', 'copy', 'session'],
    system: ['components', 'copy', 'session'],
    palette: ['components', 'copy', 'navigation', 'session', 'settings'],
    activity: ['charts', 'components', 'copy', 'live', 'session'],
    users: ['activity', 'components', 'copy', 'matching', 'session'],
    import: ['components', 'copy', 'session'],
    feeds: ['charts', 'components', 'copy', 'session'],
  },
  users: {
    data: [],
    form: ['data'],
    filters: [],
    selection: ['data'],
    restore: ['data', 'form'],
    edit: ['data', 'form', 'restore'],
    views: [],
    list: ['data', 'edit', 'filters', 'selection', 'views'],
    timeline: ['data', 'restore'],
    detail: ['data', 'form', 'list', 'restore', 'timeline'],
  },
  import: {
    state: [],
    components: ['state'],
    file: ['components', 'state'],
    run: ['components', 'state'],
    check: ['components', 'run', 'state'],
    columns: ['check', 'components', 'file', 'state'],
    saved: ['check', 'file', 'state'],
    result: ['check', 'components', 'state'],
  },
};

/** The same for the packages and the benchmarks. */
const otherTrees: readonly (readonly [string, Tree, Record<string, readonly string[]>])[] = [
  ['client/src', client, { generated: [] }],
  [
    'sheets/src',
    sheets,
    { generated: [], text: ['generated'], xlsx: ['generated', 'text'], sync: ['generated', 'text', 'xlsx'] },
  ],
  ['bench', bench, { feeds: [], sections: [], peers: ['sections'] }],
];

/** Commands that talk to a service only use its client. Commands that run on its machine are in cli/service. */
const remoteCommands = /^cli\/(?!service\/|completion\/)[^/]+\//;
const insides = /^(?:domain|storage|delivery|http|cli\/service)\//;
const packages = ['#client', '#sheets'];

/** Pure functions: they only import the contract and each other, nothing that reads a clock, a disk or a network. */
const pure = [
  'domain/attributes/attribute-set.ts',
  'domain/bulk/name-history.ts',
  'domain/bulk/plan.ts',
  'domain/changes/field-changes.ts',
  'domain/names/quarantine.ts',
  'domain/passwords/context-words.ts',
  'domain/passwords/password-rules.ts',
  'domain/read-fields.ts',
  'domain/time-text.ts',
  'domain/user-erased.ts',
  'domain/yielding-task.ts',
  'domain/users/user-rules.ts',
  ...files.filter((file) => /^domain\/(?:feeds\/limits\/|indexing\/(?!index-)|users\/plans\/)/.test(file)),
  ...files.filter((file) => file.startsWith('scim/')),
];

function importsOf(file: string, tree: Tree = service): readonly string[] {
  return tree.imports.get(file) ?? [];
}

/** Imports that a rule forbids, each as "file imports file". */
function forbidden(
  all: readonly string[],
  isForbidden: (imported: string, file: string) => boolean,
  tree: Tree = service,
): string[] {
  return all.flatMap((file) =>
    importsOf(file, tree)
      .filter((imported) => isForbidden(imported, file))
      .map((imported) => `${file} imports ${imported}`),
  );
}

/** All static imports of a file, direct and indirect, except types. */
function loadedWith(file: string, found = new Set<string>()): string[] {
  const source = sources.get(file) ?? '';
  for (const [, names = '', specifier] of source.matchAll(/^(?:import|export) ([^;']*?)from '([^']+)';$/gm)) {
    if (names.startsWith('type ')) continue;
    const imported = resolved(file, specifier as string, sources);
    if (found.has(imported)) continue;
    found.add(imported);
    if (sources.has(imported)) loadedWith(imported, found);
  }
  return [...found];
}

const folderOf = (file: string): string => (file.includes('/') ? (file.split('/')[0] as string) : '');

/** The first import cycle, from a file back to itself, or an empty array. */
function findCycle(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const finished = new Set<string>();
  const visit = (file: string, path: readonly string[]): string[] => {
    if (path.includes(file)) return [...path.slice(path.indexOf(file)), file];
    if (finished.has(file)) return [];
    for (const imported of imports.get(file) ?? []) {
      const cycle = visit(imported, [...path, file]);
      if (cycle.length > 0) return cycle;
    }
    finished.add(file);
    return [];
  };
  for (const file of imports.keys()) {
    const cycle = visit(file, []);
    if (cycle.length > 0) return cycle;
  }
  return [];
}

/** The static imports of a file and, indirectly, of those of its imports that are of a kind. */
function reachedThrough(
  file: string,
  isOfKind: (file: string) => boolean,
  tree: Tree,
  seen = new Set<string>(),
): string[] {
  if (seen.has(file)) return [];
  seen.add(file);
  const source = tree.sources.get(file) ?? '';
  const statically = [...source.matchAll(/from '([^']+)'/g)];
  const imported = statically.map(([, specifier = '']) => resolved(file, specifier, tree.sources));
  return imported.flatMap((each) => (isOfKind(each) ? reachedThrough(each, isOfKind, tree, seen) : [each]));
}

/** The files in a folder, and the direct subfolder that each of them is in. */
function insideOf({ files: all }: Tree, parent: string) {
  const prefix = parent === '' ? '' : `${parent}/`;
  return {
    inside: all.filter((file) => file.startsWith(prefix)),
    folderIn: (file: string) => folderOf(file.slice(prefix.length)),
  };
}

function testFolders(tree: Tree, parent: string, inner: Record<string, readonly string[]>): void {
  const { inside, folderIn } = insideOf(tree, parent);

  test('every folder is listed', () => {
    const folders = new Set(inside.map(folderIn).filter((folder) => folder !== ''));
    expect([...folders].sort()).toEqual(Object.keys(inner).sort());
  });

  test('every folder is listed after the folders it imports, so there are no cycles', () => {
    const seen: string[] = [];
    for (const [folder, imported] of Object.entries(inner)) {
      expect(seen, folder).toEqual(expect.arrayContaining([...imported]));
      seen.push(folder);
    }
  });

  const among = new Set(inside);
  const nested = inside.filter((file) => folderIn(file) !== '');
  const isAllowed = (from: string, to: string): boolean => inner[from]?.includes(to) ?? false;

  test('every folder imports only allowed folders', () => {
    const isForbidden = (imported: string, file: string): boolean => {
      const [from, to] = [folderIn(file), folderIn(imported)];
      return among.has(imported) && to !== from && to !== '' && !isAllowed(from, to);
    };
    expect(forbidden(nested, isForbidden, tree)).toEqual([]);
  });

  test('files above the folders lead to allowed folders only, and never back', () => {
    const isAbove = (file: string) => among.has(file) && folderIn(file) === '';
    const isForbidden = (imported: string, file: string): boolean =>
      isAbove(imported) &&
      reachedThrough(imported, isAbove, tree).some(
        (reached) => among.has(reached) && !isAllowed(folderIn(file), folderIn(reached)),
      );
    expect(forbidden(nested, isForbidden, tree)).toEqual([]);
  });
}

describe('import arrows', () => {
  test('every folder in src is listed', () => {
    expect([...new Set(files.map(folderOf))].filter((folder) => folder !== '').sort()).toEqual(
      Object.keys(arrows).sort(),
    );
  });

  test('every file imports only folders allowed for its own', () => {
    const isForbidden = (imported: string, file: string): boolean => {
      const [from, to] = [folderOf(file), folderOf(imported)];
      return sources.has(imported) && to !== from && !arrows[from]?.includes(to);
    };
    const nested = files.filter((file) => folderOf(file) !== '');
    expect(forbidden(nested, isForbidden)).toEqual([]);
    expect(isForbidden('http/app.ts', 'domain/read-fields.ts'), 'the rule bites').toBe(true);
  });

  describe.each(Object.entries(innerArrows))('inside %s', (parent, inner) =>
    testFolders(service, parent, inner),
  );

  describe.each(Object.entries(consoleArrows))('inside console/src/%s', (parent, inner) => {
    testFolders(webConsole, parent, inner);

    test('no folder imports the files that wire it up', () => {
      const { inside, folderIn } = insideOf(webConsole, parent);
      const wiring = inside.filter((file) => folderIn(file) === '');
      const nested = inside.filter((file) => folderIn(file) !== '');
      expect(forbidden(nested, (imported) => wiring.includes(imported), webConsole)).toEqual([]);
    });
  });

  describe.each(otherTrees)('inside %s', (_name, tree, inner) => testFolders(tree, '', inner));

  test.each([
    ['src', service],
    ['console/src', webConsole],
    ...otherTrees.map(([name, tree]): [string, Tree] => [name, tree]),
  ] as [string, Tree][])('%s has no import cycles, not even for types', (_name, tree) => {
    expect(findCycle(tree.imports)).toEqual([]);
  });

  test('the search finds a cycle', () => {
    const imports = { a: ['b', 'd'], b: ['c'], c: ['b'], d: [] };
    expect(findCycle(new Map(Object.entries(imports)))).toEqual(['b', 'c', 'b']);
  });

  test('commands that talk to a service import no internals of it', () => {
    const remote = files.filter((file) => remoteCommands.test(file));
    expect(remote.length).toBeGreaterThan(10);
    expect(forbidden(remote, (imported) => insides.test(imported))).toEqual([]);
  });

  test('only commands import the client package, and only they, feeds and notices the sheets package', () => {
    const others = files.filter((file) => folderOf(file) !== 'cli');
    expect(forbidden(others, (imported) => imported === '#client')).toEqual([]);
    const unrelated = others.filter((file) => !/^(domain\/feeds|delivery\/notice-texts)\//.test(file));
    expect(forbidden(unrelated, (imported) => imported === '#sheets')).toEqual([]);
  });

  test('help and usage errors do not load the implementation of commands', () => {
    const loaded = loadedWith('cli/program.ts');
    const heavy = loaded.filter((file) => /^(?:domain|http|delivery)\/|^storage\/(?!errors)/.test(file));
    expect(heavy).toEqual([]);
    expect(loaded.filter((name) => [...packages, 'pg', 'fastify', 'pino'].includes(name))).toEqual([]);
    expect(loaded, 'the rule bites').toContain('cli/service/commands.ts');
  });

  test('pure files exist, and import only the contract and other pure files', () => {
    expect(pure.filter((file) => !sources.has(file))).toEqual([]);
    const isForbidden = (imported: string) => !imported.startsWith('contract/') && !pure.includes(imported);
    expect(forbidden(pure, isForbidden)).toEqual([]);
  });

  test('imports are found at all', () => {
    expect(importsOf('domain/users/plans/missing-user.ts')).toContain('contract/errors.ts');
    expect(importsOf('http/app.ts')).toContain('http/types.ts');
    expect(importsOf('import/import-page.tsx', webConsole)).toContain('import/run/run-step.tsx');
  });
});
