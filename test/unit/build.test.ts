import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A copy of the client, its built files and its build record. */
function copyOfClient(): string {
  const copy = temporaryDirectory();
  const files = ['scripts/build.mjs', 'package-lock.json', 'tsconfig.json', 'client'];
  for (const file of [...files, 'node_modules/.cache/rollcall-build/client'])
    cpSync(join(root, file), join(copy, file), { recursive: true });
  return copy;
}

function check(copy: string): { status: number | null; stderr: string } {
  const script = join(copy, 'scripts/build.mjs');
  const { status, stderr } = spawnSync(process.execPath, [script, '--check', 'client'], { encoding: 'utf8' });
  return { status, stderr };
}

test('built files are up to date while neither they nor their sources change', () => {
  expect(check(copyOfClient())).toEqual({ status: 0, stderr: '' });
});

test.each([
  ['a source file', 'client/src/index.ts'],
  ['a built file', 'client/dist/index.js'],
  ['a package version', 'package-lock.json'],
])('a change to %s makes them stale', (_, file) => {
  const copy = copyOfClient();
  appendFileSync(join(copy, file), '\n');
  expect(check(copy)).toEqual({
    status: 1,
    stderr: 'The built files of client are out of date. Run "npm run build".\n',
  });
});
