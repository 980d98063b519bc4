import type { ConfirmedField } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { Requester } from './user-deliveries.js';

/** An email or phone that waits until its owner has entered a code. */
export interface Confirmation {
  readonly field: ConfirmedField;
  readonly value: string;
  /** Null until the code has been sent. */
  readonly expiresAt: string | null;
}

export async function listConfirmations(executor: Executor, userSerial: string): Promise<Confirmation[]> {
  const { rows } = await executor.query<Confirmation & { expiresAt: Date | null }>({
    name: 'list-confirmations',
    text: `SELECT field, value, expires_at AS "expiresAt" FROM contact_confirmations
           WHERE user_serial = $1 AND attempts_left > 0 AND ${isOpen} ORDER BY field`,
    values: [userSerial],
  });
  return rows.map((row) => ({ ...row, expiresAt: row.expiresAt?.toISOString() ?? null }));
}

/** One whose message could not be sent for a day is forgotten. */
const isOpen = `coalesce(expires_at > now(), created_at > now() - interval '1 day')`;

export interface NewConfirmation {
  readonly userSerial: string;
  readonly field: ConfirmedField;
  readonly value: string;
  readonly deliveryId: string;
  readonly attempts: number;
}

/** Replaces the last one of the field, whose message is not sent anymore. */
export async function putConfirmation(
  tx: Executor,
  { userSerial, field, value, deliveryId, attempts }: NewConfirmation,
  origin: { readonly requestId: string; readonly actor: Requester },
): Promise<void> {
  await deleteConfirmation(tx, { userSerial, field });
  await tx.query({
    name: 'put-confirmation',
    text: `INSERT INTO contact_confirmations (user_serial, field, value, delivery_id, attempts_left)
           VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT (user_serial, field) DO UPDATE SET value = EXCLUDED.value, delivery_id = EXCLUDED.delivery_id,
             attempts_left = EXCLUDED.attempts_left, code_hash = NULL, expires_at = NULL, created_at = now()`,
    values: [userSerial, field, value, deliveryId, attempts],
  });
  await tx.query({
    name: 'insert-confirmation-delivery',
    text: `INSERT INTO deliveries (id, user_serial, to_email, to_phone, kind, state, priority, request_id, actor_kind, actor_id)
           VALUES ($1, $2, CASE WHEN $3 = 'email' THEN $4 END, CASE WHEN $3 = 'phone' THEN $4 END, 'confirm-contact',
                   'waiting', 0, $5, $6, $7)`,
    values: [deliveryId, userSerial, field, value, origin.requestId, origin.actor.kind, origin.actor.id],
  });
}

/** Since a day ago: each costs money if it is an SMS, and reaches somebody who may not have asked for it. */
export async function recentConfirmations(
  tx: Executor,
  userSerial: string,
): Promise<{ readonly sent: number; readonly freeInSeconds: number }> {
  const { rows } = await tx.query<{ sent: number; freeInSeconds: number }>({
    name: 'recent-confirmations',
    text: `SELECT count(*)::integer AS sent,
             ceil(coalesce(extract(epoch FROM min(created_at) + interval '1 day' - now()), 0))::integer AS "freeInSeconds"
           FROM deliveries
           WHERE user_serial = $1 AND kind = 'confirm-contact' AND created_at > now() - interval '1 day'`,
    values: [userSerial],
  });
  return rows[0] ?? { sent: 0, freeInSeconds: 0 };
}

/** False if nobody waits for the code anymore. */
export async function setConfirmationCode(
  tx: Executor,
  deliveryId: string,
  { codeHash, expiresAt }: { readonly codeHash: Buffer; readonly expiresAt: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'set-confirmation-code',
    text: 'UPDATE contact_confirmations SET code_hash = $2, expires_at = $3 WHERE delivery_id = $1',
    values: [deliveryId, codeHash, expiresAt],
  });
  return rowCount === 1;
}

export interface Attempted {
  readonly value: string;
  readonly deliveryId: string;
  readonly codeHash: Buffer;
  readonly attemptsLeft: number;
}

/** Counts the attempt before the code is compared, so that parallel guesses don't get more. */
export async function countConfirmationAttempt(
  executor: Executor,
  userSerial: string,
  field: ConfirmedField,
): Promise<Attempted | undefined> {
  const { rows } = await executor.query<Attempted>({
    name: 'count-confirmation-attempt',
    text: `UPDATE contact_confirmations SET attempts_left = attempts_left - 1
           WHERE user_serial = $1 AND field = $2 AND attempts_left > 0 AND expires_at > now() AND code_hash IS NOT NULL
           RETURNING value, delivery_id AS "deliveryId", code_hash AS "codeHash", attempts_left AS "attemptsLeft"`,
    values: [userSerial, field],
  });
  return rows[0];
}

/** Of a field, or only the one with this message. Its message is not sent anymore. False if there was none. */
export async function deleteConfirmation(
  tx: Executor,
  which: { readonly userSerial: string; readonly field: ConfirmedField; readonly deliveryId?: string },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete-confirmation',
    text: `WITH ended AS (
             DELETE FROM contact_confirmations
             WHERE user_serial = $1 AND field = $2 AND ($3::uuid IS NULL OR delivery_id = $3) RETURNING delivery_id),
           cancelled AS (
             UPDATE deliveries SET state = 'cancelled' WHERE id IN (SELECT delivery_id FROM ended)
               AND state IN ('waiting', 'parked'))
           SELECT FROM ended`,
    values: [which.userSerial, which.field, which.deliveryId ?? null],
  });
  return rowCount === 1;
}

export async function deleteOldConfirmations(executor: Executor): Promise<void> {
  await executor.query(`DELETE FROM contact_confirmations WHERE NOT ${isOpen}`);
}
