import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../../storage/database.js';
import { databaseOutage } from '../../storage/errors.js';
import {
  firstSerial,
  type IndexState,
  readBuildProgress,
  readIndexState,
} from '../../storage/indexing/index-state.js';
import type { ChangeContext } from '../changes/follower.js';
import { indexNext } from './index-next.js';

export interface IndexContext extends ChangeContext {
  readonly bulkCalls: { readonly running: number };
}

interface IndexWorker {
  stop(): Promise<void>;
}

/** Between two looks at the change log, and between batches while there is more to do. */
const idleMs = 500;
const betweenBatchesMs = 5;

/** Reads have to look at every change that is not indexed, so a long backlog is indexed even during bulk calls. */
const backlogMax = 10_000;

/** Keeps the tables for listing and searching up to date. Any number of nodes can run this. */
export function startIndexing({ database, changes, bulkCalls }: IndexContext, logger: Logger): IndexWorker {
  const builds = new BuildLog(database, logger);
  const stopping = new AbortController();
  const { signal } = stopping;

  const next = async (): Promise<boolean> => {
    const settled = await changes.refresh();
    const state = await readIndexState(database.pool);
    if (bulkCalls.running > 0 && settled - state.position < backlogMax) return false;
    // Most of the time, there is nothing to index. A transaction to find that out would be most of what an idle node does.
    const indexed = isIndexed(state, settled) ? 'done' : await indexNext(database, settled);
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

function isIndexed(state: IndexState, settled: number): boolean {
  const { builtTo, attributesBuiltTo, position, logPosition, namesPosition, countsPosition } = state;
  const isBuilt = builtTo === undefined && attributesBuiltTo === undefined;
  return isBuilt && Math.min(position, logPosition, namesPosition, countsPosition) >= settled;
}

/** Logs when the index is built. Only the node that starts a build, or resumes it after a restart, logs it. */
class BuildLog {
  readonly #database: Database;
  readonly #logger: Logger;
  #isFirstLook = true;
  #startedMs: number | undefined;

  constructor(database: Database, logger: Logger) {
    this.#database = database;
    this.#logger = logger;
  }

  /** Called with the state before each batch of this node. */
  async note({ builtTo }: IndexState): Promise<void> {
    const isFirstLook = this.#isFirstLook;
    this.#isFirstLook = false;
    if (this.#startedMs !== undefined) {
      if (builtTo === undefined) await this.#ended(this.#startedMs);
    } else if (builtTo === firstSerial || (isFirstLook && builtTo !== undefined)) {
      await this.#started();
    }
  }

  async #started(): Promise<void> {
    this.#startedMs = performance.now();
    const { total: users } = await readBuildProgress(this.#database.pool);
    this.#logger.info({ users }, 'building the index of lists and searches');
  }

  async #ended(startedMs: number): Promise<void> {
    this.#startedMs = undefined;
    const { done: users } = await readBuildProgress(this.#database.pool);
    const seconds = Math.ceil((performance.now() - startedMs) / 1_000);
    this.#logger.info({ users, seconds }, 'the index of lists and searches is complete');
  }
}
