import { TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { useState } from 'react';
import type { DirectoryKind, Entry } from '../components/directory.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { EntrySelect } from '../components/entry-select.js';
import { FormDialog } from '../components/form-dialog.js';
import { notify } from '../components/notify.js';
import { commonCopy } from '../copy/common.js';
import { directoriesCopy } from '../copy/directories.js';
import { saveEntry } from './entry-calls.js';

interface EditEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const copy = directoriesCopy.edit;

export function EditEntry({ kind, entry, onClose }: EditEntryProps) {
  const { serial } = entry;
  const [typedName, setTypedName] = useState(entry.displayName ?? '');
  const [parentSerial, setParentSerial] = useState(entry.parentSerial ?? null);
  const save = async () => {
    const displayName = typedName.trim() || null;
    await saveEntry(kind, serial, { displayName, parentSerial });
    notify(copy.saved(entryName({ serial, displayName })));
  };
  return (
    <FormDialog
      title={copy.title(fullEntryName(entry))}
      save={commonCopy.save}
      failed={copy.failed}
      action={save}
      onClose={onClose}
    >
      <TextInput
        label={copy.displayName}
        description={copy.displayNameHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={limits.labelMaxLength}
        autoComplete="off"
        value={typedName}
        onChange={(event) => setTypedName(event.currentTarget.value)}
        data-autofocus
      />
      {kind === 'organizations' && (
        <EntrySelect
          kind={kind}
          label={copy.parent}
          description={copy.parentHint}
          value={parentSerial}
          onChange={setParentSerial}
          except={serial}
        />
      )}
    </FormDialog>
  );
}
