import type { GivenFactor, SecondFactor, SecondFactorPolicy } from '../../contract/enums.js';
import type { Role } from '../../contract/scopes.js';
import type { SignInMethod } from '../../contract/sign-in.js';
import type { Executor } from '../database.js';
import { plainArray, whereAll } from '../sql.js';
import { type NewAccessEvent, newEventColumns, newEventValues } from './access-events.js';
import { uncount } from './sign-in-guards.js';

export interface Session {
  readonly id: string;
  readonly serial: string;
  readonly name: string;
  readonly username: string | null;
  readonly employeeID: string;
  readonly role: Role | null;
  /** Of people who signed in with it. */
  readonly mustChangePassword: boolean;
  /** What is missing before the session may be used. */
  readonly secondFactor: SecondFactor;
  readonly method: SignInMethod;
  /** Null if only a password was given, or the factor of the identity provider. */
  readonly factor: GivenFactor | null;
  /** Since the user last proved who they are. */
  readonly provenSecondsAgo: number;
  /** Whether it is time to note that the session is used. */
  readonly isSeenLongAgo: boolean;
}

/** How exactly it is known when a session was last used: writing it with every request would cost a commit each. */
const seenEverySeconds = 60;

/** The session's user in the current state: nothing is cached. */
export async function getSession(
  executor: Executor,
  tokenHash: string,
  idleSeconds: number,
): Promise<Session | undefined> {
  const { rows } = await executor.query<Session>({
    name: 'get-session',
    text: `SELECT id, users.serial, name, username, employee_id AS "employeeID", role,
             coalesce(must_change AND method = 'password', false) AS "mustChangePassword", method, factor,
             ${secondFactorOf('sessions')} AS "secondFactor",
             extract(epoch FROM now() - proven_at)::float8 AS "provenSecondsAgo",
             last_seen_at < now() - make_interval(secs => ${seenEverySeconds}) AS "isSeenLongAgo"
           FROM sessions JOIN users ON users.serial = sessions.user_serial
             LEFT JOIN roles ON roles.user_serial = users.serial
             LEFT JOIN credentials ON credentials.user_serial = users.serial
           WHERE token_hash = $1 AND ${isOpen('$2')} AND is_active`,
    values: [tokenHash, idleSeconds],
  });
  return rows[0];
}

/**
 * Only a password needs a second factor: a passkey is both, and a provider asks for its own. Whoever signed in before the user
 * had a factor is asked for it, too.
 */
export function secondFactorOf(session: string): string {
  return `CASE WHEN ${session}.method <> 'password' OR ${session}.factor_given_at IS NOT NULL THEN 'none'
               WHEN EXISTS (SELECT FROM factors
                            WHERE factors.user_serial = ${session}.user_serial AND confirmed_at IS NOT NULL) THEN 'required'
               WHEN ${session}.must_enrol THEN 'enrol' ELSE 'none' END`;
}

function isOpen(idleSeconds: string): string {
  return `sessions.expires_at > now() AND last_seen_at > now() - make_interval(secs => ${idleSeconds})`;
}

export async function noteSessionUse(executor: Executor, tokenHash: string): Promise<void> {
  await executor.query({
    name: 'note-session-use',
    text: 'UPDATE sessions SET last_seen_at = now() WHERE token_hash = $1',
    values: [tokenHash],
  });
}

export interface NewSession {
  readonly id: string;
  readonly tokenHash: string;
  readonly userSerial: string;
  readonly method: SignInMethod;
  /** The password that was verified; null if the user proved who they are in another way. */
  readonly passwordId: string | null;
  /** The passkey that was verified. */
  readonly passkey?: { readonly id: string; readonly factor: GivenFactor };
  /** Who has to add a factor if they have none. */
  readonly secondFactorPolicy?: SecondFactorPolicy;
  readonly lifetimeSeconds: number;
  readonly address: string;
  readonly device: string | null;
}

/** Of the attempt that succeeded. */
export interface GuardKeys {
  readonly address: string;
  /** Undefined if the failures of the name stay. */
  readonly name: string | undefined;
  readonly user: string;
}

export interface OpenedSession {
  readonly role: Role | null;
  readonly secondFactor: SecondFactor;
}

/**
 * Opens a session if what was checked still holds: the user is active and still has this password or passkey. The rows are locked
 * against a concurrent deactivation, password change or reset of factors, which would end sessions when it commits: first the user, then
 * the others, as everywhere, or a user who is removed meanwhile would cause a deadlock. The same statement
 * resets the failures of the name and the user, takes the attempt back from its address and records the sign-in: seven
 * separate statements cost a tenth of the sign-in rate. The guards are locked in the order in which attempts are counted.
 * While a second factor is missing, the failures stay: else every correct password would allow more guesses at its codes.
 */
