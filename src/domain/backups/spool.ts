import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { v7 } from 'uuid';
import { backupSpool } from '../../storage/embedded/data-dir.js';

const chunkBytes = 1024 * 1024;

/**
 * Reads everything into a temporary file before it hands out the first byte. The file is encrypted with a key that is
 * never stored, so that nothing readable stays on the disk.
 */
export async function* spooled(content: AsyncIterable<Buffer>, directory: string): AsyncGenerator<Buffer> {
  const path = join(directory, backupSpool(v7()));
  const handle = await open(path, 'wx+', 0o600);
  try {
    // Where the system allows it, the file has no name from the start, and disappears even if the process is killed.
    if (process.platform !== 'win32') await rm(path);
    const [key, nonce] = [randomBytes(32), randomBytes(16)];
    await fill(handle, content, createCipheriv('aes-256-ctr', key, nonce));
    const decipher = createDecipheriv('aes-256-ctr', key, nonce);
    for (let position = 0; ; ) {
      const { bytesRead, buffer } = await handle.read(Buffer.alloc(chunkBytes), 0, chunkBytes, position);
      if (bytesRead === 0) return;
      position += bytesRead;
      yield decipher.update(buffer.subarray(0, bytesRead));
    }
  } finally {
    await handle.close();
    await rm(path, { force: true });
  }
}

async function fill(
  handle: FileHandle,
  content: AsyncIterable<Buffer>,
  cipher: ReturnType<typeof createCipheriv>,
): Promise<void> {
  for await (const chunk of content) await handle.appendFile(cipher.update(chunk));
}
