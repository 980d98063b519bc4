import { cp } from 'node:fs/promises';
import { inject } from 'vitest';
import { temporaryDirectory } from './temporary-directory.js';

/** Unpacking and migrating an embedded database takes seconds, copying one that is a tenth of it. */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  await cp(inject('emptyDatabase'), dataDir, { recursive: true });
}

/** A data directory with an empty database, for those to whom it does not matter how it was made. */
export async function embeddedDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  await copyEmptyDatabase(directory);
  return directory;
}