export async function openSession(
  executor: Executor,
  session: NewSession,
  guardKeys: GuardKeys,
  event: NewAccessEvent,
): Promise<OpenedSession | undefined> {
  const { rows } = await executor.query<OpenedSession>({
    name: 'open-session',
    text: `WITH locked AS MATERIALIZED (SELECT serial FROM users WHERE serial = $2 AND is_active FOR SHARE),
           opened AS (
             INSERT INTO sessions (token_hash, user_serial, expires_at, id, address, device, method, factor, must_enrol)
             SELECT $1, serial, now() + make_interval(secs => $4), $17::uuid, $18::text, $19::text, $20::text, $23::text,
               $21::text = 'everyone' OR ($21::text = 'roles' AND EXISTS (SELECT FROM roles WHERE user_serial = serial))
             FROM locked
             WHERE ($3::uuid IS NULL
                    OR EXISTS (SELECT FROM credentials WHERE user_serial = serial AND password_id = $3 FOR SHARE))
               AND ($22::uuid IS NULL
                    OR EXISTS (SELECT FROM factors WHERE user_serial = serial AND factors.id = $22 FOR SHARE))
             RETURNING user_serial, method, factor_given_at, must_enrol),
           done AS (
             SELECT user_serial, ${secondFactorOf('opened')} AS second_factor FROM opened),
           signed_in AS (
             INSERT INTO signed_in_users (user_serial) SELECT user_serial FROM opened ON CONFLICT DO NOTHING),
           address AS (${uncount} WHERE key = $5 AND EXISTS (SELECT FROM opened) RETURNING key),
           name AS (
             DELETE FROM sign_in_guards
             WHERE key = $6 AND EXISTS (SELECT FROM done WHERE second_factor <> 'required') AND (SELECT count(*) FROM address) >= 0
             RETURNING key),
           by_user AS (
             DELETE FROM sign_in_guards
             WHERE key = $7 AND EXISTS (SELECT FROM done WHERE second_factor <> 'required') AND (SELECT count(*) FROM name) >= 0),
           event AS (
             INSERT INTO access_events (${newEventColumns})
             SELECT $8::uuid, $9::text, $10::text, $11::text, $12::uuid, $13::text, $14::text, $15::text, $16::jsonb
             FROM opened)
           SELECT role, second_factor AS "secondFactor" FROM done LEFT JOIN roles USING (user_serial)`,
    values: [
      session.tokenHash,
      session.userSerial,
      session.passwordId,
      session.lifetimeSeconds,
      guardKeys.address,
      guardKeys.name ?? null,
      guardKeys.user,
      ...newEventValues(event),
      session.id,
      session.address,
      session.device,
      session.method,
      session.secondFactorPolicy ?? 'off',
      session.passkey?.id ?? null,
      session.passkey?.factor ?? null,
    ],
  });
  return rows[0];
}

export interface SessionRenewal {
  /** With which the user has completed a session that lacked it, or has proved again who they are. */
  readonly factor: GivenFactor | null;
  /** Whether the user has proved again who they are, with everything that takes. */
  readonly isProven: boolean;
}

/** The session goes on with another token. */
export async function renewSession(
  tx: Executor,
  tokenHash: string,
  newTokenHash: string,
  { factor, isProven }: SessionRenewal,
): Promise<{ readonly expiresInSeconds: number } | undefined> {
  const { rows } = await tx.query<{ expiresInSeconds: number }>(
    `UPDATE sessions SET token_hash = $2, last_seen_at = now(),
       proven_at = CASE WHEN $4 THEN now() ELSE proven_at END,
       factor = coalesce($3, factor), factor_given_at = CASE WHEN $3::text IS NULL THEN factor_given_at ELSE now() END
     WHERE token_hash = $1
     RETURNING floor(extract(epoch FROM expires_at - now()))::integer AS "expiresInSeconds"`,
    [tokenHash, newTokenHash, factor, isProven],
  );
  return rows[0];
}

export interface ListedSession {
  readonly id: string;
  readonly userSerial: string;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
  readonly method: SignInMethod;
  readonly address: string | null;
  readonly device: string | null;
}

interface SessionRow extends Omit<ListedSession, 'createdAt' | 'lastSeenAt' | 'expiresAt'> {
  readonly createdAt: Date;
  readonly lastSeenAt: Date;
  readonly expiresAt: Date;
}

