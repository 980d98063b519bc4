import { expect, test } from 'vitest';
import { findBrowser, type Machine, skippedBrowserTests } from '../support/find-browser.js';

const macChrome = '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome';

function machine(
  platform: string,
  arch: string,
  executables: readonly string[],
  environment: Record<string, string> = {},
): Machine {
  return { platform, arch, environment, isExecutable: (path) => executables.includes(path) };
}

test.each([
  ['Chromium on Debian', machine('linux', 'arm64', ['/usr/bin/chromium']), '/usr/bin/chromium'],
  ['Chrome on Linux', machine('linux', 'x64', ['/opt/google/chrome/chrome']), '/opt/google/chrome/chrome'],
  ['a snap', machine('linux', 'x64', ['/snap/bin/chromium']), '/snap/bin/chromium'],
  [
    'a browser on the PATH',
    machine('linux', 'arm64', ['/nix/bin/google-chrome'], { PATH: '/bin:/nix/bin' }),
    '/nix/bin/google-chrome',
  ],
  ['Chrome on macOS', machine('darwin', 'arm64', [macChrome]), macChrome],
  [
    'Chrome of a macOS user',
    machine('darwin', 'arm64', [`/Users/ada${macChrome}`], { HOME: '/Users/ada' }),
    `/Users/ada${macChrome}`,
  ],
])('finds an installed browser: %s', (_, on, path) => {
  expect(findBrowser(on)).toEqual({ kind: 'installed', path });
});

test('ROLLCALL_TEST_BROWSER takes precedence over an installed browser', () => {
  const environment = { ROLLCALL_TEST_BROWSER: '/builds/chrome' };
  expect(findBrowser(machine('linux', 'x64', ['/usr/bin/chromium', '/builds/chrome'], environment))).toEqual({
    kind: 'installed',
    path: '/builds/chrome',
  });
});

test('rejects a ROLLCALL_TEST_BROWSER that is not executable, even if a browser is installed', () => {
  const environment = { ROLLCALL_TEST_BROWSER: '/no/such/browser' };
  expect(() => findBrowser(machine('linux', 'x64', ['/usr/bin/chromium'], environment))).toThrow(
    'ROLLCALL_TEST_BROWSER is "/no/such/browser", which is not an executable file.',
  );
});

test('an empty ROLLCALL_TEST_BROWSER counts as unset', () => {
  const environment = { ROLLCALL_TEST_BROWSER: '' };
  expect(findBrowser(machine('linux', 'x64', [], environment)).kind).toBe('bundled');
});

test('an installed browser takes precedence over the bundled one', () => {
  expect(findBrowser(machine('linux', 'x64', ['/usr/bin/google-chrome'])).kind).toBe('installed');
});

test('the bundled browser is used only where its binary runs', () => {
  const kinds = [
    ['linux', 'x64'],
    ['linux', 'arm64'],
    ['darwin', 'arm64'],
    ['darwin', 'x64'],
    ['win32', 'x64'],
  ].map(([platform = '', arch = '']) => findBrowser(machine(platform, arch, [])).kind);
  expect(kinds).toEqual(['bundled', 'none', 'none', 'none', 'none']);
});

test('the message about skipped browser tests is one line that says what to install', () => {
  for (const platform of ['linux', 'darwin']) {
    const line = skippedBrowserTests(platform);
    expect(line).not.toContain('\n');
    expect(line).toMatch(/install.*chromium.*ROLLCALL_TEST_BROWSER/i);
  }
});
