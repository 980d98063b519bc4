import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { credentialsIn, useOwnService } from '../../support/service.js';
import { temporaryDirectory } from '../../support/temporary-directory.js';

const service = useOwnService();
const client = fileURLToPath(new URL('../../../client', import.meta.url));

/** The package as installed, without its types: test/release/client-package.test.ts covers those. */
function install(project: string): void {
  const target = join(project, 'node_modules/@rollcall/client');
  for (const file of readdirSync(join(client, 'src'), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const { outputText } = ts.transpileModule(readFileSync(join(client, 'src', file), 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022 },
    });
    const written = join(target, 'dist', file.replace(/\.ts$/, '.js'));
    mkdirSync(dirname(written), { recursive: true });
    writeFileSync(written, outputText);
  }
  writeFileSync(join(target, 'package.json'), readFileSync(join(client, 'package.json')));
}

/** Resolves relative URLs as a browser does. */
const asInAPage = `const asked = globalThis.fetch;
globalThis.fetch = (url, init) => asked(new URL(url, process.env.ROLLCALL_URL), init);`;

test('the README examples run in order and print the expected output', async () => {
  const readme = readFileSync(join(client, 'README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  expect(examples.length).toBeGreaterThan(4);
  const project = temporaryDirectory();
  install(project);
  writeFileSync(join(project, 'examples.mjs'), [asInAPage, ...examples].join('\n'));
  await service.post('/service/feeds', {
    ...{ key: 'workday', name: 'Staff', source: { type: 'upload' } },
    mapping: {
      columns: [
        { field: 'employeeID', columns: ['Employee ID'] },
        { field: 'name', columns: ['Name'] },
      ],
    },
  });
  const { clientId, clientSecret } = credentialsIn(service.dataDir);
  const { stdout } = await promisify(execFile)(process.execPath, ['examples.mjs'], {
    cwd: project,
    env: { ROLLCALL_URL: service.url, ROLLCALL_CLIENT_ID: clientId, ROLLCALL_CLIENT_SECRET: clientSecret },
  });
  expect(stdout.trimEnd().split('\n')).toEqual([
    'Ada Lovelace',
    'Change your password first.',
    'E1001 Ada Lovelace',
    'admin Administrator',
    expect.stringMatching(/^\d+ null$/),
    'ORG7 unknown []',
    'sales,  Berlin unknown []',
    'Marketing unknown []',
    expect.stringContaining('The employee ID "E1001" is already taken by another user'),
    expect.stringMatching(/^0 [0-9a-f-]{36} updated$/),
    '1 E9999 USER_NOT_FOUND No user has the employee ID "E9999".',
    expect.stringMatching(/^call ID, to undo it: [0-9a-f-]{36}$/),
    '2 of unknown',
    '1 1',
    '0 E1001 succeeded { isActive: { before: true, after: false } }',
    expect.stringMatching(/^[0-9a-f-]{36} queued$/),
    '1 user.created',
    "admin [ 'employeeID', 'name', 'username', 'email', 'isActive' ]",
    '2 user.created',
    "E1001 [ 'employeeID', 'name', 'username', 'email', 'isActive' ]",
    '3 user.updated',
    "E1001 [ 'phone' ]",
    expect.stringMatching(/^\d+ user\.created$/),
    "E1002 [ 'employeeID', 'name', 'email', 'isActive' ]",
    expect.stringMatching(/^\d+ user\.updated$/),
    "E1001 [ 'name' ]",
    expect.stringMatching(/^\d+ call\.completed$/),
  ]);
});
