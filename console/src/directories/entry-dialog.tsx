import type { DirectoryKind } from '../components/directory.js';
import { AddEntry } from './add-entry.js';
import { EditEntry } from './edit-entry.js';
import type { EntryAction } from './entry-action.js';
import { MergeEntry } from './merge-entry.js';
import { RemoveEntry } from './remove-entry.js';
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
      return <RenameEntry {...props} onMerge={(into) => onAction({ verb: 'merge', entry, into })} />;
    case 'merge':
      return <MergeEntry {...props} {...('into' in action && { suggested: action.into })} />;
    case 'remove':
      return <RemoveEntry {...props} />;
  }
}
