import type { FieldChanges } from '../../contract/changes.js';
import type { DirectoryKind } from '../../contract/directories.js';
import type { CallKind } from '../../contract/enums.js';
import { type Call, getCall } from '../../storage/changes/calls.js';
import type { Executor } from '../../storage/database.js';
import { markUndone } from '../../storage/directories/entries.js';
import { moveEntry, replacementIn, serialsAdded } from './replace-serial.js';

const renames: Partial<Record<CallKind, DirectoryKind>> = {
  'rename-organization': 'organizations',
  'rename-tag': 'tags',
};

type Changes = readonly { readonly fields: FieldChanges }[];

/** What an undo means for the directories: a renamed entry moves back, and entries that only the call brought disappear. */
export async function undoEntries(tx: Executor, undone: Call, changes: Changes): Promise<void> {
  await undoRename(tx, undone, changes);
  for (const kind of ['organizations', 'tags'] as const) {
    const added = new Set(changes.flatMap(({ fields }) => serialsAdded(kind, fields)));
    if (added.size > 0) await markUndone(tx, kind, [...added], undone.startedAt);
  }
}

/**
 * Moves a directory entry back with its users when a rename is undone, or forth again when that undo is undone. What the
 * call did is known only from its users, so the rename of an entry without users is not undone.
 */
async function undoRename(tx: Executor, undone: Call, changes: Changes): Promise<void> {
  const kind = renames[await originalKind(tx, undone)];
  if (!kind) return;
  for (const { fields } of changes) {
    const replacement = replacementIn(kind, fields);
    if (!replacement) continue;
    await moveEntry(tx, kind, { from: replacement.to, to: replacement.from });
    return;
  }
}

/** The kind of the call that was undone, perhaps several times back and forth. */
async function originalKind(tx: Executor, call: Call): Promise<CallKind> {
  const earlier = call.undoes === null ? undefined : await getCall(tx, call.undoes);
  return earlier ? originalKind(tx, earlier) : call.kind;
}
