import { randomBytes } from 'node:crypto';
import { hashSecret } from './client-secret.js';

/** Tells the token of a person from that of a client, and secret scanners what they have found. */
const prefix = 'rcs_';
const form = /^rcs_[A-Za-z0-9_-]{43}$/;

/**
 * A person's token means nothing by itself: it is looked up at every request, so that signing out, a deactivation or a
 * new role takes effect at once.
 */
export function newSessionToken(): { token: string; tokenHash: string } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashSecret(token) };
}

export function isSessionToken(token: string): boolean {
  return form.test(token);
}
