import type { ApplicationScope } from '../../contract/enums.js';
import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

export interface ApplicationSettings {
  readonly name: string;
  readonly redirectUris: readonly string[];
  readonly postLogoutUris: readonly string[];
  readonly scopes: readonly ApplicationScope[];
  /** Keys of the attributes that the scope employee includes. */
  readonly attributes: readonly string[];
  /** Empty: any. */
  readonly organizationSerials: readonly string[];
  /** Empty: any. */
  readonly tagSerials: readonly string[];
  readonly accessTokenSeconds: number;
  readonly refreshTokenDays: number;
}

export interface Application extends ApplicationSettings {
  readonly id: string;
  /** Runs in a browser or on a device, so it has no secret. */
  readonly isPublic: boolean;
  readonly isActive: boolean;
  /** The users who have signed in, and whose access hasn't ended. */
  readonly users: number;
  readonly createdAt: string;
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt: string | null }[];
}

const liveSecret = '(expires_at IS NULL OR expires_at > now())';
const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const columns = `id, name, redirect_uris AS "redirectUris", post_logout_uris AS "postLogoutUris", scopes,
  attribute_keys AS attributes, organization_serials AS "organizationSerials", tag_serials AS "tagSerials",
  access_token_seconds AS "accessTokenSeconds", refresh_token_days AS "refreshTokenDays", is_public AS "isPublic",
  disabled_at IS NULL AS "isActive", ${time('created_at')} AS "createdAt"`;

const details = `SELECT ${columns},
    (SELECT count(DISTINCT user_serial)::integer FROM openid_states
     WHERE application_id = applications.id AND kind = 'Grant' AND expires_at > now()) AS users,
    ARRAY(SELECT json_build_object('createdAt', ${time('s.created_at')}, 'expiresAt', ${time('s.expires_at')})
          FROM application_secrets AS s WHERE s.application_id = applications.id AND ${liveSecret}
          ORDER BY s.created_at DESC) AS secrets
  FROM applications`;

/** In order of creation. */
export async function listApplications(
  executor: Executor,
  { afterId, limit }: { readonly afterId: string | undefined; readonly limit: number },
): Promise<Application[]> {
  const { rows } = await executor.query<Application>(
    `${details} WHERE $1::uuid IS NULL OR id > $1 ORDER BY id LIMIT $2`,
    [afterId ?? null, limit],
  );
  return rows;
}

export async function getApplication(executor: Executor, id: string): Promise<Application | undefined> {
  const { rows } = await executor.query<Application>(`${details} WHERE id = $1`, [id]);
  return rows[0];
}

/** Serializes changes to the application. */
export async function lockApplication(tx: Executor, id: string): Promise<Application | undefined> {
  await tx.query('SELECT FROM applications WHERE id = $1 FOR UPDATE', [id]);
  return getApplication(tx, id);
}

/** What is needed to recognize an application. */
export interface ApplicationClient extends Omit<Application, 'users' | 'createdAt' | 'secrets'> {
  readonly secretHashes: readonly string[];
}

export async function getApplicationClient(
  executor: Executor,
  id: string,
): Promise<ApplicationClient | undefined> {
  const { rows } = await executor.query<ApplicationClient>({
    name: 'get-application-client',
    text: `SELECT ${columns},
             ARRAY(SELECT secret_hash FROM application_secrets AS s
                   WHERE s.application_id = applications.id AND ${liveSecret} ORDER BY 1) AS "secretHashes"
           FROM applications WHERE id = $1 AND disabled_at IS NULL`,
    values: [id],
  });
  return rows[0];
}

/** Violates the index applications__name if another application has the name. */
export async function insertApplication(
  tx: Executor,
  application: ApplicationSettings & Pick<Application, 'id' | 'isPublic'>,
): Promise<void> {
  await tx.query(
    `INSERT INTO applications (id, is_public, name, redirect_uris, post_logout_uris, scopes, attribute_keys,
       organization_serials, tag_serials, access_token_seconds, refresh_token_days)
     VALUES ($1, $2, $3, $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[], $10, $11)`,
    [application.id, application.isPublic, ...settingsOf(application)],
  );
}

/** Violates the index applications__name if another application has the name. */
export async function updateApplication(
  tx: Executor,
  application: ApplicationSettings & Pick<Application, 'id' | 'isActive'>,
): Promise<void> {
  await tx.query(
    `UPDATE applications SET disabled_at = CASE WHEN $2 THEN NULL ELSE coalesce(disabled_at, now()) END, name = $3,
       redirect_uris = $4::text[], post_logout_uris = $5::text[], scopes = $6::text[], attribute_keys = $7::text[],
       organization_serials = $8::text[], tag_serials = $9::text[], access_token_seconds = $10, refresh_token_days = $11
     WHERE id = $1`,
    [application.id, application.isActive, ...settingsOf(application)],
  );
}

function settingsOf(settings: ApplicationSettings): unknown[] {
  return [
    settings.name,
    textArray(settings.redirectUris),
    textArray(settings.postLogoutUris),
    textArray(settings.scopes),
    textArray(settings.attributes),
    textArray(settings.organizationSerials),
    textArray(settings.tagSerials),
    settings.accessTokenSeconds,
    settings.refreshTokenDays,
  ];
}

export async function deleteApplication(tx: Executor, id: string): Promise<void> {
  await tx.query('DELETE FROM applications WHERE id = $1', [id]);
}

/** The new secret works together with the newest existing one, which expires after the overlap. */
export async function addApplicationSecret(
  tx: Executor,
  {
    applicationId,
    secretHash,
    overlapSeconds,
  }: { readonly applicationId: string; readonly secretHash: string; readonly overlapSeconds: number },
): Promise<void> {
  await tx.query(
    `DELETE FROM application_secrets WHERE application_id = $1 AND secret_hash <> (
       SELECT secret_hash FROM application_secrets WHERE application_id = $1 AND ${liveSecret}
       ORDER BY created_at DESC LIMIT 1)`,
    [applicationId],
  );
  await tx.query(
    `UPDATE application_secrets SET expires_at = least(expires_at, now() + make_interval(secs => $2))
     WHERE application_id = $1`,
    [applicationId, overlapSeconds],
  );
  await tx.query('INSERT INTO application_secrets (application_id, secret_hash) VALUES ($1, $2)', [
    applicationId,
    secretHash,
  ]);
}

export async function deleteExpiredApplicationSecrets(executor: Executor): Promise<void> {
  await executor.query(`DELETE FROM application_secrets WHERE NOT ${liveSecret}`);
}
