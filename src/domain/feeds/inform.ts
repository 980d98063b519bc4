import type { FeedSettings } from '../../contract/feeds.js';
import type { Executor } from '../../storage/database.js';
import { insertFeedEvent } from '../../storage/feeds/feed-events.js';
import type { FeedRun, RunProgress } from '../../storage/feeds/feed-runs.js';
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
  if (run.isDryRun) return;
  const feed = await getFeed(tx, run.feed);
  if (!feed) return;
  const kinds = countsOf(run.counts);
  await insertFeedEvent(tx, run.state === 'waiting' ? 'feed.waiting' : 'feed.ended', {
    ...{ feed: run.feed, runId: run.id, state: run.state, rows: run.rows, counts: kinds },
    findings: run.findings.map(({ code }) => code),
    problem: run.problem?.code ?? null,
  });
  const topic = topicOf(run);
  if (!topic) return;
  const reasons = [...(run.problem ? [run.problem] : []), ...run.findings].map(({ text }) => text);
  const { users } = (feed.settings as FeedSettings).inform;
  await queueNotice(context, tx, {
    topic,
    facts: {
      ...{ feed: { id: feed.key, name: feed.name }, run: { id: run.id }, reasons },
      counts: { rows: run.rows ?? 0, ...kinds },
      rowNumbers: failedPlaces,
    },
    to: users,
    webhook: chatOf(context, feed),
  });
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
