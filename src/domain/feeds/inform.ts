import type { FeedSettings } from '../../contract/feeds.js';
import type { Executor } from '../../storage/database.js';
import { insertFeedEvent } from '../../storage/feeds/feed-events.js';
import { type FeedRun, type RunProgress, supersedeWaitingRuns } from '../../storage/feeds/feed-runs.js';
import { getFeed } from '../../storage/feeds/feeds.js';
import { type NoticeContext, queueNotice } from '../notices/notices.js';
import type { SecretContext } from '../secrets/secret-cipher.js';
import { openSecrets } from './feeds.js';
import { countsOf } from './run-journal.js';

export interface InformContext extends NoticeContext, SecretContext {}

/** Tells those who follow events, and people, how a run ended or what it waits for. Within the transaction that ends it. */
export async function informOf(
  context: InformContext,
  tx: Executor,
  run: FeedRun & RunProgress,
  failedPlaces: readonly number[],
): Promise<void> {
  await tellFollowers(tx, run);
  const topic = run.isDryRun ? undefined : topicOf(run);
  const feed = topic && (await getFeed(tx, run.feed));
  if (!topic || !feed) return;
  const reasons = [...(run.problem ? [run.problem] : []), ...run.findings].map(({ text }) => text);
  const { users } = (feed.settings as FeedSettings).inform;
  await queueNotice(context, tx, {
    topic,
    facts: {
      ...{ feed: { id: feed.key, name: feed.name }, run: { id: run.id }, reasons },
      counts: { rows: run.rows ?? 0, ...countsOf(run.counts) },
      rowNumbers: failedPlaces,
    },
    to: users,
    webhook: chatOf(context, feed),
  });
}

/** Adds the event. What a person has decided about a run, people need no notice about. */
export async function tellFollowers(tx: Executor, run: FeedRun & RunProgress): Promise<void> {
  if (run.isDryRun) return;
  await insertFeedEvent(tx, run.state === 'waiting' ? 'feed.waiting' : 'feed.ended', {
    ...{ feed: run.feed, runId: run.id, state: run.state, rows: run.rows, counts: countsOf(run.counts) },
    findings: run.findings.map(({ code }) => code),
    problem: run.problem?.code ?? null,
  });
}

/** A newer file replaces the runs of the feed that wait. */
export async function supersedeWaiting(tx: Executor, run: Pick<FeedRun, 'id' | 'feed'>): Promise<void> {
  for (const superseded of await supersedeWaitingRuns(tx, run)) await tellFollowers(tx, superseded);
}

function topicOf({ state, problem }: FeedRun & RunProgress): 'feedFailed' | 'feedStopped' | undefined {
  if (state === 'waiting' || state === 'stopped') return 'feedStopped';
  return state === 'failed' || problem ? 'feedFailed' : undefined;
}

function chatOf({ cipher }: InformContext, feed: Parameters<typeof openSecrets>[1]) {
  const format = feed.settings.inform.chat;
  const url = openSecrets(cipher, feed)?.chatUrl;
  return format !== undefined && url ? { url, format } : undefined;
}
