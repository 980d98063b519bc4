import { hash, randomBytes } from 'node:crypto';

/** How long a link can be used. */
export const linkMinutes = 15;
/** How long a request waits to be sent. */
export const requestMinutes = 60;
export const linksPerHourMax = 5;

const tokenPrefix = 'rcl_';
const tokenForm = /^rcl_[A-Za-z0-9_-]{43}$/;

export function newLinkToken(): { readonly token: string; readonly tokenHash: Buffer } {
  const token = `${tokenPrefix}${randomBytes(32).toString('base64url')}`;
  return { token, tokenHash: hashOfLink(token) };
}

export function isLinkToken(text: string): boolean {
  return tokenForm.test(text);
}

export function hashOfLink(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}