export interface SessionPage {
  readonly userSerial: string | undefined;
  readonly beforeId: string | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listSessions(
  executor: Executor,
  idleSeconds: number,
  { userSerial, beforeId, limit }: SessionPage,
): Promise<ListedSession[]> {
  const { where, values } = whereAll({ 'user_serial = ?': userSerial, 'id < ?': beforeId }, [
    idleSeconds,
    limit,
  ]);
  const { rows } = await executor.query<SessionRow>(
    `SELECT id, user_serial AS "userSerial", created_at AS "createdAt", last_seen_at AS "lastSeenAt",
       expires_at AS "expiresAt", method, address, device
     FROM sessions WHERE ${isOpen('$1')} AND ${where} ORDER BY id DESC LIMIT $2`,
    values,
  );
  return rows.map((row) => ({
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
  }));
}

/** Returns whose session it was; undefined if there is none. */
export async function deleteSessionById(
  tx: Executor,
  id: string,
  userSerial: string | null,
): Promise<string | undefined> {
  const { rows } = await tx.query<{ serial: string }>(
    `WITH ended AS (
       DELETE FROM sessions WHERE id = $1 AND user_serial = coalesce($2, user_serial) RETURNING id, user_serial),
     ${grantsGone}
     SELECT user_serial AS serial FROM ended`,
    [id, userSerial],
  );
  return rows[0]?.serial;
}

/** What users granted to applications in a session ends with it, unless the session only expires or is replaced. */
export const grantsGone = 'granted AS (DELETE FROM openid_states WHERE session_id IN (SELECT id FROM ended))';

export async function deleteSession(executor: Executor, tokenHash: string): Promise<void> {
  await executor.query(
    `WITH ended AS (DELETE FROM sessions WHERE token_hash = $1 RETURNING id), ${grantsGone} SELECT FROM ended`,
    [tokenHash],
  );
}

/** The user goes on in another session, and applications keep their access. */
export async function deleteReplacedSession(
  executor: Executor,
  by: { readonly tokenHash: string } | { readonly id: string },
): Promise<void> {
  const [column, value] = 'id' in by ? ['id', by.id] : ['token_hash', by.tokenHash];
  await executor.query(`DELETE FROM sessions WHERE ${column} = $1`, [value]);
}

/** What was granted in the session with this token. */
const isGrantedIn = (tokenHash: string) =>
  `session_id IS NOT DISTINCT FROM (SELECT id FROM sessions WHERE token_hash = ${tokenHash})`;

/**
 * Ends all sessions of these users except the given one, and what they granted to applications, also in sessions that have
 * expired. Returns how many sessions there were.
 */
export async function deleteSessionsOf(
  tx: Executor,
  serials: readonly string[],
  exceptTokenHash: string | null = null,
): Promise<number> {
  const { rows } = await tx.query<{ ended: number }>({
    name: 'delete-sessions-of',
    text: `WITH granted AS (
             DELETE FROM openid_states WHERE user_serial = ANY ($1::uuid[])
               AND ($2::text IS NULL OR session_id IS NULL OR NOT ${isGrantedIn('$2')})),
           ended AS (
             DELETE FROM sessions WHERE user_serial = ANY ($1::uuid[]) AND token_hash IS DISTINCT FROM $2 RETURNING 1)
           SELECT count(*)::integer AS ended FROM ended`,
    values: [plainArray(serials), exceptTokenHash],
  });
  return rows[0]?.ended ?? 0;
}

/** The same for everybody. */
export async function deleteAllSessions(tx: Executor, exceptTokenHash: string | null): Promise<number> {
  const { rows } = await tx.query<{ ended: number }>(
    `WITH granted AS (
       DELETE FROM openid_states
       WHERE user_serial IS NOT NULL AND ($1::text IS NULL OR session_id IS NULL OR NOT ${isGrantedIn('$1')})),
     ended AS (DELETE FROM sessions WHERE token_hash IS DISTINCT FROM $1 RETURNING 1)
     SELECT count(*)::integer AS ended FROM ended`,
    [exceptTokenHash],
  );
  return rows[0]?.ended ?? 0;
}

/** Of a session that is used without its token: its user signs in to an application. */
export async function noteSessionUseById(executor: Executor, id: string): Promise<void> {
  await executor.query({
    name: 'note-session-use-by-id',
    text: `UPDATE sessions SET last_seen_at = now()
           WHERE id = $1 AND last_seen_at < now() - make_interval(secs => ${seenEverySeconds})`,
    values: [id],
  });
}

export async function deleteExpiredSessions(executor: Executor, idleSeconds: number): Promise<void> {
  await executor.query(`DELETE FROM sessions WHERE NOT (${isOpen('$1')})`, [idleSeconds]);
}
