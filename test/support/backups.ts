import { inject, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.js';
import { makeBackup } from '../../src/domain/backups/make-backup.js';
import { restoreBackup } from '../../src/domain/backups/restore-backup.js';
import { openSnapshot, storedTables, tableDigests } from '../../src/storage/backups/dump.js';
import type { Database } from '../../src/storage/database.js';
import { createEmbedded, createEmbeddedInSteps } from '../../src/storage/embedded/new-embedded.js';
import { openDatabase } from '../../src/storage/open-database.js';
import { createEmptyDatabase } from './service.js';
import { temporaryDirectory } from './temporary-directory.js';

export type Engine = Database['kind'];

/** The settings of an empty database: a new one on the server, or a directory that has none yet. */
export async function emptyTarget(engine: Engine = inject('engine')): Promise<Record<string, string>> {
  const ROLLCALL_DATA_DIR = temporaryDirectory();
  return engine === 'embedded'
    ? { ROLLCALL_DATA_DIR }
    : { ROLLCALL_DATA_DIR, DATABASE_URL: await createEmptyDatabase() };
}

/** Opens a database, and closes it with the test. */
export async function opened(settings: Record<string, string>): Promise<Database> {
  const database = await openDatabase(readConfig(settings));
  onTestFinished(() => database.close());
  return database;
}

type Fill = (database: Database) => Promise<void>;

/** Fills an empty database, as `rollcall restore` does. */
export function fillEmpty(settings: Record<string, string>, fill: Fill): Promise<void> {
  return fillNew(createEmbedded, settings, fill);
}

/** Fills an empty or half-filled database, as `rollcall move` does. */
export function fillInSteps(settings: Record<string, string>, fill: Fill): Promise<void> {
  return fillNew(createEmbeddedInSteps, settings, fill);
}

async function fillNew(
  create: typeof createEmbedded,
  settings: Record<string, string>,
  fill: Fill,
): Promise<void> {
  const config = readConfig(settings);
  if (config.databaseUrl === undefined) return create(config.dataDir, fill);
  const database = await openDatabase(config);
  await fill(database).finally(() => database.close());
}

export async function collected(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  for await (const part of bytes) parts.push(part);
  return Buffer.concat(parts);
}

export function backupOf(database: Database): Promise<Buffer> {
  return collected(makeBackup(database));
}

async function* chunk(bytes: Buffer) {
  yield bytes;
}

/** Restores a backup into an empty database and returns its settings. */
export async function restored(bytes: Buffer, engine?: Engine): Promise<Record<string, string>> {
  const settings = await emptyTarget(engine);
  await restoreInto(settings, bytes);
  return settings;
}

export function restoreInto(settings: Record<string, string>, bytes: Buffer): Promise<void> {
  return fillEmpty(settings, (database) => restoreBackup(database, chunk(bytes), { passphrase: undefined }));
}

/** Of every table in a backup, except the state of the indexer. */
export async function digestsOf(database: Database) {
  const { tx, close } = await openSnapshot(database);
  try {
    const tables = (await storedTables(tx)).filter(({ name }) => name !== 'index_state');
    return await tableDigests(tx, tables);
  } finally {
    await close();
  }
}
