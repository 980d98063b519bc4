import type { Rollcall } from './client.js';
import type { streams } from './generated/tables.js';
import type { AnyOptions } from './request.js';
import type { RetryPolicy } from './retry.js';

export type StreamName = keyof typeof streams;

/** What following a stream needs from a client. Internal. */
export interface StreamSource {
  /** One attempt, with a token. */
  open(name: StreamName, options: AnyOptions): Promise<ReadableStream<Uint8Array>>;
  readonly policy: RetryPolicy;
}

/** Kept outside the client object, so that it is not part of the public API. */
const sources = new WeakMap<Rollcall, StreamSource>();

export function keepSource(rollcall: Rollcall, source: StreamSource): Rollcall {
  sources.set(rollcall, source);
  return rollcall;
}

export function sourceOf(rollcall: Rollcall): StreamSource {
  const source = sources.get(rollcall);
  if (!source)
    throw new TypeError('Streams are followed with what createClient gave, not with a copy of it.');
  return source;
}
