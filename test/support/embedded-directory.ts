import { cp } from 'node:fs/promises';
import { inject } from 'vitest';
import { temporaryDirectory } from './temporary-directory.js';

/** Creating and migrating an embedded database takes seconds; copying a finished one takes a tenth of that. */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  await cp(inject('emptyDatabase'), dataDir, { recursive: true });
}

/** A data directory with an empty database, for tests that don't care how it was created. */
export async function embeddedDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  await copyEmptyDatabase(directory);
  return directory;
}
