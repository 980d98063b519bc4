import type { JWK } from 'jose';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';

export interface SigningKey {
  readonly kid: string;
  /** Includes the private part only if it is not encrypted. */
  readonly jwk: JWK;
  /** The private part, encrypted. */
  readonly secret: EncryptedSecret | null;
  readonly isRetired: boolean;
}

interface SigningKeyRow extends Omit<SigningKey, 'secret'> {
  readonly secret: Buffer | null;
  readonly secretKeyId: string | null;
}

/** All keys whose tokens may still be in use, newest first. */
export async function listSigningKeys(
  executor: Executor,
  retiredForSecondsMax: number,
): Promise<SigningKey[]> {
  const { rows } = await executor.query<SigningKeyRow>({
    name: 'list-signing-keys',
    text: `SELECT kid, private_jwk AS jwk, secret, secret_key_id AS "secretKeyId", retired_at IS NOT NULL AS "isRetired"
           FROM signing_keys WHERE retired_at IS NULL OR retired_at > now() - make_interval(secs => $1)
           ORDER BY created_at DESC, kid`,
    values: [retiredForSecondsMax],
  });
  return rows.map(({ secret, secretKeyId, ...row }) => ({
    ...row,
    secret: secret && secretKeyId ? { bytes: secret, keyId: secretKeyId } : null,
  }));
}

export async function insertSigningKey(
  executor: Executor,
  { kid, jwk, secret }: Omit<SigningKey, 'isRetired'>,
): Promise<void> {
  await executor.query(
    'INSERT INTO signing_keys (kid, private_jwk, secret, secret_key_id) VALUES ($1, $2, $3, $4)',
    [kid, JSON.stringify(jwk), secret?.bytes ?? null, secret?.keyId ?? null],
  );
}

/** Stops all keys from signing, and deletes their private parts. */
export async function retireSigningKeys(tx: Executor): Promise<number> {
  const { rowCount } = await tx.query(
    `UPDATE signing_keys SET retired_at = now(), private_jwk = private_jwk - 'd', secret = NULL, secret_key_id = NULL
     WHERE retired_at IS NULL`,
  );
  return rowCount ?? 0;
}

/** Active keys that are not encrypted. */
export async function listUnencryptedSigningKeys(executor: Executor): Promise<{ kid: string; jwk: JWK }[]> {
  const { rows } = await executor.query<{ kid: string; jwk: JWK }>(
    `SELECT kid, private_jwk AS jwk FROM signing_keys WHERE retired_at IS NULL AND private_jwk ? 'd'`,
  );
  return rows;
}

/** Returns false if another node has done it, or the key was retired meanwhile. */
export async function encryptSigningKey(
  executor: Executor,
  kid: string,
  secret: EncryptedSecret,
): Promise<boolean> {
  const { rowCount } = await executor.query(
    `UPDATE signing_keys SET private_jwk = private_jwk - 'd', secret = $2, secret_key_id = $3
     WHERE kid = $1 AND retired_at IS NULL AND secret IS NULL`,
    [kid, secret.bytes, secret.keyId],
  );
  return rowCount === 1;
}

/** Invalidates everything they signed. */
export async function deleteSigningKeys(tx: Executor): Promise<number> {
  const { rowCount } = await tx.query('DELETE FROM signing_keys');
  return rowCount ?? 0;
}

export async function deleteRetiredSigningKeys(executor: Executor, retiredForSeconds: number): Promise<void> {
  await executor.query('DELETE FROM signing_keys WHERE retired_at < now() - make_interval(secs => $1)', [
    retiredForSeconds,
  ]);
}
