import type { JWK } from 'jose';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { textArray } from '../sql.js';

export interface SigningKey {
  readonly kid: string;
  /** Includes the private part only if an earlier version stored it. */
  readonly jwk: JWK;
  /** The private part, encrypted. Null for a retired key, and for one that was restored from a backup. */
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

/** Until the transaction ends, no one else creates or retires a key. */
export async function lockSigningKeys(tx: Executor): Promise<void> {
  await tx.query('LOCK TABLE signing_keys IN SHARE ROW EXCLUSIVE MODE');
}

export async function insertSigningKey(
  executor: Executor,
  { kid, jwk, secret }: { readonly kid: string; readonly jwk: JWK; readonly secret: EncryptedSecret },
): Promise<void> {
  await executor.query(
    'INSERT INTO signing_keys (kid, private_jwk, secret, secret_key_id) VALUES ($1, $2, $3, $4)',
    [kid, JSON.stringify(jwk), secret.bytes, secret.keyId],
  );
}

/** A retired key signs nothing, so its private part is deleted. */
const retire = `UPDATE signing_keys
  SET retired_at = now(), private_jwk = private_jwk - 'd', secret = NULL, secret_key_id = NULL WHERE retired_at IS NULL`;

export async function retireSigningKeys(tx: Executor): Promise<number> {
  return (await tx.query(retire)).rowCount ?? 0;
}

export async function retireUnencryptedSigningKeys(executor: Executor): Promise<void> {
  await executor.query(`${retire} AND private_jwk ? 'd'`);
}

/** Notes that a node signs with the newest key that one of its secret keys encrypts. */
export async function touchSigningKey(executor: Executor, secretKeyIds: readonly string[]): Promise<void> {
  await executor.query(
    `UPDATE signing_keys SET used_at = now()
     WHERE kid = (SELECT kid FROM signing_keys WHERE retired_at IS NULL AND secret_key_id = ANY ($1::text[])
                  ORDER BY created_at DESC, kid LIMIT 1)`,
    [textArray(secretKeyIds)],
  );
}

export async function retireUnusedSigningKeys(executor: Executor, unusedForSeconds: number): Promise<void> {
  await executor.query(`${retire} AND used_at < now() - make_interval(secs => $1)`, [unusedForSeconds]);
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
