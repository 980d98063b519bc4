import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

async function run(cwd: string, command: string, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(command, args, { cwd, maxBuffer: 64 * 1024 * 1024 });
  return stdout;
}

const npm = (cwd: string, ...args: string[]) =>
  run(cwd, 'npm', ...args, '--silent', '--no-audit', '--no-fund', '--ignore-scripts');

/** What is installed in a folder, and what the lockfile wants there: versions by name. */
function versions(lockfile: string): Map<string, string> {
  const { packages } = JSON.parse(readFileSync(lockfile, 'utf8')) as {
    packages: Record<string, { version: string; dev?: boolean; link?: boolean }>;
  };
  const rows = Object.entries(packages).flatMap(([path, { version, dev, link }]) => {
    const name = path.split(/^node_modules\/(?:rollcall\/node_modules\/)?/)[1];
    return name && name !== 'rollcall' && !dev && !link ? [[name, version] as const] : [];
  });
  return new Map(rows);
}

test('the package installs on this version of Node.js and runs, and from a registry with the versions that were tested', async () => {
  const packed = temporaryDirectory();
  const output = await run(root, 'npm', 'pack', '--json', '--silent', '--pack-destination', packed);
  const [{ filename, files }] = JSON.parse(output.slice(output.indexOf('\n['))); // after what the build says
  const tarball = join(packed, filename);
  const names = files.map(({ path }: { path: string }) => path) as string[];
  for (const file of ['npm-shrinkwrap.json', 'dist/api/page/index.html', 'docs/contract.md', 'LICENSE']) {
    expect(names).toContain(file);
  }
  expect(names.filter((file) => /^(src|test|scripts|console)\//.test(file))).toEqual([]);

  const [byPath, byName] = [temporaryDirectory(), temporaryDirectory()];
  await npm(byPath, 'install', '--engine-strict', tarball);
  expect(await run(byPath, 'node_modules/.bin/rollcall', '--version')).toContain(manifest.version);

  await npm(byName, 'install', '--engine-strict', 'rollcall', '--registry', await registryWith(tarball));
  expect(versions(join(byName, 'package-lock.json'))).toEqual(versions(join(root, 'package-lock.json')));
});

/** The address of a registry that has this package, and refers to the usual one for others. */
async function registryWith(tarball: string): Promise<string> {
  const upstream = (await npm(root, 'config', 'get', 'registry')).trim();
  const registry = createServer((request, response) => {
    if (request.url === '/rollcall.tgz') return response.end(readFileSync(tarball));
    if (request.url !== '/rollcall') {
      return response.writeHead(302, { location: new URL(`.${request.url}`, upstream).href }).end();
    }
    const dist = { tarball: `http://${request.headers.host}/rollcall.tgz` };
    const published = { ...manifest, dist, _hasShrinkwrap: true };
    return response.setHeader('content-type', 'application/json').end(
      JSON.stringify({
        name: 'rollcall',
        'dist-tags': { latest: manifest.version },
        versions: { [manifest.version]: published },
      }),
    );
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void registry.close());
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}
