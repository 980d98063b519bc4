import { changesOfUser } from '../changes/changes.js';
import type { Executor } from '../database.js';
import { plainArray, textArray } from '../sql.js';

export interface InitialPassword {
  readonly userSerial: string;
  readonly passwordHash: string;
}

/** The lifetime is null for the first administrator, whose password could not be sent again. */
export async function insertInitialPasswords(
  tx: Executor,
  passwords: readonly InitialPassword[],
  lifetimeHours: number | null,
): Promise<void> {
  await tx.query({
    name: 'insert-initial-passwords',
    text: `INSERT INTO credentials (user_serial, password_hash, must_change, expires_at)
           SELECT user_serial, password_hash, true, now() + make_interval(hours => $3)
           FROM unnest($1::uuid[], $2::text[]) AS new (user_serial, password_hash)`,
    values: [
      plainArray(passwords.map((password) => password.userSerial)),
      textArray(passwords.map((password) => password.passwordHash)),
      lifetimeHours,
    ],
  });
}

/** Replaces any existing password with an initial one. */
export async function replaceByInitialPassword(
  tx: Executor,
  { userSerial, passwordHash }: InitialPassword,
  expiresAt: Date,
): Promise<void> {
  await tx.query({
    name: 'replace-by-initial-password',
    text: `INSERT INTO credentials (user_serial, password_hash, must_change, expires_at) VALUES ($1, $2, true, $3)
           ON CONFLICT (user_serial) DO UPDATE
           SET password_hash = excluded.password_hash, password_id = excluded.password_id, must_change = true,
               expires_at = excluded.expires_at, changed_at = now()`,
    values: [userSerial, passwordHash, expiresAt],
  });
}

/** The lifetime of an initial password starts when it is sent. */
export async function renewInitialPassword(tx: Executor, userSerial: string, expiresAt: Date): Promise<void> {
  await tx.query({
    name: 'renew-initial-password',
    text: 'UPDATE credentials SET expires_at = $2 WHERE user_serial = $1 AND must_change',
    values: [userSerial, expiresAt],
  });
}

export interface StoredPassword {
  readonly id: string;
  readonly hash: string;
  readonly mustChange: boolean;
  readonly isExpired: boolean;
}

/** What a sign-in decision is based on. */
export interface Login {
  readonly serial: string;
  readonly isActive: boolean;
  readonly employeeID: string;
  readonly username: string | null;
  readonly signInName: string | null;
  readonly email: string | null;
  /** Undefined if no password has been generated for the user yet. */
  readonly password: StoredPassword | undefined;
}

interface LoginRow extends Omit<Login, 'password'>, Omit<StoredPassword, 'id'> {
  readonly id: string | null;
}

const login = `SELECT serial, is_active AS "isActive", employee_id AS "employeeID", username, sign_in_name AS "signInName", email,
    password_id AS id,
    password_hash AS hash, must_change AS "mustChange", coalesce(expires_at <= now(), false) AS "isExpired"
  FROM users LEFT JOIN credentials ON user_serial = serial`;

function loginOf(row: LoginRow | undefined): Login | undefined {
  if (!row) return undefined;
  const { id, hash, mustChange, isExpired, ...user } = row;
  return { ...user, password: id === null ? undefined : { id, hash, mustChange, isExpired } };
}

/**
 * Finds a user by the name they sign in with: a username ignoring case or, if it is nobody's username, an employee ID. No
 * sign-in name can be one of these.
 */
export async function getLoginByName(
  executor: Executor,
  names: { readonly usernameKey: string; readonly employeeID: string; readonly signInName: string },
): Promise<Login | undefined> {
  const { rows } = await executor.query<LoginRow>({
    name: 'get-login-by-name',
    text: `${login} WHERE serial = coalesce((SELECT serial FROM users WHERE lower(username) = $1),
                                            (SELECT serial FROM users WHERE employee_id = $2),
                                            (SELECT serial FROM users WHERE sign_in_name = $3))`,
    values: [names.usernameKey, names.employeeID, names.signInName],
  });
  return loginOf(rows[0]);
}

export async function getLogin(executor: Executor, serial: string): Promise<Login | undefined> {
  const { rows } = await executor.query<LoginRow>({
    name: 'get-login',
    text: `${login} WHERE serial = $1`,
    values: [serial],
  });
  return loginOf(rows[0]);
}

