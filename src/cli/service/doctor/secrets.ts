import type { Config } from '../../../config.js';
import { existingSecretCipher } from '../../../domain/secrets/open-secret-cipher.js';
import type { SecretCipher } from '../../../domain/secrets/secret-cipher.js';
import {
  isIrreplaceable,
  listed,
  missingKeySentence,
  secretState,
} from '../../../domain/secrets/secret-state.js';
import { countSecrets, type SecretCount } from '../../../storage/access/encrypted-secrets.js';
import type { Executor } from '../../../storage/database.js';
import { type AppliedMigration, appliedMigrations, migrationNames } from '../../../storage/migrate.js';
import { type Finding, failed, good, note, warning } from './finding.js';

export function secretKeyFinding({
  secretKey,
  databaseUrl,
}: Pick<Config, 'secretKey' | 'databaseUrl'>): Finding {
  if (secretKey !== undefined) return good('secret key', 'configured');
  if (databaseUrl === undefined) return good('secret key', 'in the data directory');
  return warning(
    'secret key',
    'not set: each node creates its own key and can only send passwords that it received itself',
    'Set ROLLCALL_SECRET_KEY to the same value on all nodes. Create one with `openssl rand -base64 32`.',
  );
}

const check = 'stored secrets';

/** Undefined if the schema is not up to date, since the tables may not exist. */
export async function storedSecrets(
  executor: Executor,
  applied?: readonly AppliedMigration[],
): Promise<SecretCount[] | undefined> {
  const names = (applied ?? (await appliedMigrations(executor))).map(({ name }) => name);
  return migrationNames.every((name) => names.includes(name)) ? countSecrets(executor) : undefined;
}

export function checkStoredSecrets(counts: readonly SecretCount[] | undefined, config: Config): Finding[] {
  if (counts === undefined) return [note(check, 'not checked, because the schema is not up to date')];
  return storedSecretsFindings(counts, existingSecretCipher(config));
}

export function storedSecretsFindings(
  counts: readonly SecretCount[],
  cipher: SecretCipher | undefined,
): Finding[] {
  const { current, earlier, clear, unreadable } = secretState(counts, cipher);
  const findings: Finding[] = [];
  if (current.length > 0)
    findings.push(good(check, `${listed(current)} encrypted with key ${cipher?.keyId}`));
  for (const keyId of new Set(earlier.map((each) => each.keyId))) {
    const mine = earlier.filter((each) => each.keyId === keyId);
    findings.push(
      warning(
        check,
        `${listed(mine)} encrypted with the previous key ${keyId}`,
        'Run `rollcall keys rewrap`, then remove ROLLCALL_SECRET_KEY_PREVIOUS.',
      ),
    );
  }
  if (clear.length > 0)
    findings.push(
      warning(
        check,
        `${listed(clear)} not encrypted`,
        'Start the service, which replaces them within an hour.',
      ),
    );
  const others = unreadable.filter((each) => !isIrreplaceable(each));
  if (others.length > 0) findings.push(note(check, `${listed(others)} of other nodes`));
  const lost = unreadable.filter(isIrreplaceable);
  for (const keyId of new Set(lost.map((each) => each.keyId))) {
    const mine = lost.filter((each) => each.keyId === keyId);
    findings.push(
      failed(
        check,
        `${listed(mine)} cannot be decrypted with the configured keys`,
        missingKeySentence(keyId, mine),
      ),
    );
  }
  return findings.length > 0 ? findings : [good(check, 'none')];
}
