import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const tsc = join(root, 'node_modules/typescript/bin/tsc');

function run(cwd: string, command: string, ...args: string[]): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** A project with the client installed from its package. Packed from a copy, because npm would rebuild it otherwise. */
function projectWithPackage() {
  const [source, project] = [temporaryDirectory(), temporaryDirectory()];
  for (const file of ['package.json', 'README.md', 'LICENSE', 'dist'])
    cpSync(join(root, 'client', file), join(source, file), { recursive: true });
  const [packed] = JSON.parse(
    run(source, 'npm', 'pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', project),
  );
  const target = join(project, 'node_modules/@rollcall/client');
  mkdirSync(target, { recursive: true });
  run(project, 'tar', '-xzf', packed.filename, '--strip-components=1', '-C', target);
  writeFileSync(join(project, 'package.json'), '{"type":"module"}');
  return { project, files: packed.files.map(({ path }: { path: string }) => path) as string[] };
}

test('the package contains only what it needs, runs in plain Node.js, and its types accept the README examples', () => {
  const { project, files } = projectWithPackage();
  expect(files).toEqual(expect.arrayContaining(['LICENSE', 'README.md', 'dist/index.js', 'dist/index.d.ts']));
  expect(files.filter((file) => !/^dist\/.*\.(js|d\.ts)$/.test(file)).sort()).toEqual([
    'LICENSE',
    'README.md',
    'package.json',
  ]);

  const names = `console.log(Object.keys(await import('@rollcall/client')).sort().join(' '))`;
  expect(run(project, process.execPath, '--input-type=module', '--eval', names).trim()).toBe(
    'BulkInterrupted ConnectionFailed InvalidArgument ListIncomplete RequestFailed RollcallError UnexpectedReply bearer clientCredentials createClient createInBulk downloadBackup errorFrom followEvents isRollcallError limits newIdempotencyKey rememberNames resolveNames updateInBulk uploadFeedFile upsertInBulk',
  );

  const readme = readFileSync(join(root, 'client/README.md'), 'utf8');
  const examples = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  const mistake = `// @ts-expect-error there is no such operation\nawait rollcall.call('removeUser');`;
  writeFileSync(join(project, 'examples.ts'), [...examples, mistake].join('\n'));
  mkdirSync(join(project, 'node_modules/@types'));
  symlinkSync(join(root, 'node_modules/@types/node'), join(project, 'node_modules/@types/node'));
  symlinkSync(join(root, 'node_modules/undici-types'), join(project, 'node_modules/undici-types'));
  const strict = ['--noEmit', '--strict', '--skipLibCheck', '--target', 'ES2022', '--types', 'node'];
  run(project, process.execPath, tsc, ...strict, '--module', 'NodeNext', 'examples.ts');
});
