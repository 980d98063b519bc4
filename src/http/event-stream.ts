import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../contract/errors.js';
import { acceptsJson } from './request-headers.js';

/**
 * How the EventSource of browsers behaves decides what a stream answers: any status but 200 ends it for good, a connection that
 * ends or breaks is opened again after the pause that the stream named last.
 */
export const eventStreamType = 'text/event-stream; charset=utf-8';

const reconnectPauseMs = 2_000;
/** All streams of a node end together, and should not all come back together. */
const reconnectSpreadMs = 3_000;

/** The pause after which a reader comes back. */
export function reconnectAfter(atLeastMs = reconnectPauseMs): string {
  return `retry: ${Math.round(Math.max(atLeastMs, reconnectPauseMs) + Math.random() * reconnectSpreadMs)}\n`;
}

/**
 * Moves the place of a reader. An ID by itself would do by the standard; but the `eventsource` package keeps it only with data, and
 * would go on at the wrong place. Under a name of its own nobody takes it for an event.
 */
export function positionBlock(position: number): string {
  return `id: ${position}\nevent: position\ndata:\n\n`;
}

/**
 * Whether a failure passes by itself, and the caller is an EventSource: it takes nothing but a stream, and would never come back
 * after any other status.
 */
export function isPutOff(request: FastifyRequest, status: number): boolean {
  const { accept } = request.headers;
  const isTemporary = status === 429 || status >= 500;
  return (
    isTemporary &&
    request.routeOptions.config?.eventStream === true &&
    accept?.includes('text/event-stream') === true &&
    !acceptsJson(accept)
  );
}

/** A stream that ends at once, with the pause after which to ask again; people read in a comment why. */
export function putOff(reply: FastifyReply, { detail }: Failure, position?: number): FastifyReply {
  const retryAfterMs = 1_000 * Number(reply.getHeader('retry-after') ?? 0);
  const place = position === undefined ? '\n' : positionBlock(position);
  return reply
    .code(200)
    .removeHeader('retry-after')
    .type(eventStreamType)
    .send(`: ${detail.replace(/[\r\n]+/g, ' ')}\n${reconnectAfter(retryAfterMs)}${place}`);
}
