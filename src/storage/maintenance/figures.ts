import { deliveriesCountedMax } from '../../contract/limits.js';
import { openDeliveryStates, type SharedFigures } from '../../telemetry/shared-figures.js';
import { isWaiting } from '../changes/calls.js';
import type { Executor } from '../database.js';

type DeliveryFigures = Pick<SharedFigures, 'deliveries' | 'oldestDueDeliverySeconds'>;

export async function deliveryFigures(executor: Executor): Promise<DeliveryFigures> {
  const counts = openDeliveryStates.map(
    (state) => `(SELECT count(*)::integer FROM (
       SELECT FROM deliveries WHERE state = '${state}' LIMIT ${deliveriesCountedMax}) AS counted) AS "${state}"`,
  );
  const { rows } = await executor.query<SharedFigures['deliveries'] & { readonly oldest: number }>({
    name: 'delivery-figures',
    text: `SELECT ${counts.join(', ')}, coalesce(extract(epoch FROM now() - least(
             (SELECT min(next_at) FROM deliveries WHERE state = 'waiting' AND priority = 0 AND next_at < now()),
             (SELECT min(next_at) FROM deliveries WHERE state = 'waiting' AND priority = 1 AND next_at < now()),
             (SELECT min(next_at) FROM deliveries WHERE state = 'waiting' AND priority = 2 AND next_at < now())
           )), 0)::float8 AS oldest`,
  });
  const { oldest, ...deliveries } = rows[0] as (typeof rows)[number]; // a SELECT without FROM returns one row
  return { deliveries, oldestDueDeliverySeconds: oldest };
}

type WebhookFigures = Pick<SharedFigures, 'webhooks' | 'oldestWebhookEventSeconds'>;

/** The first event after the position of the webhook that is furthest behind. */
const oldestEvent = `SELECT extract(epoch FROM now() - at) FROM changes
  WHERE seq > (SELECT min(position) FROM webhooks WHERE disabled_at IS NULL) ORDER BY seq LIMIT 1`;

export async function webhookFigures(executor: Executor): Promise<WebhookFigures> {
  const { rows } = await executor.query<SharedFigures['webhooks'] & { readonly oldest: number }>({
    name: 'webhook-figures',
    text: `SELECT count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NULL)::integer AS active,
             count(*) FILTER (WHERE disabled_at IS NULL AND failing_since IS NOT NULL)::integer AS failing,
             count(*) FILTER (WHERE disabled_at IS NOT NULL AND disabled_because IS NOT NULL)::integer AS disabled,
             count(*) FILTER (WHERE disabled_at IS NOT NULL AND disabled_because IS NULL)::integer AS paused,
             greatest(coalesce((${oldestEvent}), 0), 0)::float8 AS oldest
           FROM webhooks`,
  });
  const { oldest, ...webhooks } = rows[0] as (typeof rows)[number]; // an aggregate returns one row
  return { webhooks, oldestWebhookEventSeconds: oldest };
}

type TargetFigures = Pick<SharedFigures, 'scimTargets' | 'scimQueue'>;

