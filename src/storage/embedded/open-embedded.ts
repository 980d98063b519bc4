import { existsSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import pg from 'pg';
import { type Database, ignoreConnectionErrors } from '../database.js';
import { StartupError } from '../errors.js';
import { failureReason, type ThreadConnections, threadConnections } from './connection.js';
import {
  postgresMajor,
  rejectDamage,
  rejectMissingTables,
  removeFileList,
  restoreAdvice,
  writeFileList,
} from './damage.js';
import { dataDirNames, incompleteCluster, syncDirectory } from './data-dir.js';
import { lockDataDir } from './data-dir-lock.js';
import { closeDataDir, createForOwnerOnly, type Permissions } from './data-dir-permissions.js';

/** PGlite's major version of PostgreSQL. A directory written by another version cannot be opened. */
export const embeddedPostgresMajor = '18';

/** An empty cluster made at build time: loading it takes about a second; initdb takes four and twice the memory. */
export const embeddedImage = new URL('../../../dist/embedded-image.tar.gz', import.meta.url);

/** Node.js cannot start a thread from TypeScript, so tests, which run the sources, use the built file. */
const threadFile = new URL('../../../dist/storage/embedded/thread.js', import.meta.url);

/**
 * Large enough for PostgreSQL to reach its own limit (max_stack_depth) first, which fails one statement instead of the
 * thread.
 */
const threadStackMb = 16;

/** The cluster to open, and the image to create it from if it is new. */
export interface EmbeddedCluster {
  readonly cluster: string;
  readonly image?: string;
}

/** Whether an embedded database was completely created in this directory. */
export function isInitialized(dataDir: string): boolean {
  return existsSync(join(resolve(dataDir), dataDirNames.initialisedMark));
}

export async function openEmbedded(dataDir: string, permissions: Permissions = () => {}): Promise<Database> {
  const directory = resolve(dataDir);
  createForOwnerOnly();
  createDirectory(directory);
  closeDataDir(directory, 'embedded', permissions);
  const lock = await lockDataDir(directory);
  let isOpen = false;
  const threads = threadConnections(
    () => startThread(directory),
    (reason) => {
      if (isOpen) warnOfBrokenThread(directory, reason);
    },
  );
  const pool = embeddedPool(threads);
  const close = async () => {
    await pool.end();
    await threads.closed();
    if (isOpen) writeFileList(directory);
    await lock.release();
  };
  try {
    rejectDamage(directory, isInitialized(directory));
    rejectUnfinishedMove(directory);
    removeFileList(directory);
    await openCluster(pool, directory);
    isOpen = true;
  } catch (error) {
    await close();
    throw error;
  }
  return { kind: 'embedded', description: `the embedded database in ${directory}`, pool, close };
}

/** A new and empty database beside it would be a surprise. */
function rejectUnfinishedMove(directory: string): void {
  const draft = join(directory, dataDirNames.moving);
  if (isInitialized(directory) || !existsSync(draft)) return;
  throw new StartupError(
    `The data directory ${directory} is the target of a move that has not finished. Run "rollcall move" again with the same arguments to complete it, or delete ${draft} to start without its data.`,
  );
}

function embeddedPool(threads: ThreadConnections): pg.Pool {
  const pool = new pg.Pool({
    stream: threads.open,
    // Set explicitly, so that PGHOST and similar variables, which are meant for another PostgreSQL, do not apply.
    host: 'localhost',
    user: 'postgres',
    database: 'postgres',
    ssl: false,
    // PGlite is a single session, so the pool is one connection that is never closed.
    max: 1,
    idleTimeoutMillis: 0,
  });
  // After a failed query, the pool's own `query` would close the connection, and the thread with it.
  const query = async (...parameters: Parameters<pg.ClientBase['query']>) => {
    const client = await pool.connect();
    try {
      return await client.query(...parameters);
    } finally {
      client.release();
    }
  };
  ignoreConnectionErrors(pool);
  return Object.assign(pool, { query: query as unknown as pg.Pool['query'] });
}

function createDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(
      `The data directory ${directory} cannot be created (${code}). Make its parent writable, or set ROLLCALL_DATA_DIR.`,
    );
  }
}

async function openCluster(pool: pg.Pool, directory: string): Promise<void> {
  const isNew = !isInitialized(directory);
  try {
    const client = await pool.connect();
    client.release();
    if (!isNew) return await rejectMissingTables(pool, directory);
    await pool.query('CHECKPOINT');
    writeFileSync(join(directory, dataDirNames.initialisedMark), `PostgreSQL ${embeddedPostgresMajor}\n`);
    syncDirectory(directory);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(
      `The embedded database in ${directory} cannot be opened: ${failureReason(error)}. Check that the disk has space and is writable. If the directory is damaged: ${restoreAdvice}`,
      { cause: error },
    );
  }
}

/** Called for the first connection, and for each that replaces a broken one. */
function startThread(directory: string): Worker {
  const cluster = join(directory, dataDirNames.cluster);
  const isNew = !isInitialized(directory);
  if (isNew && existsSync(cluster)) {
    // An interrupted first start. Nothing of it was acknowledged, but it is moved away rather than deleted.
    renameSync(cluster, join(directory, incompleteCluster(Date.now())));
  }
  if (!isNew) rejectOtherMajor(cluster);
  if (!existsSync(threadFile)) {
    throw new StartupError(`${fileURLToPath(threadFile)} is missing: run \`npm run build\`.`);
  }
  const image = isNew && existsSync(embeddedImage) ? { image: fileURLToPath(embeddedImage) } : {};
  const workerData: EmbeddedCluster = { cluster, ...image };
  return new Worker(threadFile, { workerData, resourceLimits: { stackSizeMb: threadStackMb } });
}

/** Written to the console: the request log contains no database texts, and this message is only about the machine. */
function warnOfBrokenThread(directory: string, reason: string): void {
  process.emitWarning(
    `The embedded database in ${directory} ended: ${reason}. It is opened again for the next request.`,
    'EmbeddedDatabaseWarning',
  );
}

function rejectOtherMajor(cluster: string): void {
  const major = postgresMajor(cluster);
  if (major === embeddedPostgresMajor) return;
  throw new StartupError(
    `The data in ${cluster} was written by PostgreSQL ${major}, and this Rollcall embeds ${embeddedPostgresMajor}. Start the Rollcall that wrote it, or move the data with pg_dump.`,
  );
}
