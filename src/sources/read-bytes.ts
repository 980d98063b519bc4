import { SourceFailed, type SourceProblem } from '../domain/feeds/source-problem.js';
import type { ReadDeadline } from './read-deadline.js';

export interface ReadBytesOptions {
  readonly deadline: ReadDeadline;
  readonly bytesMax: number;
  /** What an error of the stream means. */
  readonly problemOf: (error: unknown) => SourceProblem;
  /** Throws SourceFailed if the bytes are not those of the file that was opened. */
  readonly verify?: (bytes: number) => Promise<void> | void;
}

/** The bytes of a stream, as far as they are asked for. At its end, everything that the deadline knows of is closed. */
export async function* readBytes(
  stream: AsyncIterable<Uint8Array>,
  { deadline, bytesMax, problemOf, verify }: ReadBytesOptions,
): AsyncGenerator<Uint8Array, void, undefined> {
  const chunks = stream[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    for (;;) {
      const { value, done } = await deadline.wait(chunks.next());
      if (done) break;
      bytes += value.length;
      deadline.received(value.length);
      if (bytes > bytesMax) throw new SourceFailed({ code: 'too_large', bytesMax });
      yield value;
    }
    if (verify) await deadline.wait(Promise.resolve(verify(bytes)));
  } catch (error) {
    throw error instanceof SourceFailed ? error : new SourceFailed(problemOf(error));
  } finally {
    deadline.end();
  }
}
