import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrate } from '../../src/storage/migrate.js';
import { openEmbedded } from '../../src/storage/open-embedded.js';
import { temporaryDirectory } from './temporary-directory.js';

let empty: Promise<string> | undefined;

/** Unpacking and migrating an embedded database takes a second or two, copying one that is a tenth of it. */
export async function copyEmptyDatabase(dataDir: string): Promise<void> {
  empty ??= (async () => {
    const directory = mkdtempSync(join(tmpdir(), 'rollcall-empty-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    const database = await openEmbedded(directory);
    await migrate(database);
    await database.close();
    return directory;
  })();
  cpSync(await empty, dataDir, { recursive: true });
}

/** A data directory with an empty database, for those to whom it does not matter how it was made. */
export async function embeddedDirectory(): Promise<string> {
  const directory = temporaryDirectory();
  await copyEmptyDatabase(directory);
  return directory;
}
