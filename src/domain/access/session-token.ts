import { randomBytes } from 'node:crypto';
import { hashSecret } from '../clients/client-credentials.js';

/** Distinguishes session tokens from client tokens, and lets secret scanners recognize them. */
const prefix = 'rcs_';
const form = /^rcs_[A-Za-z0-9_-]{43}$/;

/**
 * A session token carries no information: it is looked up on every request, so that a sign-out, a deactivation or a new
 * role takes effect immediately.
 */
export function newSessionToken(): { token: string; tokenHash: string } {
  const token = `${prefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashSecret(token) };
}

export function isSessionToken(token: string): boolean {
  return form.test(token);
}
