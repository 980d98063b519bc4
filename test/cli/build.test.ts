import { spawnSync } from 'node:child_process';
import { appendFileSync, cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

test('built files are up to date until they, their sources or package versions change', () => {
  const copy = temporaryDirectory();
  const take = (path: string) => cpSync(join(root, path), join(copy, path), { recursive: true });
  const files = ['scripts/build.mjs', 'package-lock.json', 'tsconfig.json', 'client'];
  for (const path of [...files, 'node_modules/.cache/rollcall-build/client']) take(path);
  const check = () => {
    const script = join(copy, 'scripts/build.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check', 'client'], {
      encoding: 'utf8',
    });
    return { status, stderr };
  };

  expect(check()).toEqual({ status: 0, stderr: '' });
  for (const changed of ['client/src/index.ts', 'client/dist/index.js', 'package-lock.json']) {
    appendFileSync(join(copy, changed), '\n');
    expect(check(), changed).toEqual({
      status: 1,
      stderr: 'The built files of client are out of date. Run "npm run build".\n',
    });
    take(changed);
  }
  expect(check()).toEqual({ status: 0, stderr: '' });
});
