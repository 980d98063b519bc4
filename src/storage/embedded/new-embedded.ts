import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Database } from '../database.js';
import { StartupError } from '../errors.js';
import { removeFileList } from './damage.js';
import { dataDirNames, incompleteCluster, syncDirectory } from './data-dir.js';
import { lockDataDir } from './data-dir-lock.js';
import { createForOwnerOnly } from './data-dir-permissions.js';
import { isInitialized, openEmbedded } from './open-embedded.js';

type Fill = (database: Database) => Promise<void>;

/**
 * Creates an embedded database and fills it. It is in a directory of its own until it is complete, so that an
 * interruption leaves nothing that a service would open.
 */
export function createEmbedded(dataDir: string, fill: Fill): Promise<void> {
  return createIn(restoring, dataDir, fill);
}

/** The same, but an interrupted attempt leaves what it has, and the next one continues. */
export function createEmbeddedInSteps(dataDir: string, fill: Fill): Promise<void> {
  return createIn(moving, dataDir, fill);
}

/** Where a database is until it is complete. */
interface DraftKind {
  readonly name: string;
  begin(draft: string, directory: string): void;
  end(draft: string): void;
}

const remove = (draft: string) => rmSync(draft, { recursive: true, force: true });
const restoring: DraftKind = { name: dataDirNames.restoring, begin: remove, end: remove };
const moving: DraftKind = { name: dataDirNames.moving, begin: takeBack, end: () => {} };

/** After an interruption between the two renames of an adoption. */
function takeBack(draft: string, directory: string): void {
  const [taken, cluster] = [join(draft, dataDirNames.cluster), join(directory, dataDirNames.cluster)];
  if (isInitialized(draft) && !isInitialized(directory) && !existsSync(taken) && existsSync(cluster))
    renameSync(cluster, taken);
}

async function createIn({ name, begin, end }: DraftKind, dataDir: string, fill: Fill): Promise<void> {
  const directory = resolve(dataDir);
  createForOwnerOnly();
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = await lockDataDir(directory);
  const draft = join(directory, name);
  try {
    if (isInitialized(directory))
      throw new StartupError(
        `The data directory ${directory} already contains a database, which is never overwritten. Name another directory, or move that one away.`,
      );
    begin(draft, directory);
    const database = await openEmbedded(draft);
    try {
      await fill(database);
      await database.pool.query('CHECKPOINT');
    } finally {
      await database.close();
    }
    adopt(draft, directory);
    remove(draft);
  } finally {
    end(draft);
    await lock.release();
  }
}

/** The mark comes last: without it, the service would not take the cluster for a complete one. */
function adopt(draft: string, directory: string): void {
  const cluster = join(directory, dataDirNames.cluster);
  removeFileList(directory); // of a database that was here before
  if (existsSync(cluster)) renameSync(cluster, join(directory, incompleteCluster(Date.now())));
  for (const name of [dataDirNames.cluster, dataDirNames.initialisedMark]) {
    renameSync(join(draft, name), join(directory, name));
    syncDirectory(directory);
  }
}
