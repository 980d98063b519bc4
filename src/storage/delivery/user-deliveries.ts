import type { DeliveryKind, DeliveryState, NoticeSubject } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { plainArray, textArray } from '../sql.js';
import { bringsPassword } from './deliveries.js';

/** The kind and ID of an actor, as in the change log. */
export interface Requester {
  readonly kind: string;
  readonly id: string;
}

export interface NewDelivery {
  readonly id: string;
  readonly userSerial: string;
  readonly kind: DeliveryKind;
  readonly state: DeliveryState;
  /** 0 is sent before 1. */
  readonly priority: 0 | 1;
  readonly requestId: string;
  /** Null for the service itself. */
  readonly requestedBy: Requester | null;
  /** A given password. Without one, a password is generated when the message is sent. */
  readonly secret: EncryptedSecret | null;
}

export const newDeliveryColumns =
  'id, user_serial, kind, state, priority, request_id, secret, secret_key_id, actor_kind, actor_id';

export async function insertDeliveries(tx: Executor, deliveries: readonly NewDelivery[]): Promise<void> {
  await tx.query({
    name: 'insert-deliveries',
    text: `INSERT INTO deliveries (${newDeliveryColumns}, held_reason)
           SELECT id, user_serial, kind, state, priority, request_id, decode(secret, 'hex'), secret_key_id, actor_kind,
                  actor_id, CASE WHEN state = 'held' THEN 'requested' END
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::smallint[], $6::text[], $7::text[], $8::text[],
                       $9::text[], $10::text[])
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
      textArray(deliveries.map(({ requestedBy }) => requestedBy?.kind ?? null)),
      textArray(deliveries.map(({ requestedBy }) => requestedBy?.id ?? null)),
    ],
  });
}

/** Informs a user, at the address from before the change, what was changed on the account. */
export interface NewNotice {
  readonly id: string;
  readonly userSerial: string;
  readonly changed: readonly NoticeSubject[];
  readonly to: { readonly email: string | null; readonly phone: string | null };
  /** Inactive users are notified only if they have a password, because then they may have used the account. */
  readonly isActive: boolean;
}

/** Lowest priority: passwords never wait for notices. */
const noticePriority = 2;

/** Inserts any number of notices in one statement. */
export async function insertNotices(
  tx: Executor,
  notices: readonly NewNotice[],
  origin: { readonly requestId: string | null; readonly actor: Requester | null },
): Promise<void> {
  await tx.query({
    name: 'insert-notices',
    text: `INSERT INTO deliveries (id, user_serial, changed, to_email, to_phone, kind, state, priority, request_id,
                                   actor_kind, actor_id)
           SELECT id, user_serial, changed, to_email, to_phone, 'account-changed', 'waiting', ${noticePriority}, $6, $7, $8
           FROM unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[], $5::text[], $9::boolean[])
             AS new (id, user_serial, changed, to_email, to_phone, is_active)
           WHERE is_active OR EXISTS (SELECT FROM credentials WHERE credentials.user_serial = new.user_serial)`,
    values: [
      plainArray(notices.map(({ id }) => id)),
      plainArray(notices.map(({ userSerial }) => userSerial)),
      textArray(notices.map(({ changed }) => changed.join(' '))),
      textArray(notices.map(({ to }) => to.email)),
      textArray(notices.map(({ to }) => to.phone)),
      origin.requestId,
      origin.actor?.kind ?? null,
      origin.actor?.id ?? null,
      plainArray(notices.map(({ isActive }) => isActive)),
    ],
  });
}

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

/** A new password, or none at all, replaces those that are still to be sent, and links to a new one. */
export async function cancelPasswordsOf(tx: Executor, serials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'cancel-passwords-of',
    text: `WITH links AS (DELETE FROM password_links WHERE user_serial = ANY ($1::uuid[]))
           UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
           WHERE user_serial = ANY ($1::uuid[]) AND ${isOpen} AND (${bringsPassword} OR kind = 'password-link')`,
    values: [plainArray(serials)],
  });
}

/** Passwords that a call had sent to some of its users. */
export async function cancelPasswordsOfCall(
  tx: Executor,
  serials: readonly string[],
  call: { readonly requestId: string; readonly startedAt: string },
): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET state = 'cancelled', secret = NULL, secret_key_id = NULL
     WHERE user_serial = ANY ($1::uuid[]) AND ${isOpen} AND ${bringsPassword} AND request_id = $2 AND created_at >= $3`,
    [plainArray(serials), call.requestId, call.startedAt],
  );
}

const changesAddress = `(fields -> 'email' IS NOT NULL OR fields -> 'phone' IS NOT NULL)`;

/** As long as a transaction may last. Rows of the log have the time at which it began. */
const margin = `interval '1 hour'`;

/**
 * For users whose addresses an undo has restored. A password that was requested before the undone call is held only
 * because of that call if no other call or request changed the address since, as far back as the log goes.
 */
export async function unholdPasswords(
  tx: Executor,
  serials: readonly string[],
  undoneCallId: string,
): Promise<void> {
  await tx.query(
    `UPDATE deliveries SET held_reason = NULL, next_at = now(),
       state = CASE WHEN (SELECT is_active FROM users WHERE serial = user_serial) THEN 'waiting' ELSE 'dormant' END
     WHERE user_serial = ANY ($1::uuid[]) AND state = 'held' AND held_reason = 'addressChanged' AND ${bringsPassword}
       AND (SELECT at < created_at FROM changes ORDER BY seq LIMIT 1)
       AND EXISTS (SELECT FROM changes WHERE changes.user_serial = deliveries.user_serial AND call_id = $2
                     AND at > created_at AND ${changesAddress})
       AND NOT EXISTS (SELECT FROM changes WHERE changes.user_serial = deliveries.user_serial AND kind = 'updated'
                         AND at > created_at - ${margin} AND at < now() AND call_id IS DISTINCT FROM $2
                         AND ${changesAddress})`,
    [plainArray(serials), undoneCallId],
  );
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
