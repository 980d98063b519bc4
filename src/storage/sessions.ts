import type { Role } from '../contract/scopes.js';
import type { Executor } from './database.js';
import { plainArray } from './sql-arrays.js';

export interface Session {
  readonly serial: string;
  readonly name: string;
  readonly username: string | null;
  readonly role: Role | null;
  readonly mustChangePassword: boolean;
}

/** The person of a session, as they are at this moment: nothing of it is remembered. */
export async function getSession(executor: Executor, tokenHash: string): Promise<Session | undefined> {
  const { rows } = await executor.query<Session>({
    name: 'get-session',
    text: `SELECT users.serial, name, username, role, coalesce(must_change, false) AS "mustChangePassword"
           FROM sessions JOIN users ON users.serial = sessions.user_serial
             LEFT JOIN roles ON roles.user_serial = users.serial
             LEFT JOIN credentials ON credentials.user_serial = users.serial
           WHERE token_hash = $1 AND sessions.expires_at > now() AND is_active`,
    values: [tokenHash],
  });
  return rows[0];
}

/**
 * Opens a session if what was checked still holds: the user is active and has this very password. The rows are locked
 * against a deactivation or a change of the password that runs at the same time, which ends sessions when it commits.
 */
export async function insertSession(
  tx: Executor,
  session: { tokenHash: string; userSerial: string; passwordHash: string; lifetimeSeconds: number },
): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert-session',
    text: `INSERT INTO sessions (token_hash, user_serial, expires_at)
           SELECT $1, serial, now() + make_interval(secs => $4)
           FROM users JOIN credentials ON user_serial = serial
           WHERE serial = $2 AND is_active AND password_hash = $3
           FOR SHARE`,
    values: [session.tokenHash, session.userSerial, session.passwordHash, session.lifetimeSeconds],
  });
  return rowCount === 1;
}

export async function deleteSession(executor: Executor, tokenHash: string): Promise<void> {
  await executor.query('DELETE FROM sessions WHERE token_hash = $1', [tokenHash]);
}

/** Signs people out wherever they are, but for the session that is to stay. */
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
