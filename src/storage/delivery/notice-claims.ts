import type { ChatFormat, NoticeTopic } from '../../contract/notices.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

/** A notice that this node is sending. */
export interface ClaimedNotice {
  readonly id: string;
  /** The number of this claim. Later writes only apply while it is the latest. */
  readonly claim: number;
  /** The number of this sending attempt. */
  readonly attempt: number;
  readonly topic: NoticeTopic;
  readonly channel: 'email' | ChatFormat;
  /** Null for a chat. */
  readonly userSerial: string | null;
  readonly facts: unknown;
  /** How many later notices about the same topic this one stands for. */
  readonly more: number;
  /** The URL of the chat, encrypted. */
  readonly secret: Buffer | null;
}

export interface NoticeClaimRequest {
  /** The keys that this node has. */
  readonly keyIds: readonly string[];
  readonly count: number;
  readonly leaseMs: number;
  /** Topics that a user gets one email about in a while, however much happens. */
  readonly combined: readonly NoticeTopic[];
  readonly combinedMs: number;
}

const waits = `state = 'waiting' AND next_at <= now()`;

export async function anyNoticeDue(executor: Executor): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>({
    name: 'any-notice-due',
    text: `SELECT EXISTS (SELECT FROM notices WHERE ${waits}) AS found`,
  });
  return rows[0]?.found === true;
}

/** Whether two notices go to the same user, about the same one of the combined topics. */
const isCombined = (other: string, notice: string, combined: string) =>
  `${other}.user_serial = ${notice}.user_serial AND ${other}.topic = ${notice}.topic
   AND ${other}.topic = ANY (${combined}::text[]) AND ${other}.id <> ${notice}.id`;

/**
 * Claims notices that are due. If the node dies, they are due again after the lease. Of those that are combined, only
 * the first is sent, once the last one was sent long enough ago. Only for one node at a time: two would each claim one.
 */
export async function claimNotices(
  tx: Executor,
  { keyIds, count, leaseMs, combined, combinedMs }: NoticeClaimRequest,
): Promise<ClaimedNotice[]> {
  const { rows } = await tx.query<ClaimedNotice>({
    name: 'claim-notices',
    text: `UPDATE notices SET claims = claims + 1, attempts = attempts + 1,
             next_at = now() + make_interval(secs => $3::float8 / 1000),
             claimed_until = now() + make_interval(secs => $3::float8 / 1000)
           WHERE id = ANY (ARRAY(
             SELECT id FROM notices AS due
             WHERE ${waits} AND (secret_key_id IS NULL OR secret_key_id = ANY ($1::text[]))
               AND NOT EXISTS (SELECT FROM notices AS other WHERE ${isCombined('other', 'due', '$4')}
                 AND (other.sent_at > now() - make_interval(secs => $5::float8 / 1000)
                   OR (other.state = 'waiting' AND (other.id < due.id OR other.claimed_until > now()))))
             ORDER BY next_at LIMIT $2 FOR UPDATE SKIP LOCKED))
           RETURNING id, claims AS claim, attempts AS attempt, topic, channel, user_serial AS "userSerial", facts, more,
             secret`,
    values: [textArray(keyIds), count, leaseMs, textArray(combined), combinedMs],
  });
  const more = await absorbLater(tx, rows, combined);
  return rows.map((notice) => ({ ...notice, more: notice.more + (more.get(notice.id) ?? 0) }));
}

/** Lets claimed notices stand for later ones, and counts those that say something else. */
async function absorbLater(
  tx: Executor,
  claimed: readonly ClaimedNotice[],
  combined: readonly NoticeTopic[],
): Promise<ReadonlyMap<string, number>> {
  const ids = claimed.filter(({ topic }) => combined.includes(topic)).map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const { rows } = await tx.query<{ id: string; more: number }>({
    name: 'absorb-notices',
    text: `WITH absorbed AS (
             DELETE FROM notices AS other USING notices AS first
             WHERE first.id = ANY ($1::uuid[]) AND ${isCombined('other', 'first', '$2')} AND other.state = 'waiting'
             RETURNING first.id, other.facts <> first.facts AS differs, other.facts, other.more),
           counted AS (
             SELECT id, (count(DISTINCT facts) FILTER (WHERE differs) + sum(more))::integer AS more
             FROM absorbed GROUP BY id)
           UPDATE notices SET more = notices.more + counted.more FROM counted WHERE notices.id = counted.id
           RETURNING notices.id, counted.more`,
    values: [plainArray(ids), textArray(combined)],
  });
  return new Map(rows.map(({ id, more }) => [id, more]));
}

type Claim = Pick<ClaimedNotice, 'id' | 'claim'>;

const stillClaimed = `id = $1 AND claims = $2 AND state = 'waiting'`;

/** Sent, or not to be sent anymore. */
export async function endNotice(
  executor: Executor,
  { id, claim }: Claim,
  state: 'sent' | 'cancelled',
): Promise<void> {
  await executor.query({
    name: `mark-notice-${state}`,
    text: `UPDATE notices SET state = '${state}', ${state === 'sent' ? 'sent_at = now(),' : ''} claimed_until = NULL,
             last_error = NULL, secret = NULL, secret_key_id = NULL
           WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}

export async function markNoticeFailed(
  executor: Executor,
  { id, claim }: Claim,
  failed: { readonly reason: string; readonly state: 'waiting' | 'parked'; readonly pauseMs: number },
): Promise<void> {
  await executor.query({
    name: 'mark-notice-failed',
    text: `UPDATE notices SET state = $3, last_error = $4, claimed_until = NULL,
             next_at = now() + make_interval(secs => $5::float8 / 1000),
             secret = CASE $3 WHEN 'waiting' THEN secret END, secret_key_id = CASE $3 WHEN 'waiting' THEN secret_key_id END
           WHERE ${stillClaimed}`,
    values: [id, claim, failed.state, failed.reason, failed.pauseMs],
  });
}
