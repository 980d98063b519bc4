import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';

export function newClientId(): string {
  return `client-${randomBytes(6).toString('hex')}`;
}

export function isGeneratedClientId(id: string): boolean {
  return /^client-[0-9a-f]{12}$/.test(id);
}

/** PostgreSQL cannot store NUL, so no ID contains one. */
export function isStorableId(id: string): boolean {
  return !id.includes('\u0000');
}

/**
 * Client secrets are long and random, so one round of SHA-256 is enough. Only passwords chosen by users need argon2id.
 */
export function hashSecret(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

export function isOneOf(secret: string, hashes: readonly string[]): boolean {
  const hash = Buffer.from(hashSecret(secret));
  return hashes.some((known) => known.length === hash.length && timingSafeEqual(Buffer.from(known), hash));
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

const tokenPrefix = 'rct_';
const tokenForm = new RegExp(`^${tokenPrefix}[\\w-]{43}$`);

/** Long-lived tokens are as random as secrets, and can be told from other tokens by their form. */
export function newClientToken(): string {
  return `${tokenPrefix}${newSecret()}`;
}

export function isLongLivedToken(token: string): boolean {
  return tokenForm.test(token);
}
