import { analyze, type Database } from '../../storage/database.js';
import { rewriteFiles } from '../../storage/embedded/vacuum.js';
import { markPurged, notPurged } from '../../storage/erasure/erased-users.js';

/**
 * Removes the data of erased users from the files of the embedded database. A PostgreSQL server vacuums its tables by
 * itself, but it would keep values in the statistics of its planner until enough other rows have changed. Returns false
 * if there was nothing to do.
 */
export async function purgeErased({ kind, pool }: Database): Promise<boolean> {
  const serials = await notPurged(pool);
  if (serials.length === 0) return false;
  if (kind === 'embedded') {
    await rewriteFiles(pool);
    await markPurged(pool, serials);
  } else if ((await markPurged(pool, serials)) > 0) {
    await analyze(pool); // by one of the nodes
  }
  return true;
}

export interface PurgeWorker {
  stop(): Promise<void>;
}

const intervalMs = 60_000;
/** Requests wait while files are rewritten, so that takes up at most this share of the time. */
const busyShare = 0.05;

/** Purges the files soon after users are erased. */
export function startPurging(database: Database, onError: (error: unknown) => void): PurgeWorker {
  let running: Promise<void> | undefined;
  let notBefore = 0;
  const run = async () => {
    const start = Date.now();
    if (start < notBefore) return;
    await purgeErased(database);
    notBefore = Date.now() + (Date.now() - start) / busyShare;
  };
  const timer = setInterval(() => {
    running ??= run()
      .catch(onError)
      .finally(() => {
        running = undefined;
      });
  }, intervalMs).unref();
  return {
    stop: async () => {
      clearInterval(timer);
      await running;
    },
  };
}
