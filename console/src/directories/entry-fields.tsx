import { TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import type { DirectoryKind } from '../components/directory.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { directoriesCopy } from '../copy/copy.js';
import type { EntryDetails } from './entry-calls.js';

/** What is entered, with an empty name for none. */
export interface EntryDraft {
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

const copy = directoriesCopy.fields;

export function EntryFields({ kind, serial, draft, onChange, isFirst }: EntryFieldsProps) {
  return (
    <>
      <TextInput
        label={copy.displayName}
        description={copy.displayNameHint}
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
          label={copy.parent}
          description={copy.parentHint}
          value={draft.parentSerial}
          onChange={(parentSerial) => onChange({ ...draft, parentSerial })}
          except={serial}
        />
      )}
    </>
  );
}

export function detailsOf({ displayName, parentSerial }: EntryDraft): EntryDetails {
  return { displayName: displayName.trim() || null, parentSerial };
}
