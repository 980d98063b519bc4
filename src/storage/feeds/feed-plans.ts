import { isWaiting } from '../changes/calls.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';

/** The planned calls for one day. */
export interface FeedPlan {
  readonly day: string;
  readonly hash: string;
  readonly callIds: readonly string[];
}

export async function listFeedPlans(executor: Executor, feed: string): Promise<FeedPlan[]> {
  const { rows } = await executor.query<FeedPlan>(
    'SELECT day, hash, call_ids AS "callIds" FROM feed_plans WHERE feed_key = $1 ORDER BY day',
    [feed],
  );
  return rows;
}

export async function storeFeedPlan(
  tx: Executor,
  feed: string,
  { day, hash, callIds }: FeedPlan,
): Promise<void> {
  await tx.query(
    `INSERT INTO feed_plans (feed_key, day, hash, call_ids) VALUES ($1, $2, $3, $4::uuid[])
     ON CONFLICT (feed_key, day) DO UPDATE SET hash = excluded.hash, call_ids = excluded.call_ids`,
    [feed, day, hash, plainArray(callIds)],
  );
}

/** The employee IDs of all changes that wait for a day after this one. */
export async function listPlannedIds(executor: Executor, feed: string, after: string): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>(
    `SELECT employee_id AS id FROM feed_plans JOIN calls ON calls.id = ANY (call_ids) JOIN planned_items ON call_id = calls.id
     WHERE feed_key = $1 AND day > $2 AND ${isWaiting} AND employee_id IS NOT NULL`,
    [feed, after],
  );
  return rows.map(({ id }) => id);
}

/** Calls that a node of the run has planned, without living to note them. */
export async function unnotedPlans(executor: Executor, feed: string, runId: string): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>(
    `SELECT id FROM calls WHERE request_id = $2 AND actor_kind = 'feed' AND ${isWaiting}
       AND NOT EXISTS (SELECT FROM feed_plans WHERE feed_key = $1 AND calls.id = ANY (call_ids))`,
    [feed, runId],
  );
  return rows.map(({ id }) => id);
}

/** The planned calls of a run, whether they still wait or not. */
export async function listPlannedCallsOf(executor: Executor, runId: string): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>(
    `SELECT id FROM calls JOIN planned_calls ON call_id = id WHERE request_id = $1 AND actor_kind = 'feed'`,
    [runId],
  );
  return rows.map(({ id }) => id);
}

export async function deleteFeedPlan(tx: Executor, feed: string, day: string): Promise<void> {
  await tx.query('DELETE FROM feed_plans WHERE feed_key = $1 AND day = $2', [feed, day]);
}
