import { Anchor, TextInput, type TextInputProps } from '@mantine/core';
import { limits } from '@rollcall/client';
import { useRef, useState } from 'react';
import { FormDialog } from '../components/dialog.js';
import { type DirectoryKind, type Entry, findEntry } from '../components/directory.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { commonCopy } from '../copy/copy.js';
import { directoriesCopy } from '../copy/on-demand-copy.js';
import { type EntryDetails, saveEntry } from './entry-calls.js';

interface EditEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** It became part of this organization. */
  readonly onNested: (parentSerial: string) => void;
  readonly onClose: () => void;
}

const copy = directoriesCopy.edit;

export function EditEntry({ kind, entry, onNested, onClose }: EditEntryProps) {
  const { serial, displayName, parentSerial = null } = entry;
  const [draft, setDraft] = useState({ displayName: displayName ?? '', parentSerial });
  const save = async () => {
    const details = detailsOf(draft);
    await saveEntry(kind, serial, details);
    if (details.parentSerial !== null && details.parentSerial !== parentSerial)
      onNested(details.parentSerial);
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

interface AddEntryProps {
  readonly kind: DirectoryKind;
  /** Opens the entry that already has the serial. */
  readonly onEdit: (entry: Entry) => void;
  readonly onNested: (parentSerial: string) => void;
  readonly onClose: () => void;
}

const addCopy = directoriesCopy.add;

export function AddEntry({ kind, onEdit, onNested, onClose }: AddEntryProps) {
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
    if (details.parentSerial !== null) onNested(details.parentSerial);
    notify(addCopy.done(entryName({ serial, ...details })));
    onClose();
  };
  return (
    <FormDialog
      title={addCopy.action(kind)}
      save={addCopy.action(kind)}
      failed={addCopy.failed(kind)}
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
          : { description: addCopy.idHint[kind] })}
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
      {addCopy.exists(fullEntryName(entry))}{' '}
      <Anchor component="button" type="button" size="xs" onClick={onEdit}>
        {addCopy.editInstead}
      </Anchor>
    </span>
  );
}

/** What is entered, with an empty name for none. */
interface EntryDraft {
  readonly displayName: string;
  readonly parentSerial: string | null;
}

interface EntryFieldsProps {
  readonly kind: DirectoryKind;
  /** Can't be its own parent. */
  readonly serial: string;
  readonly draft: EntryDraft;
  readonly onChange: (draft: EntryDraft) => void;
  readonly isFirst?: boolean;
}

const fieldsCopy = directoriesCopy.fields;

function EntryFields({ kind, serial, draft, onChange, isFirst }: EntryFieldsProps) {
  return (
    <>
      <TextInput
        label={fieldsCopy.displayName}
        description={fieldsCopy.displayNameHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        maxLength={limits.labelMaxLength}
        autoComplete="off"
        value={draft.displayName}
        onChange={(event) => onChange({ ...draft, displayName: event.currentTarget.value })}
        data-autofocus={isFirst || undefined}
      />
      {kind === 'organizations' && (
        <EntrySelect
          kind={kind}
          label={fieldsCopy.parent}
          description={fieldsCopy.parentHint}
          value={draft.parentSerial}
          onChange={(parentSerial) => onChange({ ...draft, parentSerial })}
          except={serial}
        />
      )}
    </>
  );
}

function detailsOf({ displayName, parentSerial }: EntryDraft): EntryDetails {
  return { displayName: displayName.trim() || null, parentSerial };
}

interface NewIdInputProps extends Pick<TextInputProps, 'label' | 'description' | 'error' | 'value' | 'ref'> {
  readonly onType: (text: string) => void;
}

/** Enters an ID that no organization or tag has yet. The dialog starts with it. */
export function NewIdInput({ onType, ...props }: NewIdInputProps) {
  return (
    <TextInput
      {...props}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      maxLength={limits.serialMaxLength}
      autoComplete="off"
      required
      onChange={(event) => onType(event.currentTarget.value)}
      data-autofocus
    />
  );
}
