import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Peer } from './peer.js';
import { runProgram } from './program.js';

const installTimeoutMs = 600_000;

/**
 * Installs the packages of a peer in a folder of its own. Runs only the install scripts it can't do without, because
 * others would compile unused database drivers for minutes.
 */
export async function install(peer: Peer, folder: string, interrupted: AbortSignal): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const built = peer.built ?? [];
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      private: true,
      type: 'module',
      dependencies: peer.packages,
      allowScripts: Object.fromEntries(built.map((name) => [name, true])),
    }),
  );
  if (Object.keys(peer.packages).length === 0) return;
  const signal = AbortSignal.any([interrupted, AbortSignal.timeout(installTimeoutMs)]);
  const npm = (...args: readonly string[]) =>
    runProgram('npm', [...args, '--prefix', folder, '--no-audit', '--no-fund', '--loglevel=error'], {
      folder,
      signal,
    }).ended;
  await npm('install', '--ignore-scripts', '--no-package-lock');
  if (built.length > 0) await npm('rebuild', ...built);
}
