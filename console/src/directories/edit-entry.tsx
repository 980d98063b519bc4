import { useState } from 'react';
import { FormDialog } from '../components/dialog.js';
import type { DirectoryKind, Entry } from '../components/directory.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { commonCopy, directoriesCopy } from '../copy/copy.js';
import { saveEntry } from './entry-calls.js';
import { detailsOf, EntryFields } from './entry-fields.js';

interface EditEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const copy = directoriesCopy.edit;

export function EditEntry({ kind, entry, onClose }: EditEntryProps) {
  const { serial, displayName, parentSerial = null } = entry;
  const [draft, setDraft] = useState({ displayName: displayName ?? '', parentSerial });
  const save = async () => {
    const details = detailsOf(draft);
    await saveEntry(kind, serial, details);
    notify(copy.saved(entryName({ serial, ...details })));
  };
  return (
    <FormDialog
      title={copy.title(fullEntryName(entry))}
      save={commonCopy.save}
      failed={copy.failed}
      action={save}
      onClose={onClose}
    >
      <EntryFields kind={kind} serial={serial} draft={draft} onChange={setDraft} isFirst />
    </FormDialog>
  );
}
