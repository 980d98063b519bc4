import { createHmac, hash, randomBytes } from 'node:crypto';

export const signInMinutes = 10;

/**
 * What a sign-in at the provider needs to remember. Everything follows from the state, which the provider returns, and a
 * secret in a cookie of the browser. So nothing secret is stored, and a state is worth nothing in another browser.
 */
export interface Handshake {
  readonly state: string;
  readonly nonce: string;
  /** Of PKCE. */
  readonly verifier: string;
}

export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

export function isSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}

export function handshakeOf(browserSecret: string, state: string): Handshake {
  const derived = (purpose: string) =>
    createHmac('sha256', browserSecret).update(`${purpose}:${state}`).digest('base64url');
  return { state, nonce: derived('nonce'), verifier: derived('verifier') };
}

/** What is stored of a state or of the secret of a browser. */
export function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
