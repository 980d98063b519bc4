export type TableSource = Blob | string | AsyncIterable<Uint8Array>;

/** Larger chunks are split, so that memory use doesn't depend on the source. */
const pieceBytes = 256 * 1024;

export async function* pieces(source: Blob | AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of source instanceof Blob ? streamed(source.stream()) : source) {
    for (let at = 0; at < chunk.length; at += pieceBytes) yield chunk.subarray(at, at + pieceBytes);
  }
}

/** Not every browser supports iterating over a stream. */
export async function* streamed<T>(stream: ReadableStream<T>): AsyncGenerator<T> {
  const reader = stream.getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a stream that failed has nothing to release
  }
}

/** The start of a sequence, which can still be read from its beginning or released. */
export interface Peeked<T> {
  readonly head: readonly T[];
  readonly isWhole: boolean;
  readonly all: AsyncGenerator<T>;
  release(): Promise<void>;
}

/** Reads until there is enough to examine. An error is kept until the sequence is read on. */
export async function peek<T extends { readonly length: number }>(
  items: AsyncGenerator<T>,
  enough: number,
): Promise<Peeked<T>> {
  const head: T[] = [];
  let seen = 0;
  let end: 'open' | 'reached' | { readonly failure: unknown } = 'open';
  while (seen < enough && end === 'open') {
    try {
      const next = await items.next();
      if (next.done) end = 'reached';
      else {
        head.push(next.value);
        seen += next.value.length;
      }
    } catch (failure) {
      end = { failure };
    }
  }

  async function* all(): AsyncGenerator<T> {
    try {
      yield* head;
      if (typeof end === 'object') throw end.failure;
      yield* items;
    } finally {
      await release();
    }
  }
  async function release(): Promise<void> {
    await items.return(undefined);
  }
  return { head, isWhole: end === 'reached', all: all(), release };
}

export function concatenated(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
