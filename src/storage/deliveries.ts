import type { DeliveryChannel, DeliveryKind, DeliveryState } from '../contract/access.js';
import type { Executor } from './database.js';
import { plainArray, textArray } from './sql-arrays.js';

export interface SealedSecret {
  readonly bytes: Buffer;
  readonly keyId: string;
}

export interface NewDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  /** 0 goes before 1. */
  readonly priority: 0 | 1;
  readonly requestId: string;
  /** A given password; without one a password is generated when the message is sent. */
  readonly secret: SealedSecret | null;
}

export const newDeliveryColumns = 'id, user_serial, kind, state, priority, request_id, secret, secret_key_id';

export async function insertDeliveries(tx: Executor, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query({
    name: 'insert-deliveries',
    text: `INSERT INTO deliveries (${newDeliveryColumns})
           SELECT id, user_serial, kind, state, priority, request_id, decode(secret, 'hex'), secret_key_id
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[])
             AS new (${newDeliveryColumns})`,
    values: [
      plainArray(deliveries.map(({ id }) => id)),
      plainArray(deliveries.map(({ userSerial }) => userSerial)),
      textArray(deliveries.map(({ kind }) => kind)),
      textArray(deliveries.map(({ state }) => state)),
      plainArray(deliveries.map(({ priority }) => priority)),
      textArray(deliveries.map(({ requestId }) => requestId)),
      textArray(deliveries.map(({ secret }) => secret?.bytes.toString('hex') ?? null)),
      textArray(deliveries.map(({ secret }) => secret?.keyId ?? null)),
    ],
  });
}

export async function anyDeliveryDue(executor: Executor, keyId: string): Promise<boolean> {
  const { rows } = await executor.query<{ found: boolean }>({
    name: 'any-delivery-due',
    text: `SELECT EXISTS (SELECT FROM deliveries WHERE ${isDue('$1')}) AS found`,
    values: [keyId],
  });
  return rows[0]?.found === true;
}

/** One that holds a secret is for nodes that have its key. */
function isDue(keyId: string): string {
  return `state = 'waiting' AND next_at <= now() AND (secret_key_id IS NULL OR secret_key_id = ${keyId})`;
}

/**
 * How many messages may go out at this moment, over all nodes: an allowance that grows with time, up to one second's
 * worth. The row stays locked until the transaction that spends it ends.
 */
export async function lockPace(tx: Executor, perMinuteMax: number): Promise<number> {
  const { rows } = await tx.query<{ allowance: number }>({
    name: 'lock-pace',
    text: `UPDATE delivery_pace SET refilled_at = clock_timestamp(),
             allowance = least(greatest($1::float8 / 60, 1),
               allowance + greatest(extract(epoch FROM clock_timestamp() - refilled_at), 0) * $1::float8 / 60)
           RETURNING allowance`,
    values: [perMinuteMax],
  });
  return Math.floor(rows[0]?.allowance ?? 0);
}

export async function spendPace(tx: Executor, messages: number): Promise<void> {
  await tx.query({
    name: 'spend-pace',
    text: 'UPDATE delivery_pace SET allowance = allowance - $1',
    values: [messages],
  });
}

export interface ClaimedDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  /** Which claim of this delivery it is; what is written later is written only while it is the last. */
  readonly claim: number;
  /** Which attempt at sending it is. */
  readonly attempt: number;
  readonly secret: Buffer | null;
}

/**
 * Takes deliveries that are due; if nothing is heard of them again they are due again after the lease. As an array they
 * are chosen once: a plan may run a subquery in a join several times, and would claim more than the limit.
 */
export async function claimDeliveries(
  tx: Executor,
  { keyId, count, leaseMs }: { keyId: string; count: number; leaseMs: number },
): Promise<ClaimedDelivery[]> {
  const { rows } = await tx.query<ClaimedDelivery>({
    name: 'claim-deliveries',
    text: `UPDATE deliveries SET claims = claims + 1, attempts = attempts + 1,
             next_at = now() + make_interval(secs => $3::float8 / 1000),
             claimed_until = now() + make_interval(secs => $3::float8 / 1000)
           WHERE id = ANY (ARRAY(SELECT id FROM deliveries WHERE ${isDue('$1')}
                                 ORDER BY priority, next_at LIMIT $2 FOR UPDATE SKIP LOCKED))
           RETURNING id, user_serial AS "userSerial", kind, claims AS claim, attempts AS attempt, secret`,
    values: [keyId, count, leaseMs],
  });
  return rows;
}

export type Claim = Pick<ClaimedDelivery, 'id' | 'claim'>;

const stillClaimed = `id = $1 AND claims = $2 AND state = 'waiting'`;

/** Whether the claim still stands; if so nobody can change that before the transaction ends. */
export async function lockClaim(tx: Executor, { id, claim }: Claim): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'lock-claim',
    text: `SELECT FROM deliveries WHERE ${stillClaimed} FOR UPDATE`,
    values: [id, claim],
  });
  return rowCount === 1;
}

export async function markSent(
  executor: Executor,
  { id, claim }: Claim,
  channel: DeliveryChannel,
): Promise<void> {
  await executor.query({
    name: 'mark-delivery-sent',
    text: `UPDATE deliveries SET state = 'sent', sent_at = now(), claimed_until = NULL, channel = $3, last_error = NULL,
             secret = NULL, secret_key_id = NULL
           WHERE ${stillClaimed}`,
    values: [id, claim, channel],
  });
}

