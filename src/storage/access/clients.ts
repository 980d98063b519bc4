import type { Executor } from '../database.js';
import { textArray } from '../sql.js';

export interface Client {
  readonly id: string;
  readonly scopes: readonly string[];
  /** The hashes of the secrets that currently work. */
  readonly secretHashes: readonly string[];
  readonly isDisabled: boolean;
  /** Tokens of another generation are invalid. */
  readonly tokenGeneration: number;
  /** Whether single tokens of the client were revoked, so that each token has to be looked up. */
  readonly hasRevokedTokens: boolean;
}

const liveSecret = '(expires_at IS NULL OR expires_at > now())';

export async function getClient(executor: Executor, id: string): Promise<Client | undefined> {
  const { rows } = await executor.query<Client>({
    name: 'get-client',
    text: `SELECT id, scopes, disabled_at IS NOT NULL AS "isDisabled",
                  ARRAY(SELECT secret_hash FROM client_secrets WHERE client_id = id AND ${liveSecret}) AS "secretHashes",
                  token_generation AS "tokenGeneration",
                  EXISTS (SELECT FROM revoked_tokens WHERE client_id = id) AS "hasRevokedTokens"
           FROM clients WHERE id = $1`,
    values: [id],
  });
  return rows[0];
}

export interface ClientDetails {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly isActive: boolean;
  readonly ignoresUnknownFields: boolean;
  readonly createdAt: string;
  /** To the minute. */
  readonly lastUsedAt: string | null;
  readonly secrets: readonly { readonly createdAt: string; readonly expiresAt: string | null }[];
}

interface DetailsRow extends Omit<ClientDetails, 'createdAt' | 'lastUsedAt'> {
  readonly createdAt: Date;
  readonly lastUsedAt: Date | null;
}

const details = `SELECT id, name, scopes, disabled_at IS NULL AS "isActive",
    ignores_unknown_fields AS "ignoresUnknownFields", created_at AS "createdAt", last_used_at AS "lastUsedAt",
    ARRAY(SELECT json_build_object(
            'createdAt', to_char(client_secrets.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
            'expiresAt', to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          FROM client_secrets WHERE client_id = id AND ${liveSecret}
          ORDER BY client_secrets.created_at DESC) AS secrets
  FROM clients`;

function clientDetails(row: DetailsRow): ClientDetails {
  return {
    ...row,
    createdAt: row.createdAt.toISOString(),
    lastUsedAt: row.lastUsedAt?.toISOString() ?? null,
  };
}

/** In the order of their IDs. */
export async function listClients(
  executor: Executor,
  page: { afterId: string | undefined; limit: number },
): Promise<ClientDetails[]> {
  const { rows } = await executor.query<DetailsRow>({
    name: 'list-clients',
    text: `${details} WHERE id > $1 ORDER BY id LIMIT $2`,
    values: [page.afterId ?? '', page.limit],
  });
  return rows.map(clientDetails);
}

export async function getClientDetails(executor: Executor, id: string): Promise<ClientDetails | undefined> {
  const { rows } = await executor.query<DetailsRow>({
    name: 'get-client-details',
    text: `${details} WHERE id = $1`,
    values: [id],
  });
  return rows[0] && clientDetails(rows[0]);
}

/** Those of several nodes may be written in any order. A client that is being changed is not waited for. */
export async function noteClientUse(executor: Executor, ids: readonly string[]): Promise<void> {
  await executor.query({
    name: 'note-client-use',
    text: `UPDATE clients SET last_used_at = now() WHERE id IN (
             SELECT id FROM clients
             WHERE id = ANY ($1::text[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '50 seconds')
             FOR NO KEY UPDATE SKIP LOCKED)`,
    values: [textArray(ids)],
  });
}

/** Whether its bulk calls may contain unknown fields. */
export async function ignoresUnknownFields(executor: Executor, id: string): Promise<boolean> {
  const { rows } = await executor.query<{ ignores: boolean }>({
    name: 'ignores-unknown-fields',
    text: 'SELECT ignores_unknown_fields AS ignores FROM clients WHERE id = $1',
    values: [id],
  });
  return rows[0]?.ignores === true;
}

/** Serializes changes to the client. */
export async function lockClient(tx: Executor, id: string): Promise<ClientDetails | undefined> {
  await tx.query('SELECT FROM clients WHERE id = $1 FOR UPDATE', [id]);
  return getClientDetails(tx, id);
}

interface NewClient {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly secretHash: string;
  readonly ignoresUnknownFields?: boolean;
}

export async function insertClient(tx: Executor, client: NewClient): Promise<void> {
  await tx.query('INSERT INTO clients (id, name, scopes, ignores_unknown_fields) VALUES ($1, $2, $3, $4)', [
    client.id,
    client.name,
    textArray(client.scopes),
    client.ignoresUnknownFields ?? false,
  ]);
  await insertSecret(tx, client.id, client.secretHash);
}

