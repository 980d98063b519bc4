import type { LocalSignIn } from '../../contract/enums.js';
import { changesOfUser } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { type NewAccessEvent, newEventColumns, newEventValues } from './access-events.js';

/**
 * Nodes of the release before would send a password instead of a link. They claim only messages whose key they have, so
 * links seem to have one.
 */
export const linkMark = 'links';

export interface LinkRequest {
  readonly deliveryId: string;
  /** Null if nobody has the name. */
  readonly userSerial: string | null;
  readonly requestId: string;
}

/** Long enough for the owner of the address before to read the notice, and to complain. */
const newAddressHours = 24;

/** Somebody else may have changed the address to one of their own. */
const isReaddressed = `EXISTS (
  SELECT FROM ${changesOfUser('$10::uuid')}
  WHERE at > now() - interval '${newAddressHours} hours' AND kind <> 'created'
    AND (actor_kind, actor_id) IS DISTINCT FROM ('person', $10::text)
    AND (fields -> 'email' IS NOT NULL OR (email IS NULL AND fields -> 'phone' IS NOT NULL)))`;

/**
 * Records the request, and queues a link to the user unless there is none who may have one, who has a new
 * address, or who has requested too many in the last hour. One statement whoever it is, so that its time says nothing. The link goes to the address of this moment.
 */
export async function requestPasswordLink(
  executor: Executor,
  { deliveryId, userSerial, requestId }: LinkRequest,
  { localSignIn, perHourMax }: { readonly localSignIn: LocalSignIn; readonly perHourMax: number },
  event: NewAccessEvent,
): Promise<void> {
  await executor.query({
    name: 'request-password-link',
    text: `WITH addressee AS (
             SELECT serial, email, phone FROM users LEFT JOIN roles ON user_serial = serial
             WHERE serial = $10::uuid AND is_active AND ($11 = 'on' OR ($11 = 'administrators' AND role = 'administrator'))
               AND NOT ${isReaddressed}
               AND $12 > (SELECT count(*) FROM deliveries
                          WHERE user_serial = $10 AND kind = 'password-link' AND created_at > now() - interval '1 hour')),
           replaced AS (
             UPDATE deliveries SET state = 'cancelled', secret_key_id = NULL
             WHERE user_serial IN (SELECT serial FROM addressee) AND kind = 'password-link'
               AND state IN ('waiting', 'parked')),
           queued AS (
             INSERT INTO deliveries (id, user_serial, to_email, to_phone, kind, state, priority, request_id, secret_key_id)
             SELECT $13, serial, email, CASE WHEN email IS NULL THEN phone END, 'password-link', 'waiting', 0, $14,
               '${linkMark}'
             FROM addressee)
           INSERT INTO access_events (${newEventColumns})
           VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    values: [...newEventValues(event), userSerial, localSignIn, perHourMax, deliveryId, requestId],
  });
}

export interface NewLink {
  readonly deliveryId: string;
  readonly tokenHash: Buffer;
  readonly expiresAt: Date;
}

/** The address that a link is sent to is still the one of its user, who is active. */
const isAddressee = `is_active AND (to_email = email OR to_email IS NULL AND to_phone = phone AND email IS NULL)`;

const replacesLink = `ON CONFLICT (user_serial) DO UPDATE SET token_hash = excluded.token_hash,
             delivery_id = excluded.delivery_id, expires_at = excluded.expires_at, created_at = now()`;

/** Replaces the last link of the user. False if the message is not to be sent anymore. */
export async function putPasswordLink(
  tx: Executor,
  { deliveryId, tokenHash, expiresAt }: NewLink,
  requestMinutes: number,
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'put-password-link',
    text: `INSERT INTO password_links (user_serial, token_hash, delivery_id, expires_at)
           SELECT serial, $2, deliveries.id, $3 FROM deliveries JOIN users ON serial = user_serial
           WHERE deliveries.id = $1 AND deliveries.created_at > now() - make_interval(mins => $4) AND ${isAddressee}
           ${replacesLink}`,
    values: [deliveryId, tokenHash, expiresAt, requestMinutes],
  });
  return rowCount === 1;
}

/** The same for a link instead of an initial password. It is valid as long as the message's address is the user's. */
export async function putInvitation(
  tx: Executor,
  { deliveryId, tokenHash, expiresAt }: NewLink,
  to: { readonly email: string | null; readonly phone: string | null },
): Promise<void> {
  await tx.query({
    name: 'put-invitation',
    text: `WITH addressed AS (
             UPDATE deliveries SET to_email = $4, to_phone = CASE WHEN $4::text IS NULL THEN $5::text END
             WHERE id = $1 RETURNING id, user_serial)
           INSERT INTO password_links (user_serial, token_hash, delivery_id, expires_at)
           SELECT user_serial, $2, id, $3 FROM addressed
           ${replacesLink}`,
    values: [deliveryId, tokenHash, expiresAt, to.email, to.phone],
  });
}

/** Whose link it is; undefined if it can't be used. */
export async function getPasswordLinkUser(
  executor: Executor,
  tokenHash: Buffer,
): Promise<string | undefined> {
  const { rows } = await executor.query<{ serial: string }>({
    name: 'get-password-link-user',
    text: `SELECT serial FROM password_links JOIN users ON users.serial = password_links.user_serial
             JOIN deliveries ON deliveries.id = delivery_id
           WHERE token_hash = $1 AND expires_at > now() AND ${isAddressee}`,
    values: [tokenHash],
  });
  return rows[0]?.serial;
}

/** Only one of several that use it at the same time gets it. */
export async function takePasswordLink(tx: Executor, tokenHash: Buffer): Promise<boolean> {
  const { rowCount } = await tx.query(
    'DELETE FROM password_links WHERE token_hash = $1 AND expires_at > now()',
    [tokenHash],
  );
  return rowCount === 1;
}

export async function deleteOldPasswordLinks(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM password_links WHERE expires_at < now()');
}
