import { holdWhatMayHaveEnded } from '../../storage/backups/load.js';
import type { Database } from '../../storage/database.js';
import { fillDatabase } from './fill-database.js';
import { openBackup } from './format/backup-stream.js';

/** Writes a backup into an empty database. */
export async function restoreBackup(
  database: Database,
  bytes: AsyncIterable<Uint8Array>,
  { passphrase, onRows }: { passphrase: string | undefined; onRows?: (count: number) => void },
): Promise<void> {
  const { header, parts, close } = await openBackup(bytes, passphrase);
  try {
    const source = { migrations: header.migrations, parts };
    await fillDatabase(database, source, { ...(onRows ? { onRows } : {}), finish: holdWhatMayHaveEnded });
  } finally {
    await close();
  }
}
