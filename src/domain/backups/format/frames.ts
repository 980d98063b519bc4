import type { ByteReader } from './byte-reader.js';
import type { Seal } from './seals.js';
import { damaged } from './unusable-backup.js';

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
