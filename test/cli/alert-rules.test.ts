import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const folder = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool) console.log('The alert rules are not tested: install promtool (Debian: prometheus).');

test.skipIf(!hasPromtool).each([
  ['check', 'alerts.yaml'],
  ['test', 'alerts.test.yaml'],
])('promtool %s rules %s', (command, file) => {
  const { status, stdout, stderr } = spawnSync('promtool', [command, 'rules', file], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status, stdout + stderr).toBe(0);
});
