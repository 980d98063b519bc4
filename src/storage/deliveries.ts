import type { DeliveryChannel, DeliveryKind } from '../contract/deliveries.js';
import type { DeliveryState } from '../contract/words.js';
import { whereAll } from './conditions.js';
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

/** What was kept back because its user was not active goes out now that they are. */
export async function wakeDeliveriesOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'wake-deliveries-of',
    text: `UPDATE deliveries SET state = 'waiting', next_at = now()
           WHERE user_serial = ANY ($1::uuid[]) AND state = 'dormant'`,
    values: [plainArray(serials)],
  });
}

/** Whatever was still to be sent to the users has no sense any more. */
export async function cancelDeliveriesOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'cancel-deliveries-of',
    text: `UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[]) AND state IN ('waiting', 'held', 'dormant', 'parked')`,
    values: [plainArray(serials)],
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

/** Whether the user was sent, or is to be sent, another one after this. */
export async function hasLaterDelivery(tx: Executor, { id, userSerial }: Delivery): Promise<boolean> {
  const { rows } = await tx.query<{ found: boolean }>(
    'SELECT EXISTS (SELECT FROM deliveries WHERE user_serial = $1 AND id > $2) AS found',
    [userSerial, id],
  );
  return rows[0]?.found === true;
}

/**
 * Due at once and before all others, with a fresh count of attempts to come. One that a node is sending at this moment
 * is left to it: it must not go out twice at the same time. A given password that was sealed with another key than this
 * one, perhaps of a node that is gone, is given up for a generated one.
 */
export async function requeueDelivery(tx: Executor, id: string, keyId: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE deliveries SET state = 'waiting', next_at = now(), claimed_until = NULL, priority = 0, sent_at = NULL,
       channel = NULL, last_error = NULL, attempts = 0,
       secret = CASE WHEN secret_key_id = $2 THEN secret END,
       secret_key_id = CASE WHEN secret_key_id = $2 THEN secret_key_id END
     WHERE id = $1 AND (claimed_until IS NULL OR claimed_until <= now())`,
    [id, keyId],
  );
  return rowCount === 1;
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
