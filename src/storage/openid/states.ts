import type { GivenFactor } from '../../contract/enums.js';
import type { SignInMethod } from '../../contract/sign-in.js';
import { secondFactorOf } from '../access/sessions.js';
import type { Executor } from '../database.js';
import { deleteBatch } from '../sql.js';

export interface NewState {
  readonly kind: string;
  readonly idHash: string;
  readonly payload: string;
  readonly lifetimeSeconds: number;
  readonly grantHash: string | null;
  readonly uidHash: string | null;
  readonly userSerial: string | null;
  readonly applicationId: string | null;
  /** Undefined for what belongs to the session of its grant. */
  readonly sessionId: string | undefined;
}

/** Also notes that the grant is used, if it is a token of one. */
export async function putState(executor: Executor, state: NewState): Promise<void> {
  await executor.query({
    name: 'put-openid-state',
    text: `WITH used AS (
             UPDATE openid_states SET used_at = now()
             WHERE kind = 'Grant' AND id_hash = $5 AND $1 IN ('AccessToken', 'RefreshToken'))
           INSERT INTO openid_states (kind, id_hash, payload, expires_at, grant_hash, uid_hash, user_serial,
             application_id, session_id)
           VALUES ($1, $2, $3, now() + make_interval(secs => $4), $5, $6, $7, $8,
             coalesce($9::uuid, (SELECT session_id FROM openid_states WHERE kind = 'Grant' AND id_hash = $5)))
           ON CONFLICT (kind, id_hash) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at,
             grant_hash = excluded.grant_hash, uid_hash = excluded.uid_hash, user_serial = excluded.user_serial,
             application_id = excluded.application_id, session_id = excluded.session_id`,
    values: [
      state.kind,
      state.idHash,
      state.payload,
      state.lifetimeSeconds,
      state.grantHash,
      state.uidHash,
      state.userSerial,
      state.applicationId,
      state.sessionId ?? null,
    ],
  });
}

export interface State {
  readonly idHash: string;
  readonly payload: string;
  readonly consumedAt: Date | null;
  /** Of a browser session: when and how its user last proved who they are. */
  readonly provenAt: Date | null;
  readonly method: SignInMethod | null;
  readonly factor: GivenFactor | null;
}

/** Of an application (a) and a user (u): whether the user may sign in to it. */
export const isAdmitted = `a.disabled_at IS NULL AND u.is_active
  AND (a.organization_serials = '{}' OR u.organization_serial = ANY (a.organization_serials))
  AND (a.tag_serials = '{}' OR u.tag_serials && a.tag_serials)`;

/**
 * What no longer holds is not found: its user was deactivated or may not sign in to the application anymore, or the session
 * that a browser session stands for has ended, or needs a second factor by now.
 */
export async function findState(
  executor: Executor,
  { kind, ...by }: { readonly kind: string; readonly idHash?: string; readonly uidHash?: string },
  idleSeconds: number,
): Promise<State | undefined> {
  const [column, hash] = by.uidHash === undefined ? ['id_hash', by.idHash] : ['uid_hash', by.uidHash];
  const { rows } = await executor.query<State>({
    name: `find-openid-state-by-${column}`,
    text: `SELECT id_hash AS "idHash", payload, consumed_at AS "consumedAt", s.proven_at AS "provenAt", s.method,
             s.factor
           FROM openid_states AS state
             LEFT JOIN users AS u ON u.serial = state.user_serial
             LEFT JOIN applications AS a ON a.id = state.application_id
             LEFT JOIN sessions AS s ON s.id = state.session_id AND s.user_serial = state.user_serial
               AND s.expires_at > now() AND s.last_seen_at > now() - make_interval(secs => $3)
           WHERE state.kind = $1 AND state.${column} = $2
             AND (state.user_serial IS NULL
                  OR CASE WHEN state.application_id IS NULL THEN u.is_active ELSE ${isAdmitted} END)
             AND (state.kind <> 'Session' OR state.user_serial IS NULL
                  OR s.id IS NOT NULL AND ${secondFactorOf('s')} = 'none')`,
    values: [kind, hash, idleSeconds],
  });
  return rows[0];
}

/** False if it was consumed before: of two requests at the same time, one is a copy. */
export async function consumeState(executor: Executor, kind: string, idHash: string): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'consume-openid-state',
    text: `UPDATE openid_states SET consumed_at = now() WHERE kind = $1 AND id_hash = $2 AND consumed_at IS NULL`,
    values: [kind, idHash],
  });
  return rowCount === 1;
}

export async function deleteState(executor: Executor, kind: string, idHash: string): Promise<void> {
  await executor.query('DELETE FROM openid_states WHERE kind = $1 AND id_hash = $2', [kind, idHash]);
}

/** Everything that was issued for a grant, and the grant. */
export async function deleteGrant(executor: Executor, grantHash: string): Promise<void> {
  await executor.query(
    `DELETE FROM openid_states WHERE grant_hash = $1 OR (kind = 'Grant' AND id_hash = $1)`,
    [grantHash],
  );
}

/** Of everybody, or of one user. Returns how many users had access. */
export async function deleteGrantsOf(
  tx: Executor,
  { applicationId, userSerial }: { readonly applicationId: string; readonly userSerial?: string },
): Promise<number> {
  const { rows } = await tx.query<{ users: number }>(
    `WITH ended AS (
       DELETE FROM openid_states
       WHERE application_id = $1 AND user_serial = coalesce($2, user_serial) RETURNING user_serial)
     SELECT count(DISTINCT user_serial)::integer AS users FROM ended`,
    [applicationId, userSerial ?? null],
  );
  return rows[0]?.users ?? 0;
}

/** Grants of users who may no longer sign in to the application, and what was issued for them. */
export async function deleteForbiddenStates(executor: Executor): Promise<void> {
  await executor.query(
    `DELETE FROM openid_states USING users AS u, applications AS a
     WHERE user_serial = u.serial AND application_id = a.id AND NOT (${isAdmitted})`,
  );
}

export function deleteExpiredStates(executor: Executor): Promise<boolean> {
  return deleteBatch(executor, { table: 'openid_states', condition: 'expires_at < now()', values: [] });
}

export interface OwnApplication {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly firstSignedInAt: string;
  readonly lastUsedAt: string;
}

/** What has access to the data of a user, the last used first. */
export async function listApplicationsOf(executor: Executor, userSerial: string): Promise<OwnApplication[]> {
  const { rows } = await executor.query<
    Omit<OwnApplication, 'firstSignedInAt' | 'lastUsedAt'> & { firstAt: Date; lastAt: Date }
  >(
    `SELECT a.id, a.name, a.scopes, min(state.created_at) AS "firstAt",
            max(coalesce(state.used_at, state.created_at)) AS "lastAt"
     FROM openid_states AS state JOIN applications AS a ON a.id = application_id
     WHERE user_serial = $1 AND kind = 'Grant' AND expires_at > now()
     GROUP BY a.id ORDER BY "lastAt" DESC, a.id`,
    [userSerial],
  );
  return rows.map(({ firstAt, lastAt, ...row }) => ({
    ...row,
    firstSignedInAt: firstAt.toISOString(),
    lastUsedAt: lastAt.toISOString(),
  }));
}

export async function deleteBrowserSession(executor: Executor, uidHash: string): Promise<void> {
  await executor.query(`DELETE FROM openid_states WHERE kind = 'Session' AND uid_hash = $1`, [uidHash]);
}
