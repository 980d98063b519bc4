import type { FastifyReply } from 'fastify';

/** Aborted once the client has disconnected or has its answer. */
export function clientSignal(reply: FastifyReply): AbortSignal {
  const leaving = new AbortController();
  if (reply.raw.destroyed) leaving.abort();
  else reply.raw.once('close', () => leaving.abort());
  return leaving.signal;
}
