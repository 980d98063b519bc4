import {
  countSecrets,
  deleteSigningKeysSealedWith,
  discardSecrets,
  listSecretsOfOtherKeys,
  rememberSecretKeys,
  replaceSecret,
  type SecretCount,
  type SecretKind,
  secretKinds,
} from '../../storage/access/sealed-secrets.js';
import { type Database, transaction } from '../../storage/database.js';
import { StartRefused } from '../../storage/errors.js';
import { createSigningKey, sealSigningKeys } from '../access/signing-keys.js';
import { recordAccess } from '../audit/access-event.js';
import { secretState } from '../secrets/secret-state.js';
import type { Vault } from '../secrets/vault.js';

export interface Rewrapped {
  /** How many were encrypted again, or for the first time. */
  readonly rewrapped: Readonly<Record<SecretKind, number>>;
  /** Secrets that could not be decrypted, by key. They are left unchanged. */
  readonly unreadable: readonly SecretCount[];
}

const batchRows = 500;

/**
 * Encrypts everything with the current key. Each secret is replaced by its own statement, so it stays readable if this
 * is interrupted; running it again completes the work.
 */
export async function rewrapSecrets(database: Database, vault: Vault): Promise<Rewrapped> {
  const { pool } = database;
  await rememberSecretKeys(pool, vault.configuredKeyIds);
  const rewrapped = { signingKeys: await sealSigningKeys(pool, vault), webhookSecrets: 0, passwords: 0 };
  for (const kind of secretKinds) rewrapped[kind] += await rewrapKind(database, vault, kind);
  const { unreadable } = secretState(await countSecrets(pool), vault);
  if (Object.values(rewrapped).some((count) => count > 0)) {
    await recordAccess(pool, 'keys.rewrapped', {}, { detail: { keyId: vault.keyId, ...rewrapped } });
  }
  return { rewrapped, unreadable };
}

async function rewrapKind({ pool }: Database, vault: Vault, kind: SecretKind): Promise<number> {
  let done = 0;
  for (let afterId: string | undefined; ; ) {
    const batch = await listSecretsOfOtherKeys(pool, kind, { keyId: vault.keyId, afterId, limit: batchRows });
    for (const { id, bytes, keyId, purpose } of batch) {
      if (!vault.canOpen(keyId)) continue;
      const sealed = vault.seal(vault.open(bytes, purpose), purpose);
      if (await replaceSecret(pool, kind, { id, ...sealed, was: bytes })) done++;
    }
    if (batch.length < batchRows) return done;
    afterId = batch.at(-1)?.id;
  }
}

/**
 * Discards what a lost key encrypts. Signing keys are replaced, which ends all tokens; webhooks without a secret are
 * disabled; users get a generated password instead of the given one.
 */
export async function discardLostKey(
  database: Database,
  vault: Vault | undefined,
  keyId: string,
): Promise<void> {
  if (vault?.canOpen(keyId)) {
    throw new StartRefused(
      `The secret key ${keyId} is set, so nothing needs to be given up. Run it without --discard.`,
    );
  }
  await transaction(database, async (tx) => {
    await discardSecrets(tx, keyId);
    if ((await deleteSigningKeysSealedWith(tx, keyId)) > 0) await createSigningKey(tx, vault);
    await recordAccess(tx, 'keys.rewrapped', {}, { detail: { discarded: keyId } });
  });
}
