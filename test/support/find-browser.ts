import { accessSync, constants, statSync } from 'node:fs';
import { posix } from 'node:path';

/** What the search depends on, so that it can be tested for every platform. */
export interface Machine {
  readonly platform: string;
  readonly arch: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  isExecutable(path: string): boolean;
}

export type FoundBrowser =
  | { readonly kind: 'installed'; readonly path: string }
  | { readonly kind: 'bundled' }
  | { readonly kind: 'none' };

/** The headless shell first: it draws no window, and the tests take two thirds of the time. */
const commandNames = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
];
const linuxPaths = [
  ...['/usr/bin', '/usr/local/bin', '/snap/bin'].flatMap((directory) =>
    commandNames.map((name) => posix.join(directory, name)),
  ),
  '/usr/lib/chromium/chromium',
  '/opt/google/chrome/chrome',
];
const macApplications = ['Chromium', 'Google Chrome'];

/** Looks for `ROLLCALL_TEST_BROWSER`, then an installed Chromium or Chrome, then the one in the npm package. */
export function findBrowser(machine: Machine): FoundBrowser {
  const chosen = machine.environment.ROLLCALL_TEST_BROWSER;
  if (chosen) {
    if (machine.isExecutable(chosen)) return { kind: 'installed', path: chosen };
    throw new Error(
      `ROLLCALL_TEST_BROWSER is "${chosen}", which is not an executable file. Set it to the path of a Chromium or Chrome, or unset it.`,
    );
  }
  const path = usualPaths(machine).find((candidate) => machine.isExecutable(candidate));
  if (path !== undefined) return { kind: 'installed', path };
  return bundledBrowserRuns(machine) ? { kind: 'bundled' } : { kind: 'none' };
}

export function browserOfThisMachine(): FoundBrowser {
  const { platform, arch, env: environment } = process;
  return findBrowser({ platform, arch, environment, isExecutable });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function usualPaths({ platform, environment }: Machine): readonly string[] {
  const onPath = (environment.PATH ?? '')
    .split(':')
    .filter((directory) => directory.startsWith('/'))
    .flatMap((directory) => commandNames.map((name) => posix.join(directory, name)));
  if (platform === 'linux') return [...onPath, ...linuxPaths];
  if (platform !== 'darwin') return [];
  const roots = ['/', ...(environment.HOME ? [environment.HOME] : [])];
  const applications = roots.flatMap((root) =>
    macApplications.map((name) => posix.join(root, 'Applications', `${name}.app/Contents/MacOS`, name)),
  );
  return [...applications, ...onPath];
}

/** `@sparticuz/chromium` contains a Linux binary for x86-64 only. */
function bundledBrowserRuns({ platform, arch }: Machine): boolean {
  return platform === 'linux' && arch === 'x64';
}

/** The one line printed when the browser tests are skipped. */
export function skippedBrowserTests(platform: string): string {
  const install =
    platform === 'darwin' ? 'brew install --cask chromium' : 'apt install chromium, or dnf install chromium';
  return `Browser tests skipped: no Chromium or Chrome found. Install one (${install}) or set ROLLCALL_TEST_BROWSER to its path.`;
}
