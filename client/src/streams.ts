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
const sources = new WeakMap<object, StreamSource>();

export function keepSource<Client extends object>(client: Client, source: StreamSource): Client {
  sources.set(client, source);
  return client;
}

export function sourceOf(client: object): StreamSource {
  const source = sources.get(client);
  if (!source)
    throw new TypeError('Streams are followed with what createClient gave, not with a copy of it.');
  return source;
}
