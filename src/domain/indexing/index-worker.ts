import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { databaseOutage } from '../../storage/errors.js';
import { readIndexState } from '../../storage/indexing/index-state.js';
import type { Context } from '../context.js';
import { BuildLog } from './index-build-log.js';
import { indexNext } from './index-next.js';

export interface IndexWorker {
  stop(): Promise<void>;
}

/** Between two looks at the change log, and between batches while there is more to do. */
const idleMs = 500;
const betweenBatchesMs = 5;
/** Reads have to look at every change that is not indexed, so a long backlog is indexed even during bulk calls. */
const backlogMax = 10_000;

/** Keeps the tables for listing and searching up to date. Any number of nodes can run this. */
export function startIndexing(context: Context, logger: Logger): IndexWorker {
  const { database, changes, bulkCalls } = context;
  const builds = new BuildLog(database, logger);
  const stopping = new AbortController();
  const { signal } = stopping;

  const next = async (): Promise<boolean> => {
    const settled = await changes.refresh();
    const state = await readIndexState(database.pool);
    if (bulkCalls.running > 0 && settled - state.position < backlogMax) return false;
    const indexed = await indexNext(database, settled);
    if (indexed !== 'busy') await builds.note(state);
    return indexed === 'more';
  };

  const loop = async () => {
    while (!signal.aborted) {
      const hasMore = await next().catch((error: unknown) => {
        if (databaseOutage(error) === undefined) logger.error({ err: error }, 'cannot index users');
        return false;
      });
      await pause(hasMore ? betweenBatchesMs : idleMs, undefined, { signal }).catch(() => {});
    }
  };
  const looping = loop();
  return {
    stop: async () => {
      stopping.abort();
      await looping;
    },
  };
}
