import { appliedMigrations } from '../../storage/applied-migrations.js';
import { type TableDigest, tableDigests } from '../../storage/backups/digests.js';
import type { StoredTable } from '../../storage/backups/dump.js';
import { openSnapshot } from '../../storage/backups/snapshot.js';
import type { Database, Executor } from '../../storage/database.js';
import { StartupError } from '../../storage/errors.js';
import { fillDatabase } from './fill-database.js';
import { readContent } from './format/content.js';
import { dumpContent } from './make-backup.js';

export interface MoveOptions {
  readonly onRows?: (count: number) => void;
  /** Called when all rows are written and are compared with the source next. */
  readonly onComparing?: () => void;
}

/**
 * Copies everything into an empty database. Before it is committed there, every row is compared with the source as it is
 * by then, so a source that changed meanwhile is noticed. Returns how many rows each table has.
 */
export async function moveData(
  source: Database,
  target: Database,
  { onRows, onComparing }: MoveOptions = {},
): Promise<readonly TableDigest[]> {
  let compared: readonly TableDigest[] = [];
  const snapshot = await openSnapshot(source);
  try {
    const migrations = await appliedMigrations(snapshot.tx);
    const parts = readContent(dumpContent(snapshot));
    await fillDatabase(
      target,
      { migrations, parts },
      {
        ...(onRows ? { onRows } : {}),
        check: async (tx, tables) => {
          onComparing?.();
          compared = await compareAll(source, tx, tables);
        },
      },
    );
    return compared;
  } finally {
    await snapshot.close();
  }
}

async function compareAll(
  source: Database,
  tx: Executor,
  tables: readonly StoredTable[],
): Promise<readonly TableDigest[]> {
  const copied = await tableDigests(tx, tables);
  const snapshot = await openSnapshot(source);
  try {
    const differing = differences(await tableDigests(snapshot.tx, tables), copied);
    if (differing.length === 0) return copied;
  } finally {
    await snapshot.close();
  }
  throw new StartupError(
    `The source changed while it was copied, so nothing was kept. Stop every service that uses ${source.description}, and run the command again.`,
  );
}

/** The tables whose rows are not the same. */
export function differences(one: readonly TableDigest[], other: readonly TableDigest[]): string[] {
  return one
    .filter((each, i) => each.digest !== other[i]?.digest || each.rows !== other[i]?.rows)
    .map(({ table }) => table);
}
