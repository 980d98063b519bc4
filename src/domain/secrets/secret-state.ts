import type { SecretCount, SecretKind } from '../../storage/access/encrypted-secrets.js';
import type { SecretCipher } from './secret-cipher.js';

/** The stored secrets, as seen by a process with certain keys. */
export interface SecretState {
  /** Encrypted with the key that encrypts new secrets. */
  readonly current: readonly SecretCount[];
  /** Encrypted with another key of this process. */
  readonly earlier: readonly SecretCount[];
  readonly clear: readonly SecretCount[];
  readonly unreadable: readonly (SecretCount & { readonly keyId: string })[];
}

export function secretState(counts: readonly SecretCount[], cipher: SecretCipher | undefined): SecretState {
  const current: SecretCount[] = [];
  const earlier: SecretCount[] = [];
  const clear: SecretCount[] = [];
  const unreadable: (SecretCount & { keyId: string })[] = [];
  for (const each of counts) {
    const { keyId } = each;
    if (keyId === null) clear.push(each);
    else if (keyId === cipher?.keyId) current.push(each);
    else if (cipher?.canDecrypt(keyId)) earlier.push(each);
    else unreadable.push({ ...each, keyId });
  }
  return { current, earlier, clear, unreadable };
}

/** Signing keys are not: a node that cannot decrypt one creates its own. */
export function isIrreplaceable({ kind }: SecretCount): boolean {
  return kind !== 'signingKeys' && kind !== 'openIdKeys';
}

const names: Record<SecretKind, [one: string, many: string]> = {
  signingKeys: ['signing key', 'signing keys'],
  webhookSecrets: ['webhook secret', 'webhook secrets'],
  scimTokens: ['token of a SCIM target', 'tokens of SCIM targets'],
  totpSecrets: ['secret of an authenticator app', 'secrets of authenticator apps'],
  feedSecrets: ['secret of a feed', 'secrets of feeds'],
  plannedPasswords: ['password of a planned call', 'passwords of planned calls'],
  openIdKeys: ['key of the OpenID provider', 'keys of the OpenID provider'],
  chatUrls: ['URL of a chat that a notice waits for', 'URLs of chats that notices wait for'],
  passwords: ['password waiting to be sent', 'passwords waiting to be sent'],
};

/** For example "1 signing key and 12 webhook secrets". */
export function listed(counts: readonly SecretCount[]): string {
  const texts = counts.map(({ kind, count }) => `${count} ${names[kind][count === 1 ? 0 : 1]}`);
  return texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;
}

/** Names the secrets that a missing key encrypts, and what to do. */
export function missingKeySentence(keyId: string, counts: readonly SecretCount[]): string {
  const mine = counts.filter((each) => each.keyId === keyId);
  return (
    `The secret key ${keyId} is missing, and ${listed(mine)} cannot be decrypted without it. ` +
    'Set ROLLCALL_SECRET_KEY to that key, or ROLLCALL_SECRET_KEY_PREVIOUS if you have replaced it (a key in secret.key goes back to the data directory). ' +
    `If it is lost, give up what it encrypted: rollcall keys rewrap --discard ${keyId}`
  );
}
