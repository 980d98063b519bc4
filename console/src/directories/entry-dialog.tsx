import { ConfirmDialog } from '../components/confirm-dialog.js';
import type { DirectoryKind } from '../components/directory.js';
import { entryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { directoriesCopy as copy } from '../copy/directories.js';
import { AddEntry } from './add-entry.js';
import { EditEntry } from './edit-entry.js';
import type { EntryAction } from './entry-action.js';
import { deleteEntry } from './entry-calls.js';
import { MergeEntry } from './merge-entry.js';
import { RenameEntry } from './rename-entry.js';

interface EntryDialogProps {
  readonly kind: DirectoryKind;
  readonly action: EntryAction;
  /** Replaces the dialog with that of another action. */
  readonly onAction: (action: EntryAction) => void;
  readonly onClose: () => void;
}

export function EntryDialog({ kind, action, onAction, onClose }: EntryDialogProps) {
  if (action.verb === 'add') {
    return <AddEntry kind={kind} onEdit={(entry) => onAction({ verb: 'edit', entry })} onClose={onClose} />;
  }
  const { verb, entry } = action;
  const props = { kind, entry, onClose };
  switch (verb) {
    case 'edit':
      return <EditEntry {...props} />;
    case 'rename':
      return <RenameEntry {...props} />;
    case 'merge':
      return <MergeEntry {...props} />;
    case 'remove':
      return (
        <ConfirmDialog
          title={copy.remove.title(entryName(entry))}
          confirm={copy.remove.confirm}
          isDangerous
          failed={copy.remove.failed(kind)}
          action={async () => {
            await deleteEntry(kind, entry.serial);
            notify(copy.remove.done(entryName(entry)));
          }}
          onClose={onClose}
        >
          {copy.remove.text(kind)}
        </ConfirmDialog>
      );
  }
}
