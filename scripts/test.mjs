// `npm test`: builds what is out of date, then runs the tests, and meanwhile checks types, lint and generated files.
// Arguments go to Vitest: `npm test -- users` runs the test files with "users" in their path.
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const script = (name) => join(root, 'scripts', name);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

/** What the tests write is a fifth of this. */
const memoryMinBytes = 12 * 1024 ** 3;

const build = spawnSync(process.execPath, [script('build.mjs'), '--quiet'], { stdio: 'inherit' });
if (build.status !== 0) process.exit(1);

const check = spawn(process.execPath, [script('check.mjs')], {
  cwd: root,
  stdio: ['ignore', 'pipe', 'pipe'],
});
let findings = '';
for (const stream of [check.stdout, check.stderr]) {
  stream.setEncoding('utf8').on('data', (text) => {
    findings += text;
  });
}
const given = process.argv.slice(2);
const projects = given.includes('--project') ? [] : ['--project', '!release*'];
// Tests leave databases and services behind, all of them in one directory and one group of processes. Browsers end by
// themselves.
const temporary = inMemory() ?? mkdtempSync(join(tmpdir(), 'rollcall-'));
chmodSync(temporary, 0o711); // PostgreSQL may run as another user
const tests = spawn(process.execPath, [vitest, 'run', '--tagsFilter', '!release', ...projects, ...given], {
  cwd: root,
  // The files are built, and the temporary ones are deleted below.
  env: {
    ...process.env,
    ...{ ROLLCALL_TEST_STALE_BUILD: '1', ROLLCALL_TEST_DELETES: '0' },
    ...{ TMPDIR: temporary, TEMP: temporary, TMP: temporary },
  },
  stdio: 'inherit',
  detached: process.platform !== 'win32',
});
let isEnding = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  process.on(signal, () => {
    check.kill(signal);
    end(isEnding ? 'SIGKILL' : signal);
    isEnding = true;
  });
}

// Type errors explain why tests fail, so there is no point in waiting for the tests.
const checked = ended(check).then((code) => {
  if (code !== 0) end('SIGINT');
  return code;
});
const codes = await Promise.all([checked, ended(tests)]);
end('SIGKILL');
deleteInBackground(temporary);
if (findings.trim() !== '') console.error(`\n${findings.trim()}`);
process.exit(codes.every((code) => code === 0) ? 0 : 1);

/**
 * A directory in memory, if there is plenty and programs can run there. Otherwise all tests wait for the disk: a commit
 * of one flushes what the others have written.
 */
function inMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (Math.min(bavail * bsize, freemem(), process.availableMemory()) < memoryMinBytes) return undefined;
    const directory = mkdtempSync('/dev/shm/rollcall-');
    const program = join(directory, 'program');
    writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 });
    if (spawnSync(program).status === 0) return directory;
    rmSync(directory, { recursive: true });
  } catch {
    // there is no such directory
  }
  return undefined;
}

/** Sends the signal to the tests and to everything that they have started. */
function end(signal) {
  try {
    process.kill(process.platform === 'win32' ? tests.pid : -tests.pid, signal);
  } catch {
    // nothing is left
  }
}

/** Hundreds of databases are so many files that deleting them takes ten seconds, for which nobody has to wait. */
function deleteInBackground(directory) {
  const options = '{ recursive: true, force: true, maxRetries: 10 }';
  const script = `require('node:fs').rmSync(${JSON.stringify(directory)}, ${options})`;
  spawn(process.execPath, ['-e', script], { detached: true, stdio: 'ignore' }).unref();
}

function ended(child) {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
