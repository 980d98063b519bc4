import type { Role } from '../../contract/scopes.js';
import type { Executor } from '../database.js';
import { plainArray } from '../sql.js';
import { type NewAccessEvent, newEventColumns, newEventValues } from './access-events.js';
import { uncount } from './sign-in-guards.js';

export interface Session {
  readonly serial: string;
  readonly name: string;
  readonly username: string | null;
  readonly employeeID: string;
  readonly role: Role | null;
  readonly mustChangePassword: boolean;
}

/** The session's user in the current state: nothing is cached. */
export async function getSession(executor: Executor, tokenHash: string): Promise<Session | undefined> {
  const { rows } = await executor.query<Session>({
    name: 'get-session',
    text: `SELECT users.serial, name, username, employee_id AS "employeeID", role, coalesce(must_change, false) AS "mustChangePassword"
           FROM sessions JOIN users ON users.serial = sessions.user_serial
             LEFT JOIN roles ON roles.user_serial = users.serial
             LEFT JOIN credentials ON credentials.user_serial = users.serial
           WHERE token_hash = $1 AND sessions.expires_at > now() AND is_active`,
    values: [tokenHash],
  });
  return rows[0];
}

export interface NewSession {
  readonly tokenHash: string;
  readonly userSerial: string;
  /** The password that was verified. */
  readonly passwordId: string;
  readonly lifetimeSeconds: number;
}

/** Of the attempt that succeeded. */
export interface GuardKeys {
  readonly address: string;
  /** Undefined if the failures of the name stay. */
  readonly name: string | undefined;
  readonly user: string;
}

/**
 * Opens a session if what was checked still holds: the user is active and still has this password. The rows are locked
 * against a concurrent deactivation or password change, which would end sessions when it commits. The same statement
 * resets the failures of the name and the user, takes the attempt back from its address and records the sign-in: seven
 * separate statements cost a tenth of the sign-in rate. The guards are locked in the order in which attempts are counted.
 */
export async function openSession(
  executor: Executor,
  session: NewSession,
  guardKeys: GuardKeys,
  event: NewAccessEvent,
): Promise<{ readonly role: Role | null } | undefined> {
  const { rows } = await executor.query<{ role: Role | null }>({
    name: 'open-session',
    text: `WITH opened AS (
             INSERT INTO sessions (token_hash, user_serial, expires_at)
             SELECT $1, serial, now() + make_interval(secs => $4)
             FROM users JOIN credentials ON user_serial = serial
             WHERE serial = $2 AND is_active AND password_id = $3
             FOR SHARE
             RETURNING user_serial),
           signed_in AS (
             INSERT INTO signed_in_users (user_serial) SELECT user_serial FROM opened ON CONFLICT DO NOTHING),
           address AS (${uncount} WHERE key = $5 AND EXISTS (SELECT FROM opened) RETURNING key),
           name AS (
             DELETE FROM sign_in_guards
             WHERE key = $6 AND EXISTS (SELECT FROM opened) AND (SELECT count(*) FROM address) >= 0
             RETURNING key),
           by_user AS (
             DELETE FROM sign_in_guards
             WHERE key = $7 AND EXISTS (SELECT FROM opened) AND (SELECT count(*) FROM name) >= 0),
           event AS (
             INSERT INTO access_events (${newEventColumns})
             SELECT $8::uuid, $9::text, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::text, $16::jsonb
             FROM opened)
           SELECT role FROM opened LEFT JOIN roles USING (user_serial)`,
    values: [
      session.tokenHash,
      session.userSerial,
      session.passwordId,
      session.lifetimeSeconds,
      guardKeys.address,
      guardKeys.name ?? null,
      guardKeys.user,
      ...newEventValues(event),
    ],
  });
  return rows[0];
}

export async function deleteSession(executor: Executor, tokenHash: string): Promise<void> {
  await executor.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
}

/** Ends all sessions of these users except the given one. */
export async function deleteSessionsOf(
  tx: Executor,
  serials: readonly string[],
  exceptTokenHash: string | null = null,
): Promise<void> {
  await tx.query({
    name: 'delete-sessions-of',
    text: 'DELETE FROM sessions WHERE user_serial = ANY ($1::uuid[]) AND token_hash IS DISTINCT FROM $2',
    values: [plainArray(serials), exceptTokenHash],
  });
}

export async function deleteExpiredSessions(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM sessions WHERE expires_at <= now()');
}
