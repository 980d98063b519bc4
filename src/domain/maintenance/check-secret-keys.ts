import { countSecrets, listSecretKeys, recordSecretKeys } from '../../storage/access/encrypted-secrets.js';
import { StartupError } from '../../storage/errors.js';
import type { Context } from '../context.js';
import { isIrreplaceable, missingKeySentence, secretState } from '../secrets/secret-state.js';

/**
 * A service that lacks a configured key must not start as if nothing were lost. Secrets that another node encrypted
 * with its own generated key do not count: without a configured key, each node handles its own part. Returns warnings.
 */
export async function checkSecretKeys({
  database,
  cipher,
}: Pick<Context, 'database' | 'cipher'>): Promise<string[]> {
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
