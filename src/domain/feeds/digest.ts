import { transaction } from '../../storage/database.js';
import { claimDigest, type DigestRun, isDigestDue, runsOfLastDay } from '../../storage/feeds/feed-digest.js';
import type { Database } from '../database.js';
import { type FeedSummary, feedCounts, type NoticeContext, queueNotice } from '../notices/notices.js';
import { dateIn } from '../start-of-day.js';

export interface DigestContext extends NoticeContext {
  readonly database: Database;
  readonly timeZone: string;
}

/** After the nights of most companies, and before their mornings. */
const digestHour = 7;

/** Tells people once a day what the feeds did, if they did anything. */
export async function sendDueDigest(context: DigestContext, now = Date.now()): Promise<void> {
  const day = dateIn(now - digestHour * 3_600_000, context.timeZone);
  if (!(await isDigestDue(context.database.pool, day))) return;
  await transaction(context.database, async (tx) => {
    if (!(await claimDigest(tx, day))) return;
    const feeds = summariesOf(await runsOfLastDay(tx));
    if (feeds.length > 0) await queueNotice(context, tx, { topic: 'feedDigest', facts: { feeds } });
  });
}

/** One summary per feed. How its last run ended is what counts. */
export function summariesOf(runs: readonly DigestRun[]): FeedSummary[] {
  const byFeed = new Map<string, DigestRun[]>();
  for (const run of runs) byFeed.set(run.feed, [...(byFeed.get(run.feed) ?? []), run]);
  return [...byFeed.values()].map((all) => {
    const last = all.at(-1) as DigestRun; // there is at least one
    const sum = (count: (typeof feedCounts)[number]) =>
      all.reduce(
        (total, { rows, counts }) => total + ((count === 'rows' ? rows : counts.kinds[count]) ?? 0),
        0,
      );
    return {
      name: last.name,
      runs: all.length,
      counts: Object.fromEntries(feedCounts.map((count) => [count, sum(count)])),
      state: stateOf(last),
    };
  });
}

function stateOf({ state }: DigestRun): FeedSummary['state'] {
  if (state === 'failed') return 'failed';
  return state === 'waiting' || state === 'stopped' ? 'stopped' : 'done';
}
