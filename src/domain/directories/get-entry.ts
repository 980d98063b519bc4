import type { DirectoryKind } from '../../contract/directories.js';
import { type Failure, failure } from '../../contract/errors.js';
import { serialReferenceField } from '../../contract/fields.js';
import { getDirectoryEntry } from '../../storage/directories/entries.js';
import type { Context } from '../context.js';
import { quoted } from '../read-fields.js';
import { type EntryView, viewOf } from './entry-view.js';
import { withFreshUsers } from './fresh-counts.js';

export async function getEntry(
  context: Context,
  kind: DirectoryKind,
  serial: string,
): Promise<EntryView | Failure> {
  if (!serialReferenceField.accepts(serial)) return noSuchEntry(kind, serial);
  return withFreshUsers(context, async (tx, fresh) => {
    const entry = await getDirectoryEntry(tx, kind, serial, fresh);
    return entry ? viewOf(kind, entry) : noSuchEntry(kind, serial);
  });
}

export function noSuchEntry(kind: DirectoryKind, serial: string): Failure {
  const noun = kind === 'organizations' ? 'organization' : 'tag';
  return failure(
    'DIRECTORY_ENTRY_NOT_FOUND',
    `No ${noun} in the directory has the serial "${quoted(serial)}".`,
  );
}
