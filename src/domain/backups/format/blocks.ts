import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { damaged } from './unusable-backup.js';

export const blockBytes = 1024 * 1024;

/** Fast, and not much larger than the best: the text of rows repeats a lot. */
const level = 3;

const compress = promisify<Buffer, object, Buffer>(gzip);
const decompress = promisify<Buffer, object, Buffer>(gunzip);

/** Compresses the content in blocks, in other threads, while the next block is being read. */
export async function* compressed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Promise<Buffer> | undefined;
  try {
    for await (const block of blocks(content)) {
      const next = compress(block, { level });
      next.catch(() => {}); // whoever waits for it gets the error
      if (pending) yield await pending;
      pending = next;
    }
    if (pending) yield await pending;
  } finally {
    await pending?.catch(() => {});
  }
}

async function* blocks(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of content) {
    for (let rest = chunk; rest.length > 0; ) {
      const part = rest.subarray(0, blockBytes - length);
      rest = rest.subarray(part.length);
      parts.push(part);
      length += part.length;
      if (length < blockBytes) continue;
      yield Buffer.concat(parts);
      parts = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(parts);
}

export function compressedBlock(text: string): Promise<Buffer> {
  return compress(Buffer.from(text), { level });
}

export async function decompressed(block: Buffer): Promise<Buffer> {
  try {
    return await decompress(block, { maxOutputLength: blockBytes });
  } catch {
    throw damaged('a block cannot be decompressed');
  }
}
