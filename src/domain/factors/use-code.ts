import {
  listApps,
  type StoredApp,
  useRecoveryCode,
  useCode as useStoredCode,
} from '../../storage/access/factors.js';
import type { Database, Executor } from '../../storage/database.js';
import { type SecretCipher, SecretKeyMissing } from '../secrets/secret-cipher.js';
import { recoveryCodeHash } from './recovery-codes.js';
import { isTotpCode, stepOfCode } from './totp.js';

/** For operations that check codes. */
export interface CodeContext {
  readonly database: Database;
  readonly cipher: SecretCipher;
}

export type UsedCode = 'totp' | 'recoveryCode';

/** Which kind of code it is; undefined if it is wrong, or was used before. */
export async function useCode(
  tx: Executor,
  cipher: SecretCipher,
  userSerial: string,
  typed: string,
): Promise<UsedCode | undefined> {
  const code = typed.replace(/[\s-]/g, '');
  if (!isTotpCode(code)) {
    const isUsed = await useRecoveryCode(tx, userSerial, recoveryCodeHash(userSerial, code));
    return isUsed ? 'recoveryCode' : undefined;
  }
  for (const app of await listApps(tx, userSerial, { confirmed: true })) {
    const step = stepOfCode(appSecret(cipher, app), code, Date.now());
    if (step !== undefined && (await useStoredCode(tx, app.id, step))) return 'totp';
  }
  return undefined;
}

export function appSecret(cipher: SecretCipher, { id, secret }: StoredApp): string {
  if (!cipher.canDecrypt(secret.keyId)) throw new SecretKeyMissing(secret.keyId);
  return cipher.decrypt(secret.bytes, appPurpose(id));
}

/** What the secret of an app is encrypted for. */
export function appPurpose(id: string): string {
  return `factor ${id}`;
}