export async function updateClient(
  tx: Executor,
  client: {
    id: string;
    name: string;
    scopes: readonly string[];
    isActive: boolean;
    ignoresUnknownFields: boolean;
  },
): Promise<void> {
  await tx.query(
    `UPDATE clients SET name = $2, scopes = $3, disabled_at = CASE WHEN $4 THEN NULL ELSE coalesce(disabled_at, now()) END,
       ignores_unknown_fields = $5
     WHERE id = $1`,
    [client.id, client.name, textArray(client.scopes), client.isActive, client.ignoresUnknownFields],
  );
}

/** Invalidates every token issued so far. Calls that were planned with one of them wait until someone takes them over. */
export async function endTokens(tx: Executor, clientId: string): Promise<void> {
  await tx.query('UPDATE clients SET token_generation = token_generation + 1 WHERE id = $1', [clientId]);
  await tx.query(
    `UPDATE planned_calls SET needs_takeover = true
     WHERE author_kind = 'client' AND author_id = $1 AND NOT needs_takeover
       AND NOT EXISTS (SELECT FROM calls WHERE id = call_id AND state NOT IN ('planned', 'awaitingApproval', 'interrupted'))`,
    [clientId],
  );
}

/**
 * The new secret works together with the newest existing one, which expires after the overlap. Older ones expire
 * immediately.
 */
export async function rotateSecret(
  tx: Executor,
  rotation: { clientId: string; secretHash: string; overlapSeconds: number },
): Promise<void> {
  await tx.query(
    `DELETE FROM client_secrets WHERE client_id = $1 AND secret_hash <> (
       SELECT secret_hash FROM client_secrets WHERE client_id = $1 AND ${liveSecret} ORDER BY created_at DESC LIMIT 1)`,
    [rotation.clientId],
  );
  await tx.query(
    `UPDATE client_secrets SET expires_at = least(expires_at, now() + make_interval(secs => $2)) WHERE client_id = $1`,
    [rotation.clientId, rotation.overlapSeconds],
  );
  await insertSecret(tx, rotation.clientId, rotation.secretHash);
}

/**
 * Creates the client, or sets the only secret of an existing one. Never enables a disabled client. If another secret
 * worked until now, the tokens issued for it are invalidated.
 */
export async function ensureClient(tx: Executor, client: NewClient): Promise<void> {
  await tx.query(
    'INSERT INTO clients (id, name, scopes) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET id = excluded.id',
    [client.id, client.name, textArray(client.scopes)],
  );
  const { rowCount: others } = await tx.query(
    'DELETE FROM client_secrets WHERE client_id = $1 AND secret_hash <> $2',
    [client.id, client.secretHash],
  );
  if (others) await endTokens(tx, client.id);
  await tx.query(
    `INSERT INTO client_secrets (client_id, secret_hash) VALUES ($1, $2)
     ON CONFLICT (client_id, secret_hash) DO UPDATE SET expires_at = NULL`,
    [client.id, client.secretHash],
  );
}

async function insertSecret(tx: Executor, clientId: string, secretHash: string): Promise<void> {
  await tx.query(
    'INSERT INTO client_secrets (client_id, secret_hash, created_at) VALUES ($1, $2, clock_timestamp())',
    [clientId, secretHash],
  );
}

interface RevokedToken {
  readonly clientId: string;
  readonly tokenId: string;
  readonly expiresAtMs: number;
}

/** Returns false if it was already revoked. */
export async function insertRevokedToken(tx: Executor, token: RevokedToken): Promise<boolean> {
  const { rowCount } = await tx.query(
    `INSERT INTO revoked_tokens (client_id, token_id, expires_at) VALUES ($1, $2, to_timestamp($3::float8 / 1000))
     ON CONFLICT DO NOTHING`,
    [token.clientId, token.tokenId, token.expiresAtMs],
  );
  return rowCount === 1;
}

export async function isTokenRevoked(
  executor: Executor,
  { clientId, tokenId }: Omit<RevokedToken, 'expiresAtMs'>,
): Promise<boolean> {
  const { rowCount } = await executor.query({
    name: 'is-token-revoked',
    text: 'SELECT FROM revoked_tokens WHERE client_id = $1 AND token_id = $2',
    values: [clientId, tokenId],
  });
  return rowCount === 1;
}

/** Kept longer than the token, because the clock of a node may be behind that of the database. */
const clockSkewSeconds = 3_600;

export async function deleteExpiredRevokedTokens(executor: Executor): Promise<void> {
  await executor.query('DELETE FROM revoked_tokens WHERE expires_at < now() - make_interval(secs => $1)', [
    clockSkewSeconds,
  ]);
}
