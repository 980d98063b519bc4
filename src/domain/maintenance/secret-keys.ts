import {
  countSecrets,
  deleteSigningKeysEncryptedWith,
  discardSecrets,
  listSecretKeys,
  listSecretsOfOtherKeys,
  recordSecretKeys,
  replaceSecret,
  type SecretCount,
  type SecretKind,
  secretKinds,
} from '../../storage/access/encrypted-secrets.js';
import { retireUnencryptedSigningKeys } from '../../storage/access/signing-keys.js';
import { type Database, transaction } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { recordAccess } from '../audit/access-event.js';
import type { SecretCipher, SecretContext } from '../secrets/secret-cipher.js';
import { isIrreplaceable, missingKeySentence, secretState } from '../secrets/secret-state.js';

/**
 * A service that lacks a configured key must not start as if nothing were lost. Secrets that another node encrypted
 * with its own generated key do not count: without a configured key, each node handles its own part. Returns warnings.
 */
export async function checkSecretKeys({ database, cipher }: SecretContext): Promise<string[]> {
  const { unreadable } = secretState(await countSecrets(database.pool), cipher);
  const keyIds = [...new Set(unreadable.map(({ keyId }) => keyId))];
  const set = keyIds.length > 0 ? await listSecretKeys(database.pool) : [];
  const lost = new Set(unreadable.filter(isIrreplaceable).map(({ keyId }) => keyId));
  const isNeeded = (keyId: string) =>
    set.includes(keyId) || (database.kind === 'embedded' && lost.has(keyId));
  const needed = keyIds.find(isNeeded);
  if (needed !== undefined) throw new StartupError(missingKeySentence(needed, unreadable));
  await recordSecretKeys(database.pool, cipher.configuredKeyIds);
  return [...lost].map((keyId) => missingKeySentence(keyId, unreadable));
}

export interface Rewrapped {
  /** How many were encrypted again. */
  readonly rewrapped: Readonly<Record<SecretKind, number>>;
  /** Secrets that could not be decrypted, by key. They are left unchanged. */
  readonly unreadable: readonly SecretCount[];
}

export function noSecrets(): Record<SecretKind, number> {
  return Object.fromEntries(secretKinds.map((kind) => [kind, 0])) as Record<SecretKind, number>;
}

const batchRows = 500;

/**
 * Encrypts everything with the current key. Each secret is replaced by its own statement, so it stays readable if this
 * is interrupted; running it again completes the work.
 */
export async function rewrapSecrets(database: Database, cipher: SecretCipher): Promise<Rewrapped> {
  const { pool } = database;
  await recordSecretKeys(pool, cipher.configuredKeyIds);
  await retireUnencryptedSigningKeys(pool);
  const rewrapped = noSecrets();
  for (const kind of secretKinds) rewrapped[kind] += await rewrapKind(database, cipher, kind);
  const unreadable = secretState(await countSecrets(pool), cipher).unreadable.filter(isIrreplaceable);
  if (Object.values(rewrapped).some((count) => count > 0)) {
    await recordAccess(pool, 'keys.rewrapped', {}, { detail: { keyId: cipher.keyId, ...rewrapped } });
  }
  return { rewrapped, unreadable };
}

async function rewrapKind({ pool }: Database, cipher: SecretCipher, kind: SecretKind): Promise<number> {
  let done = 0;
  for (let afterId: string | undefined; ; ) {
    const batch = await listSecretsOfOtherKeys(pool, kind, {
      keyId: cipher.keyId,
      afterId,
      limit: batchRows,
    });
    for (const { id, bytes, keyId, purpose } of batch) {
      if (!cipher.canDecrypt(keyId)) continue;
      const encrypted = cipher.encrypt(cipher.decrypt(bytes, purpose), purpose);
      if (await replaceSecret(pool, kind, { id, ...encrypted, was: bytes })) done++;
    }
    if (batch.length < batchRows) return done;
    afterId = batch.at(-1)?.id;
  }
}

/**
 * Discards what a lost key encrypts. Signing keys are deleted, which ends their tokens; webhooks without a secret are
 * disabled; users get a generated password instead of the given one.
 */
export async function discardLostKey(
  database: Database,
  cipher: SecretCipher | undefined,
  keyId: string,
): Promise<void> {
  if (cipher?.canDecrypt(keyId)) {
    throw new StartupError(
      `The secret key ${keyId} is set, so nothing needs to be given up. Run it without --discard.`,
    );
  }
  await transaction(database, async (tx) => {
    await discardSecrets(tx, keyId);
    await deleteSigningKeysEncryptedWith(tx, keyId);
    await recordAccess(tx, 'keys.rewrapped', {}, { detail: { discarded: keyId } });
  });
}
