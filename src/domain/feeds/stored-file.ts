import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { type Database, transaction } from '../../storage/database.js';
import { deleteFile, getFilePart, insertFilePart } from '../../storage/feeds/feed-files.js';
import { FeedFailed } from './feed-failed.js';

const [compress, decompress] = [promisify(deflateRaw), promisify(inflateRaw)];

/** What is in memory at a time, and in one row of the database. */
const partBytes = 1024 * 1024;

export interface StoredFile {
  /** SHA-256, in hexadecimal. */
  readonly hash: string;
  readonly bytes: number;
}

/** Stores a file for a run, in place of what is left of an earlier attempt. It is in the database, so that any node can read it. */
export async function storeFile(
  database: Database,
  runId: string,
  bytes: AsyncIterable<Uint8Array>,
  bytesMax: number,
): Promise<StoredFile> {
  await transaction(database, (tx) => deleteFile(tx, runId));
  const hash = createHash('sha256');
  let [total, part, waiting] = [0, 0, [] as Uint8Array[]];
  let waitingBytes = 0;
  const flush = async () => {
    const compressed = await compress(Buffer.concat(waiting));
    await insertFilePart(database.pool, runId, part++, compressed);
    [waiting, waitingBytes] = [[], 0];
  };
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > bytesMax) throw tooLarge(bytesMax);
    hash.update(chunk);
    waiting.push(chunk);
    waitingBytes += chunk.length;
    if (waitingBytes >= partBytes) await flush();
  }
  if (waitingBytes > 0) await flush();
  if (total === 0) throw new FeedFailed('FILE_EMPTY', 'The file is empty.');
  return { hash: hash.digest('hex'), bytes: total };
}

/** Reads a stored file, one part ahead. */
export async function* readFile({ pool }: Database, runId: string): AsyncGenerator<Uint8Array> {
  let next = getFilePart(pool, runId, 0);
  for (let part = 0; ; part++) {
    const bytes = await next;
    if (!bytes) {
      // An erasure deletes all parts, and the end of the file must not be mistaken for that.
      if (await getFilePart(pool, runId, 0)) return;
      throw new FeedFailed('FILE_GONE', 'The file is no longer stored.');
    }
    next = getFilePart(pool, runId, part + 1);
    next.catch(() => {}); // whoever reads on gets the error
    yield await decompress(bytes);
  }
}

function tooLarge(bytesMax: number): FeedFailed {
  const megabytes = Math.floor(bytesMax / (1024 * 1024));
  return new FeedFailed('FILE_TOO_LARGE', `The file is larger than ${megabytes} MB.`, { bytesMax });
}
