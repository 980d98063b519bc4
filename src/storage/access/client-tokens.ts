import type { Executor } from '../database.js';
import { deleteBatch, plainArray } from '../sql.js';

export interface ClientToken {
  readonly id: string;
  readonly name: string;
  readonly createdAt: string;
  readonly expiresAt: string | null;
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
}

const time = (column: string) => `to_char(${column} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

const tokenColumns = `id, name, ${time('created_at')} AS "createdAt", ${time('expires_at')} AS "expiresAt",
  ${time('revoked_at')} AS "revokedAt", ${time('last_used_at')} AS "lastUsedAt"`;

const isValid = 'revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())';

interface NewClientToken {
  readonly id: string;
  readonly clientId: string;
  readonly name: string;
  readonly tokenHash: string;
  /** Null if it works until it is revoked. */
  readonly expiresInDays: number | null;
}

export async function insertClientToken(tx: Executor, token: NewClientToken): Promise<ClientToken> {
  const { rows } = await tx.query<ClientToken>(
    `INSERT INTO client_tokens (id, client_id, name, token_hash, expires_at)
     VALUES ($1, $2, $3, $4, now() + make_interval(days => $5)) RETURNING ${tokenColumns}`,
    [token.id, token.clientId, token.name, token.tokenHash, token.expiresInDays],
  );
  return rows[0] as ClientToken;
}

/** Those that work. */
export async function countClientTokens(tx: Executor, clientId: string): Promise<number> {
  const { rows } = await tx.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM client_tokens WHERE client_id = $1 AND ${isValid}`,
    [clientId],
  );
  return rows[0]?.count ?? 0;
}

/** Newest first, also those that no longer work. */
export async function listClientTokens(
  executor: Executor,
  clientId: string,
  { beforeId, limit }: { beforeId: string | undefined; limit: number },
): Promise<ClientToken[]> {
  const { rows } = await executor.query<ClientToken>({
    name: 'list-client-tokens',
    text: `SELECT ${tokenColumns} FROM client_tokens
           WHERE client_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`,
    values: [clientId, beforeId ?? null, limit],
  });
  return rows;
}

export async function getClientToken(
  executor: Executor,
  clientId: string,
  id: string,
): Promise<ClientToken | undefined> {
  const { rows } = await executor.query<ClientToken>(
    `SELECT ${tokenColumns} FROM client_tokens WHERE client_id = $1 AND id = $2`,
    [clientId, id],
  );
  return rows[0];
}

/** Returns false if it was already revoked. */
export async function revokeClientToken(tx: Executor, id: string): Promise<boolean> {
  const { rowCount } = await tx.query(
    'UPDATE client_tokens SET revoked_at = now() WHERE id = $1 AND revoked_at IS NULL',
    [id],
  );
  return rowCount === 1;
}

export interface TokenOwner {
  readonly tokenId: string;
  readonly clientId: string;
  readonly scopes: readonly string[];
  readonly tokenGeneration: number;
  /** Null if it works until it is revoked. */
  readonly expiresAt: Date | null;
}

/** Undefined if the token doesn't work, or its client is disabled. */
export async function findTokenOwner(executor: Executor, tokenHash: string): Promise<TokenOwner | undefined> {
  const { rows } = await executor.query<TokenOwner>({
    name: 'find-token-owner',
    text: `SELECT client_tokens.id AS "tokenId", client_id AS "clientId", scopes, expires_at AS "expiresAt",
                  token_generation AS "tokenGeneration"
           FROM client_tokens JOIN clients ON clients.id = client_id
           WHERE token_hash = $1 AND ${isValid} AND disabled_at IS NULL`,
    values: [tokenHash],
  });
  return rows[0];
}

/** Those of several nodes may be written in any order. */
export async function noteTokenUse(executor: Executor, ids: readonly string[]): Promise<void> {
  await executor.query({
    name: 'note-token-use',
    text: `UPDATE client_tokens SET last_used_at = now()
           WHERE id = ANY ($1::uuid[]) AND (last_used_at IS NULL OR last_used_at < now() - interval '50 seconds')`,
    values: [plainArray(ids)],
  });
}

/** Those that have not worked for so long. Returns true if there may be more. */
export function deleteOldClientTokens(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = 'least(revoked_at, expires_at) < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'client_tokens', condition, values: [olderThanDays] });
}
