import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import type { ByteReader } from './byte-reader.js';
import { damaged } from './header.js';
import type { Seal } from './seals.js';

const wordBytes = 4;
const lastBit = 0x8000_0000;

/** Larger than anything that is written. */
const payloadMax = 16 * 1024 * 1024;

/**
 * Frames: four bytes with the length and a mark on the last one, the payload, and its tag. A file without its last frame
 * was cut off.
 */
export async function* writeFrames(payloads: AsyncIterable<Buffer>, seal: Seal): AsyncGenerator<Buffer> {
  let waiting: Buffer | undefined;
  for await (const payload of payloads) {
    if (waiting) yield frame(waiting, seal, false);
    waiting = payload;
  }
  yield frame(waiting ?? Buffer.alloc(0), seal, true);
}

function frame(payload: Buffer, seal: Seal, isLast: boolean): Buffer {
  const word = Buffer.alloc(wordBytes);
  word.writeUInt32BE((payload.length | (isLast ? lastBit : 0)) >>> 0);
  const { sealed, tag } = seal.close(payload, word);
  return Buffer.concat([word, sealed, tag]);
}

export async function* readFrames(reader: ByteReader, seal: Seal): AsyncGenerator<Buffer> {
  for (;;) {
    const word = await reader.read(wordBytes);
    if (word.length < wordBytes) throw damaged('its end is missing');
    const value = word.readUInt32BE();
    const isLast = value >= lastBit;
    const length = isLast ? value - lastBit : value;
    if (length > payloadMax) throw damaged('a length is impossible');
    const rest = await reader.read(length + seal.tagBytes);
    if (rest.length < length + seal.tagBytes) throw damaged('its end is missing');
    yield seal.open(rest.subarray(0, length), word, rest.subarray(length));
    if (!isLast) continue;
    if ((await reader.read(1)).length > 0) throw damaged('something follows its end');
    return;
  }
}

export const blockBytes = 1024 * 1024;

/** Fast, and not much larger than the best: the text of rows repeats a lot. */
const compressionLevel = 3;
const compress = promisify<Buffer, object, Buffer>(gzip);
const decompress = promisify<Buffer, object, Buffer>(gunzip);

/** Compresses the content in blocks, in other threads, while the next block is being read. */
export async function* compressed(content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let pending: Promise<Buffer> | undefined;
  try {
    for await (const block of blocks(content)) {
      const next = compress(block, { level: compressionLevel });
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
  return compress(Buffer.from(text), { level: compressionLevel });
}

export async function decompressed(block: Buffer): Promise<Buffer> {
  try {
    return await decompress(block, { maxOutputLength: blockBytes });
  } catch {
    throw damaged('a block cannot be decompressed');
  }
}
