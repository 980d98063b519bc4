import type { JWK } from 'jose';
import type { Executor } from './database.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly isRetired: boolean;
}

/** All keys whose tokens may still be in use, the newest first. */
export async function listSigningKeys(executor: Executor): Promise<SigningKey[]> {
  const { rows } = await executor.query<SigningKey>(
    `SELECT kid, private_jwk AS "privateJwk", retired_at IS NOT NULL AS "isRetired"
     FROM signing_keys ORDER BY created_at DESC, kid`,
  );
  return rows;
}

export async function insertSigningKey(executor: Executor, kid: string, privateJwk: JWK): Promise<void> {
  await executor.query('INSERT INTO signing_keys (kid, private_jwk) VALUES ($1, $2)', [
    kid,
    JSON.stringify(privateJwk),
  ]);
}
