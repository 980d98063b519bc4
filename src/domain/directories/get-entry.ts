import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { serialReferenceField } from '../../contract/fields.js';
import { snapshot } from '../../storage/database.js';
import { getDirectoryEntry } from '../../storage/directories/entries.js';
import type { Context } from '../context.js';
import { quoted } from '../read-fields.js';
import { type EntryView, viewOf } from './entry-view.js';
import { freshCounts } from './fresh-counts.js';

export async function getEntry(
  context: Context,
  kind: DirectoryKind,
  serial: string,
): Promise<EntryView | Failure> {
  if (!serialReferenceField.accepts(serial)) return noSuchEntry(kind, serial);
  return snapshot(context.database, async (tx) => {
    const counts = await freshCounts(tx);
    const entry = await getDirectoryEntry(tx, kind, serial, counts.fresh);
    return entry ? viewOf(kind, entry, counts) : noSuchEntry(kind, serial);
  });
}

export function noSuchEntry(kind: DirectoryKind, serial: string): Failure {
  const noun = kind === 'organizations' ? 'organization' : 'tag';
  return failure(
    'DIRECTORY_ENTRY_NOT_FOUND',
    `No ${noun} in the directory has the serial "${quoted(serial)}".`,
  );
}
