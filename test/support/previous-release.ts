import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** What a node needs to run, and to be compiled. */
const needed = ['src', 'migrations', 'templates', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
}

/** The last release, to run its code next to the current one. Its files are in the history of the repository. */
export type PreviousRelease =
  | { readonly version: string; readonly commit: string }
  | { readonly version: string; readonly missing: string };

export function findPreviousRelease(): PreviousRelease {
  const current = manifestIn(readFileSync(join(root, 'package.json'), 'utf8'));
  const { version } = current;
  const commit = git('log', '-1', '--format=%H', `-S"version": "${version}"`, '--', 'package.json')?.trim();
  if (!commit) return { version, missing: 'its commit is not in the history of this clone' };
  const released = git('show', `${commit}:package.json`);
  if (released === undefined) return { version, missing: 'its files are not in this clone' };
  const { dependencies } = manifestIn(released);
  const installed = { ...current.dependencies, ...current.devDependencies };
  const gone = Object.keys(dependencies).filter((name) => !(name in installed));
  return gone.length > 0
    ? { version, missing: `it needs packages that are no longer installed: ${gone.join(', ')}` }
    : { version, commit };
}

/** Compiles the service of a release, with the packages that are installed, and returns a function that imports its modules. */
export function buildRelease(commit: string): <T>(module: string) => Promise<T> {
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  const home = join(root, 'node_modules/.cache/rollcall-release', `${commit}-${lock.slice(0, 12)}`);
  if (!existsSync(home)) {
    const draft = `${home}.${process.pid}`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true });
    const files = execFileSync('git', ['archive', commit, ...needed], { cwd: root, maxBuffer: 2 ** 28 });
    execFileSync('tar', ['-x', '-C', draft], { input: files });
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    execFileSync(process.execPath, [tsc, '-p', join(draft, 'tsconfig.build.json'), '--noCheck']);
    renameSync(draft, home);
  }
  return <T>(module: string) => import(pathToFileURL(join(home, 'dist', module)).href) as Promise<T>;
}

function manifestIn(text: string): Manifest {
  return JSON.parse(text);
}

function git(...parameters: string[]): string | undefined {
  const { status, stdout } = spawnSync('git', parameters, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
