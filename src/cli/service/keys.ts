import { rotateSigningKeys } from '../../domain/access/signing-keys.js';
import {
  discardLostKey,
  noSecrets,
  type Rewrapped,
  rewrapSecrets,
} from '../../domain/maintenance/secret-keys.js';
import { existingSecretCipher } from '../../domain/secrets/open-secret-cipher.js';
import type { SecretCipher } from '../../domain/secrets/secret-cipher.js';
import {
  isIrreplaceable,
  listed,
  missingKeySentence,
  secretState,
} from '../../domain/secrets/secret-state.js';
import { countSecrets, secretKinds } from '../../storage/access/encrypted-secrets.js';
import type { Database } from '../../storage/database.js';
import { migrate } from '../../storage/migrate.js';
import { print, printJson, printMessage } from '../output.js';
import { CommandProblem } from '../problem.js';
import type { CommandResult } from '../run.js';
import { withInstalledDatabase } from './local-database.js';
import { serviceConfig } from './service-config.js';

/** `rollcall keys rotate`. Works on the database; running nodes follow within seconds. */
export async function rotateKeys(options: { revokeOld?: boolean; json?: boolean }): Promise<void> {
  const config = serviceConfig(options);
  const revokeOld = options.revokeOld === true;
  const oldKeys = await withInstalledDatabase('rotate the keys', config, async (database) => {
    await migrate(database);
    return rotateSigningKeys(database, { revokeOld });
  });
  if (options.json) return printJson({ oldKeys, revoked: revokeOld });
  const end = revokeOld
    ? 'Existing tokens are revoked within seconds.'
    : 'Existing tokens stay valid until they expire.';
  print(`The keys are replaced. All nodes sign with new ones within seconds. ${end}`);
}

/** `rollcall keys rewrap` */
export async function rewrapKeys(options: { discard?: string; json?: boolean }): Promise<CommandResult> {
  const config = serviceConfig(options);
  const { discard } = options;
  if (config.secretKey === undefined && discard === undefined) {
    throw new CommandProblem(
      'wrongUse',
      'ROLLCALL_SECRET_KEY is not set. Set it to the key to encrypt with, and ROLLCALL_SECRET_KEY_PREVIOUS to the previous key.',
    );
  }
  const cipher = existingSecretCipher(config);
  const { rewrapped, unreadable } = await withInstalledDatabase(
    'rewrap the secrets',
    config,
    async (database) => {
      await migrate(database);
      if (discard !== undefined) await discardLostKey(database, cipher, discard);
      return cipher?.isConfigured ? rewrapSecrets(database, cipher) : nothingRewrapped(database, cipher);
    },
  );
  if (options.json) printJson({ keyId: cipher?.keyId ?? null, rewrapped, unreadable });
  else print(summary(rewrapped, cipher));
  const missing = [...new Set(unreadable.map(({ keyId }) => keyId))];
  for (const keyId of missing) if (keyId !== null) printMessage(missingKeySentence(keyId, unreadable));
  return missing.length > 0 ? 'someFailed' : 'done';
}

/** Without a configured key there is nothing to encrypt with; only reports what cannot be decrypted. */
async function nothingRewrapped(database: Database, cipher: SecretCipher | undefined): Promise<Rewrapped> {
  const unreadable = secretState(await countSecrets(database.pool), cipher).unreadable.filter(
    isIrreplaceable,
  );
  return { rewrapped: noSecrets(), unreadable };
}

function summary(counts: Rewrapped['rewrapped'], cipher: SecretCipher | undefined): string {
  const some = secretKinds.filter((kind) => counts[kind] > 0);
  if (some.length === 0) return 'Nothing to encrypt.';
  const what = listed(some.map((kind) => ({ kind, keyId: null, count: counts[kind] })));
  return `Encrypted with secret key ${cipher?.keyId}: ${what}.`;
}
