import { createHash } from 'node:crypto';
import { closeSync, mkdirSync, openSync, realpathSync, rmdirSync, statSync, unlinkSync } from 'node:fs';
import { createConnection, createServer, type Server } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DataDirInUse, StartupError } from '../errors.js';
import { dataDirNames } from './data-dir.js';

/**
 * One process per data directory: two PGlite instances on one directory destroy it. The lock is a listening socket in
 * the directory: the kernel closes it when its process ends, however that happens; it works between containers that
 * share a volume, where process IDs mean nothing; and it can say who holds it.
 */
interface DataDirLock {
  release(): Promise<void>;
}

const takeoverStaleMs = 10_000;

export async function lockDataDir(dataDir: string): Promise<DataDirLock> {
  const address = lockAddress(dataDir);
  const guard = join(dataDir, dataDirNames.lockTakeover);
  for (;;) {
    const server = await listen(address.path, dataDir);
    if (server) return { release: () => release(server, address) };
    const holder = await identifyHolder(address.path);
    if (holder !== undefined) {
      address.close();
      throw new DataDirInUse(dataDir, holder);
    }
    await removeStale(address.path, guard);
  }
}

/**
 * A stale socket is removed under a guard. Otherwise two new processes could each remove the lock that the other has
 * just taken.
 */
async function removeStale(path: string, guard: string): Promise<void> {
  try {
    mkdirSync(guard);
  } catch {
    const since = statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? Date.now();
    if (Date.now() - since > takeoverStaleMs) rmdirSync(guard);
    await pause(20);
    return;
  }
  try {
    if ((await identifyHolder(path)) === undefined) unlinkSync(path);
  } finally {
    rmdirSync(guard);
  }
}

function listen(path: string, dataDir: string): Promise<Server | undefined> {
  const since = new Date().toISOString();
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.end(`process ${process.pid} on ${hostname()}, since ${since}`);
  });
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(undefined);
      else
        reject(
          new StartupError(`The data directory ${dataDir} cannot be locked (${error.code}): is it writable?`),
        );
    });
    server.listen(path, () => {
      server.unref();
      resolve(server);
    });
  });
}

/** What connecting to a file says that was left behind by a process that died, or is gone by now. */
const staleCodes: readonly (string | undefined)[] = ['ECONNREFUSED', 'ENOENT', 'ENOTSOCK'];

/** Who answers on the socket. Undefined if nobody listens. Whoever refuses to talk to this user is still there. */
function identifyHolder(path: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createConnection(path);
    let answer = '';
    socket.setEncoding('utf8');
    socket.setTimeout(2_000, () => socket.destroy());
    socket.on('data', (text: string) => {
      answer += text;
    });
    socket.on('connect', () => socket.on('close', () => resolve(answer || 'another process')));
    socket.on('error', ({ code }: NodeJS.ErrnoException) =>
      resolve(staleCodes.includes(code) ? undefined : 'another process'),
    );
  });
}

function release(server: Server, address: LockAddress): Promise<void> {
  return new Promise((resolve) =>
    server.close(() => {
      address.close();
      resolve();
    }),
  );
}

/** Where the lock of a data directory is. All processes must agree on it, however they were started. */
interface LockAddress {
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
