import type { FeedEventKind } from '../changes/change-feed.js';
import type { Executor } from '../database.js';

/** Adds a row to the change log for those who follow it. */
export async function insertFeedEvent(
  tx: Executor,
  kind: FeedEventKind,
  run: { readonly feed: string; readonly runId: string } & Readonly<Record<string, unknown>>,
): Promise<void> {
  await tx.query(
    `INSERT INTO changes (kind, actor_kind, actor_id, request_id, fields) VALUES ($1, 'feed', $2, $3, $4)`,
    [kind, run.feed, run.runId, JSON.stringify(run)],
  );
}
