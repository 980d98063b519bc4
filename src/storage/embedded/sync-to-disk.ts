import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new or renamed file is on the disk only once its directory is. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows has no handle to sync a directory by.
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
