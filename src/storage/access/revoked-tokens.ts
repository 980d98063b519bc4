import type { Executor } from '../database.js';

export interface RevokedToken {
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
