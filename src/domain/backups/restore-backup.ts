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
    await fillDatabase(database, { migrations: header.migrations, parts }, onRows ? { onRows } : {});
  } finally {
    await close();
  }
}
