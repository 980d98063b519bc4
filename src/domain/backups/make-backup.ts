import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { v7 } from 'uuid';
import { version } from '../../contract/version.js';
import { countSecrets } from '../../storage/access/encrypted-secrets.js';
import {
  dumpTable,
  openSnapshot,
  readSequences,
  type Snapshot,
  storedTables,
  withoutPrivateKeys,
} from '../../storage/backups/dump.js';
import type { Database, Executor } from '../../storage/database.js';
import { backupSpool } from '../../storage/embedded/data-dir.js';
import { appliedMigrations } from '../../storage/migrate.js';
import { type HeaderFacts, type SealOptions, writeBackup } from './format/backup-stream.js';
import { type ContentEnd, writeContentEnd, writeTableStart, writtenTableEnd } from './format/content.js';

interface BackupOptions extends SealOptions {
  /**
   * The embedded database can do nothing else while its snapshot is open. With a directory for a temporary file, the
   * snapshot lasts only as long as reading takes, not as long as compressing and sending.
   */
  readonly spoolIn?: string | undefined;
  /** Called as rows are read, with how many more there are. */
  readonly onRows?: (count: number) => void;
  /** Called when everything is read, with the number of rows in each table. */
  readonly onRead?: (rows: ContentEnd['rows']) => void;
}

/** The bytes of a backup of everything in one snapshot. */
export async function* makeBackup(database: Database, options: BackupOptions = {}): AsyncGenerator<Buffer> {
  const snapshot = await openSnapshot(database);
  try {
    const facts = await headerFacts(snapshot.tx, database.kind);
    const read = dumpContent(snapshot, options);
    const { spoolIn } = options;
    yield* writeBackup(facts, spoolIn === undefined ? read : spooled(read, spoolIn), options);
  } finally {
    await snapshot.close();
  }
}

export interface ServiceBackupContext {
  readonly database: Database;
  readonly dataDir: string;
  readonly bulkCalls: { readonly running: number };
}

/**
 * The same for a service that goes on meanwhile, with bulk calls before backups. The number of users is known once
 * everything is read.
 */
export function makeServiceBackup(
  { database, dataDir, bulkCalls }: ServiceBackupContext,
  passphrase?: string,
): { readonly bytes: AsyncGenerator<Buffer>; users(): number } {
  let users = 0;
  const bytes = makeBackup(database, {
    passphrase,
    spoolIn: database.kind === 'embedded' ? dataDir : undefined,
    onRead: (rows) => {
      users = rows.users ?? 0;
    },
  });
  return { bytes: paced(bytes, () => bulkCalls.running > 0), users: () => users };
}

async function headerFacts(tx: Executor, engine: Database['kind']): Promise<HeaderFacts> {
  const contained = (await countSecrets(tx)).filter(({ kind }) => kind !== 'signingKeys');
  const keyIds = contained.flatMap(({ keyId }) => keyId ?? []);
  return {
    rollcallVersion: version,
    createdAt: new Date().toISOString(),
    engine,
    migrations: await appliedMigrations(tx),
    secretKeyIds: [...new Set(keyIds)],
  };
}

export async function* dumpContent(
  { tx, close }: Snapshot,
  { onRows, onRead }: Pick<BackupOptions, 'onRows' | 'onRead'> = {},
): AsyncGenerator<Buffer> {
  const rows: Record<string, number> = {};
  for (const table of await storedTables(tx)) {
    const { name, columns } = table;
    rows[name] = 0;
    yield writeTableStart({ table: name, columns: columns.map((column) => column.name) });
    for await (const lines of dumpTable(tx, table, withoutPrivateKeys)) {
      rows[name] = (rows[name] ?? 0) + lines.length;
      onRows?.(lines.length);
      yield Buffer.concat(lines);
    }
    yield writtenTableEnd;
  }
  const sequences = await readSequences(tx);
  await close();
  onRead?.(rows);
  yield writeContentEnd({ rows, sequences });
}

/** How much of the time to work while something else is more important. */
const busyShare = 0.2;
const realTime = { now: () => performance.now(), pause: (ms: number): Promise<unknown> => setTimeout(ms) };

/** Passes chunks on as fast as they can be made, but makes them only part of the time while `isBusy`. */
export async function* paced<T>(
  chunks: AsyncGenerator<T>,
  isBusy: () => boolean,
  { now, pause } = realTime,
): AsyncGenerator<T> {
  try {
    for (;;) {
      const start = now();
      const next = await chunks.next();
      if (next.done) return;
      const workedMs = now() - start;
      yield next.value;
      if (isBusy()) await pause(workedMs * (1 / busyShare - 1));
    }
  } finally {
    await chunks.return(undefined);
  }
}

const chunkBytes = 1024 * 1024;

/**
 * Reads everything into a temporary file before it hands out the first byte. The file is encrypted with a key that is
 * never stored, so that nothing readable stays on the disk.
 */
async function* spooled(content: AsyncIterable<Buffer>, directory: string): AsyncGenerator<Buffer> {
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
