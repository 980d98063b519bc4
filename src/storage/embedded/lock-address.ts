import { createHash } from 'node:crypto';
import { closeSync, openSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { dataDirNames } from './data-dir-entries.js';

/** Where the lock of a data directory is. All processes must agree on it, however they were started. */
export interface LockAddress {
  readonly path: string;
  close(): void;
}

const socketPathMaxBytes = 100;

/** Socket paths are limited to about 104 bytes, so a deep data directory needs a shorter path. */
export function lockAddress(dataDir: string, platform = process.platform): LockAddress {
  const none = { close: () => {} };
  const path = join(dataDir, dataDirNames.lock);
  // The native function also returns the letter case on disk, where the case of a path doesn't matter.
  const name = lockName(realpathSync.native(dataDir), platform);
  if (platform === 'win32') return { path: `\\\\.\\pipe\\${name}`, ...none };
  if (Buffer.byteLength(path) <= socketPathMaxBytes) return { path, ...none };
  if (platform === 'linux') {
    const directory = openSync(dataDir, 'r');
    return { path: `/proc/self/fd/${directory}/${dataDirNames.lock}`, close: () => closeSync(directory) };
  }
  // Not the directory in TMPDIR, which differs between a shell and a service.
  return { path: `/tmp/${name}.sock`, ...none };
}

export function lockName(canonicalDir: string, platform: NodeJS.Platform): string {
  const directory = platform === 'win32' ? canonicalDir.toLowerCase() : canonicalDir;
  return `rollcall-${createHash('sha256').update(directory).digest('hex').slice(0, 32)}`;
}
