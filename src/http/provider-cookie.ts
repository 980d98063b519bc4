import type { FastifyReply, FastifyRequest } from 'fastify';
import { isSecret, signInMinutes } from '../domain/sso/handshake.js';
import { cookieOf, setCookie } from './session-cookie.js';

/**
 * Ties a sign-in at the identity provider to the browser that began it. Unlike the cookie of a session, it is sent when the
 * provider sends the browser back, and is worth nothing without the state that the provider returns.
 */
const suffix = '-sso';

export function browserSecretOf(request: FastifyRequest): string | undefined {
  const found = cookieOf(request, suffix);
  return found !== undefined && isSecret(found) ? found : undefined;
}

export function setBrowserSecret(request: FastifyRequest, reply: FastifyReply, value: string): void {
  setCookie(request, reply, { suffix, value, maxAgeSeconds: signInMinutes * 60, sameSite: 'Lax' });
}
