import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { openEmbedded } from '../../src/storage/embedded/open-embedded.js';
import { migrate } from '../../src/storage/migrate.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** A data directory with an empty embedded database, for copying. */
    emptyDatabase: string;
  }
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const cache = join(root, 'node_modules/.cache/rollcall-tests');

/** Creating and migrating an embedded database takes seconds, so all workers and later runs share the result. */
export default async function setup(project: TestProject): Promise<void> {
  const directory = join(cache, `empty-database-${versionOfDatabase()}`);
  if (!existsSync(directory)) await makeEmptyDatabase(directory);
  project.provide('emptyDatabase', directory);
}

async function makeEmptyDatabase(directory: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  for (const old of readdirSync(cache).filter((name) => name.startsWith('empty-database-')))
    rmSync(join(cache, old), { recursive: true, force: true });
  const unfinished = mkdtempSync(join(cache, 'unfinished-'));
  const database = await openEmbedded(unfinished);
  await migrate(database);
  await database.close();
  try {
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    if (!existsSync(directory)) throw error; // otherwise another run was faster
  }
}

/** A hash of everything the files depend on: the migrations, the code that runs them, and PGlite. */
function versionOfDatabase(): string {
  const hash = createHash('sha256');
  for (const directory of ['migrations', 'src/storage']) {
    const files = readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
    for (const file of files.sort()) hash.update(`${relative(root, file)}\0`).update(readFileSync(file));
  }
  hash.update(readFileSync(join(root, 'node_modules/@electric-sql/pglite/package.json')));
  return hash.digest('hex').slice(0, 16);
}
