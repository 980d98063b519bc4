import type { Executor } from '../database.js';
import { plainArray } from '../sql-arrays.js';
import { bringsPassword } from './deliveries.js';
import type { Requester } from './insert-deliveries.js';

const isOpen = `state IN ('waiting', 'held', 'dormant', 'parked')`;

/** Sends deliveries that were waiting for their users to become active. */
export async function wakeDeliveriesOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'wake-deliveries-of',
    text: `UPDATE deliveries SET state = 'waiting', next_at = now()
           WHERE user_serial = ANY ($1::uuid[]) AND state = 'dormant' AND ${bringsPassword}`,
    values: [plainArray(serials)],
  });
}

/**
 * Called when an address changes. Password deliveries requested by another actor, or by an unknown one, are held until
 * an administrator has reviewed them. A node that is about to send one finds its claim lost.
 */
export async function holdRedirectedDeliveries(
  tx: Executor,
  serials: readonly string[],
  by: Requester,
): Promise<void> {
  await tx.query({
    name: 'hold-redirected-deliveries',
    text: `UPDATE deliveries SET state = 'held', held_reason = 'addressChanged'
           WHERE user_serial = ANY ($1::uuid[]) AND ${isOpen} AND ${bringsPassword}
             AND (actor_kind, actor_id) IS DISTINCT FROM ($2::text, $3::text)`,
    values: [plainArray(serials), by.kind, by.id],
  });
}

/** Holds a password that would go to an address set by someone who may not reset passwords. */
export async function holdReaddressedDelivery(tx: Executor, id: string): Promise<void> {
  await tx.query(`UPDATE deliveries SET state = 'held', held_reason = 'addressChanged' WHERE id = $1`, [id]);
}

/** A new password, or none at all, replaces those that are still to be sent. */
export async function cancelPasswordsOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'cancel-passwords-of',
    text: `UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[]) AND ${isOpen} AND ${bringsPassword}`,
    values: [plainArray(serials)],
  });
}

/** Whether the user has not chosen a password yet and another actor requested the last one. */
export async function awaitsPasswordFromOtherActor(
  tx: Executor,
  serial: string,
  actor: Requester,
): Promise<boolean> {
  const { rows } = await tx.query<{ byAnother: boolean }>(
    `SELECT (actor_kind, actor_id) IS DISTINCT FROM ($2, $3) AS "byAnother"
     FROM deliveries
     WHERE user_serial = $1 AND state <> 'cancelled' AND ${bringsPassword}
       AND NOT EXISTS (SELECT FROM credentials WHERE user_serial = $1 AND NOT must_change)
     ORDER BY id DESC LIMIT 1`,
    [serial, actor.kind, actor.id],
  );
  return rows[0]?.byAnother ?? false;
}

/** Called for removed users: nothing is sent to them anymore. */
export async function cancelDeliveriesOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'cancel-deliveries-of',
    text: `UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[]) AND ${isOpen}`,
    values: [plainArray(serials)],
  });
}
