import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../contract/errors.js';
import { acceptsJson } from './request-headers.js';

/**
 * The behavior of EventSource in browsers determines the answers: any status but 200 ends it permanently. If a
 * connection ends or breaks, it reconnects after the delay that the stream sent last.
 */
export const eventStreamType = 'text/event-stream; charset=utf-8';

const reconnectPauseMs = 2_000;
/** All streams of a node end together, and should not all reconnect together. */
const reconnectSpreadMs = 3_000;

/** The delay before a reader reconnects. */
export function reconnectAfter(atLeastMs = reconnectPauseMs): string {
  return `retry: ${Math.round(Math.max(atLeastMs, reconnectPauseMs) + Math.random() * reconnectSpreadMs)}\n`;
}

/**
 * Moves the position of a reader. By the standard, an ID alone would do, but the `eventsource` package only stores it
 * together with data, and would resume at the wrong position. The separate event name keeps it from being mistaken for
 * an event.
 */
export function positionBlock(position: number): string {
  return `id: ${position}\nevent: position\ndata:\n\n`;
}

/**
 * Whether the failure is temporary and the caller is an EventSource, which only accepts a stream and would never retry
 * after any other status.
 */
export function mustRetryAsStream(request: FastifyRequest, status: number): boolean {
  const { accept } = request.headers;
  const isTemporary = status === 429 || status >= 500;
  return (
    isTemporary &&
    request.routeOptions.config?.eventStream === true &&
    accept?.includes('text/event-stream') === true &&
    !acceptsJson(accept)
  );
}

/** A stream that ends immediately, with the delay before a retry. A comment gives the reason. */
export function sendRetryStream(reply: FastifyReply, { detail }: Failure, position?: number): FastifyReply {
  const retryAfterMs = 1_000 * Number(reply.getHeader('retry-after') ?? 0);
  const place = position === undefined ? '\n' : positionBlock(position);
  return reply
    .code(200)
    .removeHeader('retry-after')
    .type(eventStreamType)
    .send(`: ${detail.replace(/[\r\n]+/g, ' ')}\n${reconnectAfter(retryAfterMs)}${place}`);
}
