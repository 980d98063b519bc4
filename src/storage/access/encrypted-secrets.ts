import type { Executor } from '../database.js';
import type { EncryptedSecret } from '../encrypted-secret.js';
import { textArray } from '../sql.js';

/**
 * Where encrypted secrets are stored. The purpose of each row, which its encryption is bound to, is this prefix and the
 * row's ID.
 */
const places = {
  signingKeys: {
    table: 'signing_keys',
    id: 'kid',
    type: 'text',
    purpose: 'signing key ',
    live: `retired_at IS NULL AND (secret IS NOT NULL OR private_jwk ? 'd')`,
  },
  webhookSecrets: {
    table: 'webhook_secrets',
    id: 'id',
    type: 'uuid',
    purpose: '',
    live: '(expires_at IS NULL OR expires_at > now())',
  },
  scimTokens: {
    table: 'scim_targets',
    id: 'id',
    type: 'uuid',
    purpose: 'scim target ',
    live: 'secret IS NOT NULL',
  },
  totpSecrets: {
    table: 'factors',
    id: 'id',
    type: 'uuid',
    purpose: 'factor ',
    live: 'secret IS NOT NULL',
  },
  feedSecrets: { table: 'feeds', id: 'key', type: 'text', purpose: 'feed ', live: 'secret IS NOT NULL' },
  passwords: { table: 'deliveries', id: 'id', type: 'uuid', purpose: '', live: 'secret IS NOT NULL' },
  plannedPasswords: {
    table: 'planned_items',
    id: 'id',
    type: 'uuid',
    purpose: 'planned item ',
    live: 'secret IS NOT NULL',
  },
  openIdKeys: {
    table: 'openid_keys',
    id: 'kid',
    type: 'text',
    purpose: 'openid key ',
    live: 'retired_at IS NULL',
  },
  chatUrls: { table: 'notices', id: 'id', type: 'uuid', purpose: 'notice ', live: 'secret IS NOT NULL' },
} as const;

export type SecretKind = keyof typeof places;
export const secretKinds = Object.keys(places) as SecretKind[];

export interface SecretCount {
  readonly kind: SecretKind;
  /** The ID of the encryption key; null if the secret is not encrypted. */
  readonly keyId: string | null;
  readonly count: number;
}

/** How many secrets each key encrypts. */
export async function countSecrets(executor: Executor): Promise<SecretCount[]> {
  const counts = secretKinds.map((kind) => {
    const { table, live } = places[kind];
    return `SELECT '${kind}' AS kind, secret_key_id AS "keyId", count(*)::integer AS count FROM ${table} WHERE ${live}
            GROUP BY secret_key_id`;
  });
  const { rows } = await executor.query<SecretCount>(`${counts.join(' UNION ALL ')} ORDER BY 1, 2`);
  return rows;
}

export interface StoredSecret extends EncryptedSecret {
  readonly id: string;
  readonly purpose: string;
}

/** Secrets that other keys encrypt, in the order of their IDs. */
export async function listSecretsOfOtherKeys(
  executor: Executor,
  kind: SecretKind,
  { keyId, afterId, limit }: { keyId: string; afterId: string | undefined; limit: number },
): Promise<StoredSecret[]> {
  const { table, id, type, purpose } = places[kind];
  const { rows } = await executor.query<Omit<StoredSecret, 'purpose'>>(
    `SELECT ${id} AS id, secret AS bytes, secret_key_id AS "keyId" FROM ${table}
     WHERE secret IS NOT NULL AND secret_key_id <> $1 AND ($2::${type} IS NULL OR ${id} > $2) ORDER BY ${id} LIMIT $3`,
    [keyId, afterId ?? null, limit],
  );
  return rows.map((row) => ({ ...row, purpose: `${purpose}${row.id}` }));
}

/** Returns false if the secret has changed since it was read: sent, rotated, or replaced by another process. */
export async function replaceSecret(
  executor: Executor,
  kind: SecretKind,
  { id, bytes, keyId, was }: { id: string; bytes: Buffer; keyId: string; was: Buffer },
): Promise<boolean> {
  const { table, id: column } = places[kind];
  const { rowCount } = await executor.query(
    `UPDATE ${table} SET secret = $2, secret_key_id = $3 WHERE ${column} = $1 AND secret = $4`,
    [id, bytes, keyId, was],
  );
  return rowCount === 1;
}

/** Records keys that an operator has set. */
export async function recordSecretKeys(executor: Executor, keyIds: readonly string[]): Promise<void> {
  await executor.query('INSERT INTO secret_keys (id) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING', [
    textArray(keyIds),
  ]);
}

export async function listSecretKeys(executor: Executor): Promise<string[]> {
  const { rows } = await executor.query<{ id: string }>('SELECT id FROM secret_keys');
  return rows.map(({ id }) => id);
}

/** For webhooks without a remaining secret: nothing is sent unsigned. */
const secretLost = 'The key of its secret was lost. Rotate the secret, then enable it.';

/** Discards what a lost key encrypts, except signing keys. */
export async function discardSecrets(tx: Executor, keyId: string): Promise<void> {
  await tx.query('DELETE FROM webhook_secrets WHERE secret_key_id = $1', [keyId]);
  await tx.query(
    `UPDATE webhooks SET disabled_at = now(), disabled_cause = 'secretLost', disabled_because = $1
     WHERE disabled_at IS NULL AND NOT EXISTS (SELECT FROM webhook_secrets s WHERE s.webhook_id = webhooks.id)`,
    [secretLost],
  );
  await tx.query(
    `UPDATE scim_targets SET secret = NULL, secret_key_id = NULL, paused_at = coalesce(paused_at, now()),
       paused_because = 'secretLost' WHERE secret_key_id = $1`,
    [keyId],
  );
  // A run that needs one says that it is missing.
  await tx.query('UPDATE feeds SET secret = NULL, secret_key_id = NULL WHERE secret_key_id = $1', [keyId]);
  // The factor stays, so that its user is still asked for one: a recovery code, a passkey or a reset helps.
  await tx.query('UPDATE factors SET secret = NULL, secret_key_id = NULL WHERE secret_key_id = $1', [keyId]);
  // A delivery without a given password sends a generated one.
  await tx.query('UPDATE deliveries SET secret = NULL, secret_key_id = NULL WHERE secret_key_id = $1', [
    keyId,
  ]);
  // The same goes for users who have not been created yet.
  await tx.query('UPDATE planned_items SET secret = NULL, secret_key_id = NULL WHERE secret_key_id = $1', [
    keyId,
  ]);
  await tx.query('DELETE FROM notices WHERE secret_key_id = $1', [keyId]);
  // The provider creates another one.
  await tx.query('DELETE FROM openid_keys WHERE secret_key_id = $1', [keyId]);
}

export async function deleteSigningKeysEncryptedWith(tx: Executor, keyId: string): Promise<void> {
  await tx.query('DELETE FROM signing_keys WHERE secret_key_id = $1', [keyId]);
}
