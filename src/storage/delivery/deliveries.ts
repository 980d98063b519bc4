import type { DeliveryChannel } from '../../contract/deliveries.js';
import type { DeliveryKind, DeliveryProblem, DeliveryState, HeldReason } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { deleteBatch, plainArray, textArray, whereAll } from '../sql.js';

/** Other messages are unaffected when a password is superseded, canceled or woken. */
export const bringsPassword = `kind IN ('initial-password', 'reset-password')`;

export interface Delivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  readonly heldReason: HeldReason | null;
  readonly channel: DeliveryChannel | null;
  readonly address: string | null;
  readonly attempts: number;
  readonly createdAt: string;
  readonly nextAttemptAt: string | null;
  readonly sentAt: string | null;
  readonly lastProblem: DeliveryProblem | null;
  readonly lastProblemCode: string | null;
  readonly lastError: string | null;
  readonly requestId: string | null;
}

interface DeliveryRow extends Omit<Delivery, 'createdAt' | 'nextAttemptAt' | 'sentAt'> {
  readonly createdAt: Date;
  readonly nextAttemptAt: Date | null;
  readonly sentAt: Date | null;
}

const deliveryColumns = `id, user_serial AS "userSerial", kind, state,
  CASE WHEN state = 'held' THEN coalesce(held_reason, 'requested') END AS "heldReason", channel,
  coalesce(to_email, to_phone) AS address, attempts, created_at AS "createdAt",
  CASE WHEN state = 'waiting' THEN next_at END AS "nextAttemptAt", sent_at AS "sentAt",
  CASE WHEN last_error IS NOT NULL THEN last_problem END AS "lastProblem",
  CASE WHEN last_error IS NOT NULL THEN last_problem_code END AS "lastProblemCode", last_error AS "lastError",
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

/** Newest first. */
export async function listDeliveries(
  executor: Executor,
  page: { filters: DeliveryFilters; beforeId: string | undefined; limit: number },
): Promise<Delivery[]> {
  const { filters, beforeId, limit } = page;
  const { where, values } = whereAll(
    {
      'id < ?': beforeId,
      'state = ?': filters.state,
      'user_serial = ?': filters.userSerial,
      'request_id = ?': filters.requestId,
    },
    [limit],
  );
  const { rows } = await executor.query<DeliveryRow>(
    `SELECT ${deliveryColumns} FROM deliveries WHERE ${where} ORDER BY id DESC LIMIT $1`,
    values,
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

/** Whether another password was sent, or is to be sent, to the user after this one. */
export async function hasLaterDelivery(tx: Executor, { id, userSerial }: Delivery): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    `SELECT EXISTS (SELECT FROM deliveries WHERE user_serial = $1 AND id > $2 AND ${bringsPassword}) AS found`,
    [userSerial, id],
  );
  return rows[0]?.found === true;
}

/**
 * Makes the delivery due immediately, before all others, with a fresh count of attempts. Skips one that a node is
 * sending right now: it must not be sent twice at the same time. A given password encrypted with a key that is not
 * among these is dropped, and a generated one takes its place.
 */
export async function requeueDelivery(tx: Executor, id: string, keyIds: readonly string[]): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE deliveries SET state = 'waiting', next_at = now(), claimed_until = NULL, priority = 0, sent_at = NULL,
       channel = NULL, last_error = NULL, attempts = 0, held_reason = NULL,
       to_email = CASE WHEN NOT (${bringsPassword}) THEN to_email END,
       to_phone = CASE WHEN NOT (${bringsPassword}) THEN to_phone END,
       secret = CASE WHEN secret_key_id = ANY ($2::text[]) THEN secret END,
       secret_key_id = CASE WHEN secret_key_id = ANY ($2::text[]) THEN secret_key_id END
     WHERE id = $1 AND (claimed_until IS NULL OR claimed_until <= now())`,
    [id, textArray(keyIds)],
  );
  return rowCount === 1;
}

/**
 * Releases held deliveries: all, those of a request, or selected ones. Deliveries whose address changed are only
 * released by ID, because each needs a review.
 */
export async function releaseDeliveries(
  executor: Executor,
  { requestId, ids }: { requestId?: string | undefined; ids?: readonly string[] | undefined },
): Promise<number> {
  const { rowCount } = await executor.query(
    `UPDATE deliveries SET state = 'waiting', next_at = now(), held_reason = NULL
     WHERE state = 'held' AND ($1::text IS NULL OR request_id = $1)
       AND (CASE WHEN $2::uuid[] IS NULL THEN held_reason IS DISTINCT FROM 'addressChanged' ELSE id = ANY ($2) END)`,
    [requestId ?? null, ids ? plainArray(ids) : null],
  );
  return rowCount ?? 0;
}

/** Those that nobody waits for anymore. Returns true if there may be more. */
export function deleteOldDeliveries(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = `state IN ('sent', 'cancelled', 'parked') AND created_at < now() - make_interval(days => $1)`;
  return deleteBatch(executor, { table: 'deliveries', condition, values: [olderThanDays] });
}

/** Keeps that there were messages, but not their addresses, passwords and errors. Nothing is sent anymore. */
export async function eraseMessages(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'erase-messages',
    text: `UPDATE deliveries SET state = CASE WHEN state = 'sent' THEN state ELSE 'cancelled' END,
             to_email = NULL, to_phone = NULL, last_error = NULL, secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[])`,
    values: [plainArray(serials)],
  });
}

/** Which of these messages and notices were for users who have been erased. */
export async function messagesOfErased(executor: Executor, ids: readonly string[]): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>({
    name: 'messages-of-erased',
    text: `SELECT id FROM deliveries JOIN erased_users ON serial = user_serial WHERE id = ANY ($1::uuid[])
           UNION ALL SELECT id FROM notices JOIN erased_users ON serial = user_serial WHERE id = ANY ($1::uuid[])`,
    values: [plainArray(ids)],
  });
  return rows.map(({ id }) => id);
}
