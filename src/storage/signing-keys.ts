import type { JWK } from 'jose';
import type { Executor } from './database.js';

export interface SigningKey {
  readonly kid: string;
  readonly privateJwk: JWK;
  readonly isRetired: boolean;
}

/** All keys whose tokens may still be in use, the newest first. */
export async function listSigningKeys(
  executor: Executor,
  retiredForSecondsMax: number,
): Promise<SigningKey[]> {
  const { rows } = await executor.query<SigningKey>({
    name: 'list-signing-keys',
    text: `SELECT kid, private_jwk AS "privateJwk", retired_at IS NOT NULL AS "isRetired"
           FROM signing_keys WHERE retired_at IS NULL OR retired_at > now() - make_interval(secs => $1)
           ORDER BY created_at DESC, kid`,
    values: [retiredForSecondsMax],
  });
  return rows;
}

export async function insertSigningKey(executor: Executor, kid: string, privateJwk: JWK): Promise<void> {
  await executor.query('INSERT INTO signing_keys (kid, private_jwk) VALUES ($1, $2)', [
    kid,
    JSON.stringify(privateJwk),
  ]);
}

/** They sign nothing new from now on. */
export async function retireSigningKeys(tx: Executor): Promise<number> {
  const { rowCount } = await tx.query('UPDATE signing_keys SET retired_at = now() WHERE retired_at IS NULL');
  return rowCount ?? 0;
}

/** Whatever they signed is worth nothing any more. */
export async function deleteSigningKeys(tx: Executor): Promise<number> {
  const { rowCount } = await tx.query('DELETE FROM signing_keys');
  return rowCount ?? 0;
}

export async function deleteRetiredSigningKeys(executor: Executor, retiredForSeconds: number): Promise<void> {
  await executor.query('DELETE FROM signing_keys WHERE retired_at < now() - make_interval(secs => $1)', [
    retiredForSeconds,
  ]);
}
