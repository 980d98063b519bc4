import type { JWK } from 'jose';
import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { textArray } from '../sql.js';

export interface OpenIdKey {
  readonly kid: string;
  readonly publicJwk: JWK;
  readonly secret: EncryptedSecret;
  readonly ageSeconds: number;
  readonly isRetired: boolean;
}

/** Newest first. */
export async function listOpenIdKeys(executor: Executor): Promise<OpenIdKey[]> {
  const { rows } = await executor.query<
    Omit<OpenIdKey, 'secret'> & { readonly bytes: Buffer; readonly keyId: string }
  >({
    name: 'list-openid-keys',
    text: `SELECT kid, public_jwk AS "publicJwk", secret AS bytes, secret_key_id AS "keyId",
             extract(epoch FROM now() - created_at)::float8 AS "ageSeconds", retired_at IS NOT NULL AS "isRetired"
           FROM openid_keys ORDER BY created_at DESC, kid`,
  });
  return rows.map(({ bytes, keyId, ...row }) => ({ ...row, secret: { bytes, keyId } }));
}

/** Until the transaction ends, no one else creates or retires a key. */
export async function lockOpenIdKeys(tx: Executor): Promise<void> {
  await tx.query('LOCK TABLE openid_keys IN SHARE ROW EXCLUSIVE MODE');
}

export async function insertOpenIdKey(
  tx: Executor,
  { kid, publicJwk, secret }: Pick<OpenIdKey, 'kid' | 'publicJwk' | 'secret'>,
): Promise<void> {
  await tx.query('INSERT INTO openid_keys (kid, public_jwk, secret, secret_key_id) VALUES ($1, $2, $3, $4)', [
    kid,
    JSON.stringify(publicJwk),
    secret.bytes,
    secret.keyId,
  ]);
}

/** Those that these secret keys encrypt; all of them if none are given. */
export async function retireOpenIdKeys(tx: Executor, secretKeyIds?: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE openid_keys SET retired_at = now()
     WHERE retired_at IS NULL AND ($1::text[] IS NULL OR secret_key_id = ANY ($1::text[]))`,
    [secretKeyIds === undefined ? null : textArray(secretKeyIds)],
  );
}

export async function deleteOpenIdKeys(tx: Executor): Promise<void> {
  await tx.query('DELETE FROM openid_keys');
}

export async function deleteRetiredOpenIdKeys(executor: Executor, retiredForSeconds: number): Promise<void> {
  await executor.query('DELETE FROM openid_keys WHERE retired_at < now() - make_interval(secs => $1)', [
    retiredForSeconds,
  ]);
}
