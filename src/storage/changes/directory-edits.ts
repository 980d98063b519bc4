import type { FieldChange } from '../../contract/changes.js';
import type { DirectoryEditKind, DirectoryKind } from '../../contract/directories.js';
import type { Executor } from '../database.js';
import { deleteBatch } from '../sql.js';

/** Someone named, nested, added or removed an organization or a tag. */
export interface DirectoryEdit {
  readonly directory: DirectoryKind;
  readonly serial: string;
  readonly kind: DirectoryEditKind;
  /** Those that have changed. */
  readonly fields: { readonly displayName?: FieldChange; readonly parentSerial?: FieldChange };
}

export interface NewDirectoryEdit extends DirectoryEdit {
  readonly id: string;
  readonly actor: { readonly kind: string; readonly id: string };
  readonly requestId: string;
}

export async function insertDirectoryEdit(tx: Executor, edit: NewDirectoryEdit): Promise<void> {
  const { id, directory, serial, kind, fields, actor, requestId } = edit;
  await tx.query(
    `INSERT INTO directory_edits (id, directory, serial, kind, fields, actor_kind, actor_id, request_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`,
    [id, directory, serial, kind, JSON.stringify(fields), actor.kind, actor.id, requestId],
  );
}

/** Returns true if there may be more. */
export function deleteOldDirectoryEdits(executor: Executor, olderThanDays: number): Promise<boolean> {
  const condition = 'at < now() - make_interval(days => $1)';
  return deleteBatch(executor, { table: 'directory_edits', condition, values: [olderThanDays] });
}