/** Replaces only the password that was verified. Returns false if it was changed meanwhile. */
export async function changePassword(
  tx: Executor,
  change: { userSerial: string; passwordId: string; newHash: string },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    `UPDATE credentials SET password_hash = $3, password_id = gen_random_uuid(), must_change = false,
       expires_at = NULL, changed_at = now()
     WHERE user_serial = $1 AND password_id = $2`,
    [change.userSerial, change.passwordId, change.newHash],
  );
  return rowCount === 1;
}

/** A password that the user has chosen, instead of any other or of none. */
export async function putPassword(
  tx: Executor,
  { userSerial, passwordHash }: { userSerial: string; passwordHash: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO credentials (user_serial, password_hash, must_change, expires_at) VALUES ($1, $2, false, NULL)
     ON CONFLICT (user_serial) DO UPDATE
     SET password_hash = excluded.password_hash, password_id = excluded.password_id, must_change = false,
         expires_at = NULL, changed_at = now()`,
    [userSerial, passwordHash],
  );
}

/** The same password, hashed with the current parameters. */
export async function refreshHash(
  executor: Executor,
  { userSerial, passwordId, newHash }: { userSerial: string; passwordId: string; newHash: string },
): Promise<void> {
  await executor.query(
    'UPDATE credentials SET password_hash = $3 WHERE user_serial = $1 AND password_id = $2',
    [userSerial, passwordId, newHash],
  );
}

/**
 * Whoever rehires a user or resets the password may know it, whoever rehires a user sets the address, and whoever has set the
 * address may have recovered the password.
 */
export interface Renewal {
  /** Whether another actor was the last one who may know the password. */
  readonly byAnother: boolean;
  /** Whether another actor has set the email address or phone number since the user was rehired. */
  readonly isReaddressed: boolean;
}

export async function getRenewal(
  executor: Executor,
  userSerial: string,
  actor: { readonly kind: string; readonly id: string },
): Promise<Renewal> {
  const { rows } = await executor.query<Renewal>(
    `WITH rehire AS (
       SELECT seq, at, actor_kind, actor_id FROM ${changesOfUser('$1::uuid')}
       WHERE kind = 'rehired' ORDER BY seq DESC LIMIT 1),
     reset AS (
       SELECT at, actor_kind COLLATE "C", actor_id COLLATE "C" FROM access_events
       WHERE user_serial = $1 AND kind = 'password.reset' ORDER BY id DESC LIMIT 1),
     recovery AS (
       SELECT recovered.at, author.* FROM (
         SELECT at FROM access_events
         WHERE user_serial = $1 AND kind = 'password.recovered' ORDER BY id DESC LIMIT 1) AS recovered,
         LATERAL (
           SELECT actor_kind, actor_id FROM ${changesOfUser('$1::uuid')}
           WHERE at <= recovered.at AND kind <> 'created' AND (fields -> 'email' IS NOT NULL OR fields -> 'phone' IS NOT NULL)
           ORDER BY seq DESC LIMIT 1) AS author
       WHERE actor_id IS DISTINCT FROM $1::text),
     renewal AS (
       SELECT at, actor_kind, actor_id FROM rehire UNION ALL TABLE reset UNION ALL TABLE recovery
       ORDER BY at DESC LIMIT 1)
     SELECT EXISTS (SELECT FROM renewal WHERE (actor_kind, actor_id) IS DISTINCT FROM ($2::text, $3::text)) AS "byAnother",
            EXISTS (SELECT FROM ${changesOfUser('$1::uuid')}
                    WHERE seq >= (SELECT seq FROM rehire)
                      AND (fields -> 'email' IS NOT NULL OR fields -> 'phone' IS NOT NULL)
                      AND (actor_kind, actor_id) IS DISTINCT FROM ($2::text, $3::text)) AS "isReaddressed"`,
    [userSerial, actor.kind, actor.id],
  );
  return rows[0] ?? { byAnother: false, isReaddressed: false };
}

export async function deletePasswords(tx: Executor, userSerials: readonly string[]): Promise<void> {
  await tx.query({
    name: 'delete-passwords',
    text: 'DELETE FROM credentials WHERE user_serial = ANY ($1::uuid[])',
    values: [plainArray(userSerials)],
  });
}
