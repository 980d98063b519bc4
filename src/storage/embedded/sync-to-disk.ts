import { closeSync, fsyncSync, openSync } from 'node:fs';

/** A new or renamed file is durable only once its directory is synced. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return; // Windows has no directory handles to sync
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
