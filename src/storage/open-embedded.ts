import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { createPgConfig } from '@electric-sql/pglite/node-postgres';
import { NodeFS } from '@electric-sql/pglite/nodefs';
import pg from 'pg';
import { lockDataDir } from './data-dir-lock.js';
import { type Database, surviveBrokenConnections } from './database.js';
import { StartRefused } from './errors.js';

/** PGlite's major version of PostgreSQL: a directory written by another one cannot be opened. */
export const embeddedPostgresMajor = '18';

/** An empty cluster made at build time: loading it takes about a second, initdb four and twice the memory. */
export const embeddedImage = new URL('../../dist/embedded-image.tar.gz', import.meta.url);

const markName = 'postgres.initialised';

/** Whether an embedded database was ever made completely in this directory. */
export function isInitialised(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), markName));
}

export async function openEmbedded(dataDir: string): Promise<Database> {
  const directory = resolve(dataDir);
  createDirectory(directory);
  const lock = await lockDataDir(directory);
  try {
    const pglite = await startPglite(directory);
    const pool = embeddedPool(pglite);
    return {
      kind: 'embedded',
      description: `the embedded database in ${directory}`,
      pool,
      close: async () => {
        await pool.end();
        await pglite.close();
        await lock.release();
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function embeddedPool(pglite: PGlite): pg.Pool {
  // PGlite is one session, so the pool is one connection that is never given up.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0 } as pg.PoolConfig);
  // After a failed query the pool's own `query` gives the connection up, and the next client would read what is still to
  // come of the old one's answers as its own.
  const query = async (...parameters: Parameters<pg.ClientBase['query']>) => {
    const client = await pool.connect();
    try {
      return await client.query(...parameters);
    } finally {
      client.release();
    }
  };
  surviveBrokenConnections(pool);
  return Object.assign(pool, { query: query as unknown as pg.Pool['query'] });
}

function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartRefused(
      `The data directory ${directory} cannot be created (${code}). Make its parent writable, or set ROLLCALL_DATA_DIR.`,
    );
  }
}

async function startPglite(directory: string): Promise<PGlite> {
  const cluster = join(directory, 'postgres');
  const mark = join(directory, markName);
  const isNew = !isInitialised(directory);
  if (isNew && existsSync(cluster)) {
    // A first start that was interrupted. Nothing was acknowledged from it, but it is put aside rather than deleted.
    renameSync(cluster, `${cluster}.incomplete-${Date.now()}`);
  }
  if (!isNew) refuseOtherMajor(cluster);
  try {
    const pglite = new PGlite({
      fs: new DurableNodeFS(cluster),
      startParams: durableStartParams,
      ...(isNew && existsSync(embeddedImage) ? { loadDataDir: new Blob([readFileSync(embeddedImage)]) } : {}),
    });
    await pglite.waitReady;
    if (isNew) {
      await pglite.exec('CHECKPOINT');
      writeFileSync(mark, `PostgreSQL ${embeddedPostgresMajor}\n`);
      syncDirectory(directory);
    }
    return pglite;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartRefused(
      `The embedded database in ${directory} cannot be opened: ${reason}. Check the disk and its permissions; if the directory is damaged, restore it from a backup.`,
      { cause: error },
    );
  }
}

function refuseOtherMajor(cluster: string): void {
  const file = join(cluster, 'PG_VERSION');
  const major = existsSync(file) ? readFileSync(file, 'utf8').trim() : 'unknown';
  if (major === embeddedPostgresMajor) return;
  throw new StartRefused(
    `The data in ${cluster} was written by PostgreSQL ${major}, and this Rollcall embeds ${embeddedPostgresMajor}. Start the Rollcall that wrote it, or move the data with pg_dump.`,
  );
}

/** PGlite is shipped with fsync off (`-F`). This is somebody's record of people: a power cut must not lose a reply. */
const durableStartParams = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  '-c',
  'wal_sync_method=fsync',
];

interface NodeStream {
  readonly nfd?: number;
  readonly node: unknown;
}

/** NodeFS has no fsync operation, so PostgreSQL's calls would end in nothing. This one passes them to the disk. */
class DurableNodeFS extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>): ReturnType<NodeFS['init']> {
    const { emscriptenOpts } = await super.init(database, options);
    // biome-ignore lint/suspicious/noExplicitAny: the Emscripten module has no types for its file systems
    const addFsync = (module: any) => {
      module.NODEFS.stream_ops.fsync = (stream: NodeStream) => {
        if (stream.nfd === undefined) syncDirectory(module.NODEFS.realPath(stream.node));
        else fsyncSync(stream.nfd);
        return 0;
      };
    };
    const preRun = [emscriptenOpts.preRun ?? [], addFsync].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun } };
  }
}

function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows has no handle to sync a directory by.
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
