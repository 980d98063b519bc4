import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

const fileCalls: readonly unknown[] = [
  'open',
  'mkdir',
  'scandir',
  'stat',
  'write',
  'fsync',
  'rename',
  'unlink',
];

/** Whether a file or directory could not be used. Sockets fail with some of the same codes, but in other calls. */
export function isFileError(error: unknown): error is NodeJS.ErrnoException {
  if (!(error instanceof Error) || !('syscall' in error)) return false;
  return fileCalls.includes(error.syscall) || ('code' in error && error.code === 'EISDIR');
}

/** The name of a file that is still being written. */
export function partialName(path: string): string {
  return `${path}.partial`;
}

/**
 * Writes a file that only its owner can read. It gets its name once it is complete and on disk; until then the name
 * belongs to the file before, if any. Returns its size.
 */
export async function writeWhole(path: string, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  const partial = partialName(path);
  await rm(partial, { force: true }); // left by a process that was killed
  const handle = await open(partial, 'wx', 0o600);
  try {
    const written = await writeAll(handle, bytes);
    await handle.sync();
    await handle.close();
    await rename(partial, path);
    await syncDirectoryOf(path);
    return written;
  } catch (error) {
    await handle.close().catch(() => {}); // it may be closed already
    await rm(partial, { force: true });
    throw error;
  }
}

async function writeAll(handle: FileHandle, bytes: AsyncIterable<Uint8Array>): Promise<number> {
  let written = 0;
  for await (const chunk of bytes) {
    await handle.appendFile(chunk);
    written += chunk.length;
  }
  return written;
}

/** A renamed file is durable only once its directory is synced. */
async function syncDirectoryOf(path: string): Promise<void> {
  if (process.platform === 'win32') return; // Windows has no directory handles to sync
  const directory = await open(dirname(path), 'r');
  await directory.sync().finally(() => directory.close());
}
