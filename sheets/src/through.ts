import { streamed } from './bytes.js';

interface Transformation {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array<ArrayBuffer>>;
}

/**
 * Chunks after a transformation, packed or unpacked. By hand and not with pipeThrough: in Node.js 20 that reads a blob to
 * its end, however slowly the other side is read.
 */
export async function* through(
  chunks: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  { readable, writable }: Transformation,
): AsyncGenerator<Uint8Array> {
  const feeding = feed(chunks, writable.getWriter());
  feeding.catch(() => {}); // it is waited for below, but not if nobody reads on
  try {
    yield* streamed(readable);
  } catch (error) {
    await feeding; // why the stream broke off, if it was not by itself
    throw error;
  } finally {
    await chunks.return(undefined);
  }
  await feeding;
}

async function feed(
  chunks: AsyncIterable<Uint8Array<ArrayBuffer>>,
  writer: WritableStreamDefaultWriter<Uint8Array<ArrayBuffer>>,
): Promise<void> {
  try {
    for await (const chunk of chunks) await writer.write(chunk);
    await writer.close();
  } catch (error) {
    await writer.abort(error).catch(() => {}); // it may have been let go already
    throw error;
  }
}