export async function scimTargetFigures(executor: Executor): Promise<TargetFigures> {
  const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::integer`;
  const queued = (condition: string) =>
    `((SELECT count(*) FROM scim_target_users WHERE next_at IS NOT NULL ${condition})
      + (SELECT count(*) FROM scim_target_groups WHERE next_at IS NOT NULL ${condition}))::integer`;
  const { rows } = await executor.query<SharedFigures['scimTargets'] & SharedFigures['scimQueue']>({
    name: 'scim-target-figures',
    text: `SELECT ${count('paused_at IS NULL AND failing_since IS NULL')} AS active,
             ${count('paused_at IS NULL AND failing_since IS NOT NULL')} AS failing,
             ${count('paused_at IS NOT NULL AND paused_because IS NOT NULL')} AS stopped,
             ${count('paused_at IS NOT NULL AND paused_because IS NULL')} AS paused,
             ${queued('')} AS queued, ${queued('AND attempts > 0')} AS failed
           FROM scim_targets`,
  });
  const { queued: waiting, failed, ...scimTargets } = rows[0] as (typeof rows)[number]; // an aggregate returns one row
  return { scimTargets, scimQueue: { queued: waiting, failed } };
}

type CallFigures = Pick<SharedFigures, 'plannedCalls' | 'oldestDueCallSeconds'>;

/** There are at most plannedCallsMax that wait, and they are found by their call, which is not kept forever. */
export async function plannedCallFigures(executor: Executor): Promise<CallFigures> {
  const { rows } = await executor.query<SharedFigures['plannedCalls'] & { readonly oldest: number }>({
    name: 'planned-call-figures',
    text: `SELECT count(*) FILTER (WHERE state = 'planned' AND NOT needs_takeover)::integer AS planned,
             count(*) FILTER (WHERE state = 'awaitingApproval')::integer AS "awaitingApproval",
             count(*) FILTER (WHERE state = 'planned' AND needs_takeover)::integer AS "awaitingTakeover",
             count(*) FILTER (WHERE state = 'running')::integer AS running,
             greatest(coalesce(extract(epoch FROM now() - min(due_at)
               FILTER (WHERE state = 'planned' AND NOT needs_takeover)), 0), 0)::float8 AS oldest
           FROM planned_calls JOIN calls ON id = call_id WHERE ${isWaiting} OR state = 'running'`,
  });
  const { oldest, ...plannedCalls } = rows[0] as (typeof rows)[number]; // an aggregate returns one row
  return { plannedCalls, oldestDueCallSeconds: oldest };
}

type FeedFigures = Pick<SharedFigures, 'feeds' | 'oldestDueFeedSeconds'>;

/** There are at most a hundred feeds. */
export async function feedFigures(executor: Executor): Promise<FeedFigures> {
  const count = (condition: string) => `count(*) FILTER (WHERE ${condition})::integer`;
  const { rows } = await executor.query<SharedFigures['feeds'] & { readonly oldest: number }>({
    name: 'feed-figures',
    text: `SELECT ${count(`last = 'waiting'`)} AS waiting, ${count(`last IN ('failed', 'stopped')`)} AS failed,
             ${count(`last IN ('queued', 'running', 'undoing')`)} AS running,
             ${count(`is_paused AND ${settled}`)} AS paused, ${count(`NOT is_paused AND ${settled}`)} AS idle,
             greatest(coalesce(extract(epoch FROM now() - min(due_at) FILTER (WHERE NOT is_paused)), 0), 0)::float8 AS oldest
           FROM (SELECT is_paused, due_at, coalesce((
             SELECT state FROM feed_runs WHERE feed_key = key AND NOT is_dry_run AND state NOT IN ('uploading', 'superseded') ORDER BY id DESC LIMIT 1
           ), 'none') AS last FROM feeds) AS feeds`,
  });
  const { oldest, ...feeds } = rows[0] as (typeof rows)[number]; // an aggregate returns one row
  return { feeds, oldestDueFeedSeconds: oldest };
}

const settled = `last NOT IN ('waiting', 'failed', 'stopped', 'queued', 'running', 'undoing')`;

export async function databaseBytes(executor: Executor): Promise<number> {
  const { rows } = await executor.query<{ bytes: string }>({
    name: 'database-bytes',
    text: 'SELECT pg_database_size(current_database()) AS bytes',
  });
  return Number(rows[0]?.bytes);
}

/** The age of the first change after this number; 0 if there is none. */
export async function changeAgeSeconds(executor: Executor, after: number): Promise<number> {
  const { rows } = await executor.query<{ seconds: number }>({
    name: 'change-age',
    text: `SELECT greatest(extract(epoch FROM now() - at), 0)::float8 AS seconds FROM changes WHERE seq > $1 ORDER BY seq LIMIT 1`,
    values: [after],
  });
  return rows[0]?.seconds ?? 0;
}
