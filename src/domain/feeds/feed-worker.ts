import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { transaction } from '../../storage/database.js';
import { isFeedDue, lockDueFeeds, setDue } from '../../storage/feeds/feeds.js';
import { isOutage } from '../outage.js';
import { type DigestContext, sendDueDigest } from './digest.js';
import { type FeedRunContext, runNextFeed } from './run-feed.js';
import { startDueRun } from './runs.js';
import { nextDue } from './schedule.js';

export interface FeedWorkerContext extends FeedRunContext, DigestContext {}

interface FeedWorker {
  stop(): Promise<void>;
}

/** Starts feeds when they are due and runs them. Any number of nodes can do this. */
export function startFeeds(context: FeedWorkerContext, logger: Logger): FeedWorker {
  const stopping = new AbortController();
  const { signal } = stopping;

  const next = async (): Promise<boolean> => {
    await sendDueDigest(context);
    if (!(await isFeedDue(context.database.pool))) return false;
    await startDueRuns(context);
    return runNextFeed(context, signal);
  };

  const loop = async () => {
    while (!signal.aborted) {
      const hasRun = await next().catch((error: unknown) => {
        if (!isOutage(error))
          logger.error({ err: error }, 'a run of a feed was interrupted; it goes on soon');
        return false;
      });
      if (!hasRun) await pause(context.limits.feedPollMs, undefined, { signal }).catch(() => {});
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

const feedsAtOnce = 20;

/** Each feed that is due gets a run, and its next time. */
export async function startDueRuns({ database, timeZone }: FeedWorkerContext): Promise<void> {
  await transaction(database, async (tx) => {
    for (const feed of await lockDueFeeds(tx, feedsAtOnce)) {
      const { schedule } = feed.settings;
      await startDueRun(tx, feed, feed.dueUntil === null ? 'newFile' : 'schedule');
      await setDue(tx, feed.key, nextDue(schedule, new Date(), timeZone));
    }
  });
}
