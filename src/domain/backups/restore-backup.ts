import { holdWhatMayHaveEnded } from '../../storage/backups/load.js';
import type { Database } from '../../storage/database.js';
import { fillDatabase, tryRows } from './fill-database.js';
import { openBackup } from './format/backup-stream.js';
import type { ContentEnd } from './format/content.js';
import { type BackupHeader, damaged } from './format/header.js';

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

export interface InspectedBackup extends ContentEnd {
  readonly header: BackupHeader;
  /** The keys that it includes, in Base64. */
  readonly secretKeys: readonly string[];
}

/** Reads a backup to its end, and throws if anything is wrong with it. */
export async function inspectBackup(
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
  onRows: (count: number) => void = () => {},
): Promise<InspectedBackup> {
  const { header, extras, parts, close } = await openBackup(bytes, passphrase);
  try {
    for await (const part of parts) {
      if (part.kind === 'rows') onRows(part.count);
      if (part.kind === 'end') return { header, secretKeys: extras.secretKeys ?? [], ...part.end };
    }
  } finally {
    await close();
  }
  throw damaged('its last line is missing');
}

/** The same, and checks every table, column and value against the schema, in a database that is empty and thrown away. */
export async function verifyBackup(
  scratch: Database,
  bytes: AsyncIterable<Uint8Array>,
  passphrase: string | undefined,
  onRows: (count: number) => void,
): Promise<InspectedBackup> {
  const { header, extras, parts, close } = await openBackup(bytes, passphrase);
  try {
    const end = await tryRows(scratch, { migrations: header.migrations, parts }, onRows);
    return { header, secretKeys: extras.secretKeys ?? [], ...end };
  } finally {
    await close();
  }
}

export function totalRows({ rows }: Pick<ContentEnd, 'rows'>): number {
  return Object.values(rows).reduce((sum, count) => sum + count, 0);
}