export async function markFailed(
  executor: Executor,
  { id, claim }: Claim,
  failed: { reason: string; state: 'waiting' | 'parked'; pauseMs: number },
): Promise<void> {
  await executor.query({
    name: 'mark-delivery-failed',
    text: `UPDATE deliveries SET state = $3, last_error = $4, claimed_until = NULL, next_at = now() + make_interval(secs => $5::float8 / 1000)
           WHERE ${stillClaimed}`,
    values: [id, claim, failed.state, failed.reason, failed.pauseMs],
  });
}

/** The user is not active: nothing was tried, and nothing will be until they are. */
export async function markDormant(executor: Executor, { id, claim }: Claim): Promise<void> {
  await executor.query({
    name: 'mark-delivery-dormant',
    text: `UPDATE deliveries SET state = 'dormant', claimed_until = NULL, attempts = attempts - 1 WHERE ${stillClaimed}`,
    values: [id, claim],
  });
}

/** What was kept back because its user was not active goes out now that they are. */
export async function wakeDeliveriesOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'wake-deliveries-of',
    text: `UPDATE deliveries SET state = 'waiting', next_at = now()
           WHERE user_serial = ANY ($1::uuid[]) AND state = 'dormant'`,
    values: [plainArray(serials)],
  });
}

/** Whatever was still to be sent to the user has no sense any more. */
export async function cancelDeliveriesOf(tx: Executor, serial: string): Promise<void> {
  await tx.query({
    name: 'cancel-deliveries-of',
    text: `UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
           WHERE user_serial = $1 AND state IN ('waiting', 'held', 'dormant', 'parked')`,
    values: [serial],
  });
}

export interface Delivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  readonly channel: DeliveryChannel | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly sentAt: string | null;
  readonly lastError: string | null;
  readonly requestId: string | null;
}

interface DeliveryRow extends Omit<Delivery, 'createdAt' | 'nextAttemptAt' | 'sentAt'> {
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly sentAt: Date | null;
}

const deliveryColumns = `id, user_serial AS "userSerial", kind, state, channel, attempts, created_at AS "createdAt",
  CASE WHEN state = 'waiting' THEN next_at END AS "nextAttemptAt", sent_at AS "sentAt", last_error AS "lastError",
  request_id AS "requestId"`;

function deliveryOf(row: DeliveryRow): Delivery {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    nextAttemptAt: row.nextAttemptAt?.toISOString() ?? null,
    sentAt: row.sentAt?.toISOString() ?? null,
  };
}

export interface DeliveryFilters {
  readonly state?: string;
  readonly userSerial?: string;
  readonly requestId?: string;
}

/** The newest first. */
export async function listDeliveries(
  executor: Executor,
  page: { filters: DeliveryFilters; beforeId: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { filters, beforeId, limit } = page;
  const { rows } = await executor.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries
     WHERE ($2::uuid IS NULL OR id < $2) AND ($3::text IS NULL OR state = $3)
       AND ($4::uuid IS NULL OR user_serial = $4) AND ($5::text IS NULL OR request_id = $5)
     ORDER BY id DESC LIMIT $1`,
    [limit, beforeId ?? null, filters.state ?? null, filters.userSerial ?? null, filters.requestId ?? null],
  );
  return rows.map(deliveryOf);
}

export async function lockDelivery(tx: Executor, id: string): Promise<Delivery | undefined> {
  const { rows } = await tx.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE id = $1 FOR UPDATE`,
    [id],
  );
  return rows[0] && deliveryOf(rows[0]);
}

/**
 * Due at once and before all others, with a fresh count of attempts to come. One that a node is sending at this moment
 * is left to it: it must not go out twice at the same time. A given password that was sealed with another key than this
 * one, perhaps of a node that is gone, is given up for a generated one.
 */
export async function requeueDelivery(tx: Executor, id: string, keyId: string): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET state = 'waiting', next_at = now(), claimed_until = NULL, priority = 0, sent_at = NULL,
       channel = NULL, last_error = NULL, attempts = 0,
       secret = CASE WHEN secret_key_id = $2 THEN secret END,
       secret_key_id = CASE WHEN secret_key_id = $2 THEN secret_key_id END
     WHERE id = $1 AND (claimed_until IS NULL OR claimed_until <= now())`,
    [id, keyId],
  );
}

/** Lets held deliveries go: all, or those of a request, or some. */
export async function releaseDeliveries(
  executor: Executor,
  { requestId, ids }: { requestId?: string | undefined; ids?: readonly string[] | undefined },
): Promise<number> {
  const { rowCount } = await executor.query(
    `UPDATE deliveries SET state = 'waiting', next_at = now()
     WHERE state = 'held' AND ($1::text IS NULL OR request_id = $1) AND ($2::uuid[] IS NULL OR id = ANY ($2))`,
    [requestId ?? null, ids ? plainArray(ids) : null],
  );
  return rowCount ?? 0;
}

export async function deleteOldDeliveries(executor: Executor, olderThanDays: number): Promise<void> {
  await executor.query(
    `DELETE FROM deliveries WHERE state IN ('sent', 'cancelled') AND created_at < now() - make_interval(days => $1)`,
    [olderThanDays],
  );
}
