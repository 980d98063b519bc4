import { Anchor } from '@mantine/core';
import { useRef, useState } from 'react';
import { FormDialog } from '../components/dialog.js';
import { type DirectoryKind, type Entry, findEntry } from '../components/directory.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { directoriesCopy } from '../copy/copy.js';
import { saveEntry } from './entry-calls.js';
import { detailsOf, type EntryDraft, EntryFields } from './entry-fields.js';
import { NewIdInput } from './new-id-input.js';

interface AddEntryProps {
  readonly kind: DirectoryKind;
  /** Opens the entry that already has the serial. */
  readonly onEdit: (entry: Entry) => void;
  readonly onClose: () => void;
}

const copy = directoriesCopy.add;

export function AddEntry({ kind, onEdit, onClose }: AddEntryProps) {
  const [typed, setTyped] = useState('');
  const [draft, setDraft] = useState<EntryDraft>({ displayName: '', parentSerial: null });
  const [existing, setExisting] = useState<Entry>();
  const input = useRef<HTMLInputElement>(null);
  const serial = typed.trim();
  const add = async () => {
    // Saving would replace the name of an entry that exists.
    const found = await findEntry(kind, serial);
    setExisting(found);
    if (found) {
      input.current?.focus();
      return;
    }
    const details = detailsOf(draft);
    await saveEntry(kind, serial, details);
    notify(copy.done(entryName({ serial, ...details })));
    onClose();
  };
  return (
    <FormDialog
      title={copy.action(kind)}
      save={copy.action(kind)}
      failed={copy.failed(kind)}
      isComplete={serial !== ''}
      action={add}
      staysOpen
      onClose={onClose}
    >
      <NewIdInput
        ref={input}
        label={directoriesCopy.id}
        {...(existing
          ? { error: <Existing entry={existing} onEdit={() => onEdit(existing)} /> }
          : { description: copy.idHint[kind] })}
        value={typed}
        onType={(text) => {
          setTyped(text);
          setExisting(undefined);
        }}
      />
      <EntryFields kind={kind} serial={serial} draft={draft} onChange={setDraft} />
    </FormDialog>
  );
}

function Existing({ entry, onEdit }: { entry: Entry; onEdit: () => void }) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {copy.exists(fullEntryName(entry))}{' '}
      <Anchor component="button" type="button" size="xs" onClick={onEdit}>
        {copy.editInstead}
      </Anchor>
    </span>
  );
}
