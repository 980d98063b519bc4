import type { FastifyReply, FastifyRequest } from 'fastify';
import type { RenewedSession } from '../../../domain/access/sessions.js';
import { setSessionCookie } from '../../session-cookie.js';

/** Gives the caller the token of a session: in a cookie, or in the data of the reply, which this returns. */
export function handOver(
  request: FastifyRequest,
  reply: FastifyReply,
  session: RenewedSession,
  isForCookie = request.hasSessionCookie === true,
) {
  reply.header('cache-control', 'no-store');
  const { token: accessToken, expiresInSeconds: expiresIn } = session;
  if (!isForCookie) return { accessToken, tokenType: 'Bearer', expiresIn };
  setSessionCookie(request, reply, session);
  return { expiresIn };
}
