// `npm test`: builds what is out of date, then runs the tests, and meanwhile checks types, lint and generated files.
// Arguments go to Vitest: `npm test -- users` runs the test files with "users" in their path.
import { spawn, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const script = (name) => join(root, 'scripts', name);
const vitest = join(root, 'node_modules/vitest/vitest.mjs');

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
const projects = given.includes('--project') ? [] : ['--project', '!release'];
const tests = spawn(process.execPath, [vitest, 'run', '--tagsFilter', '!release', ...projects, ...given], {
  cwd: root,
  env: { ...process.env, ROLLCALL_TEST_STALE_BUILD: '1' }, // built above
  stdio: 'inherit',
});

// Type errors explain why tests fail, so there is no point in waiting for the tests.
const checked = ended(check).then((code) => {
  if (code !== 0) tests.kill('SIGINT');
  return code;
});
const codes = await Promise.all([checked, ended(tests)]);
if (findings.trim() !== '') console.error(`\n${findings.trim()}`);
process.exit(codes.every((code) => code === 0) ? 0 : 1);

function ended(child) {
  return new Promise((resolve) => child.once('close', (code) => resolve(code ?? 1)));
}
