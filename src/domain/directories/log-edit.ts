import { v7 } from 'uuid';
import type { FieldChange } from '../../contract/changes.js';
import type { DirectoryKind } from '../../contract/directories.js';
import { insertDirectoryEdit } from '../../storage/changes/directory-edits.js';
import type { Executor } from '../../storage/database.js';
import type { Caller } from '../caller.js';

/** What people see of an entry; undefined if it is not in the directory. */
export type EntryTexts =
  | { readonly displayName: string | null; readonly parentSerial: string | null }
  | undefined;

/** Records who edited an entry, if it is different now. */
export async function logEdit(
  tx: Executor,
  {
    directory,
    serial,
    before,
    after,
  }: { directory: DirectoryKind; serial: string; before: EntryTexts; after: EntryTexts },
  { actor, requestId }: Caller,
): Promise<void> {
  const changed = (name: keyof NonNullable<EntryTexts>): FieldChange[] => {
    const change = { before: before?.[name] ?? null, after: after?.[name] ?? null };
    return change.before === change.after ? [] : [change];
  };
  const [[displayName], [parentSerial]] = [changed('displayName'), changed('parentSerial')];
  const fields = { ...(displayName && { displayName }), ...(parentSerial && { parentSerial }) };
  if (before && after && Object.keys(fields).length === 0) return;
  const kind = before ? (after ? 'changed' : 'removed') : 'added';
  await insertDirectoryEdit(tx, { id: v7(), directory, serial, kind, fields, actor, requestId });
}
