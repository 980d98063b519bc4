import { Text, TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { useState } from 'react';
import type { DirectoryKind, Entry } from '../components/directory.js';
import { entryName } from '../components/entry-name.js';
import { directoriesCopy } from '../copy/directories.js';
import { MatchingDialog } from '../matching/matching-dialog.js';
import { PreviewForm } from '../matching/preview-form.js';
import { renameCall } from './entry-calls.js';

interface RenameEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const copy = directoriesCopy.rename;

/** Gives an organization or tag, and all its users, another serial. */
export function RenameEntry({ kind, entry, onClose }: RenameEntryProps) {
  const { serial } = entry;
  const [typed, setTyped] = useState('');
  const [isPreviewed, setIsPreviewed] = useState(false);
  const newSerial = typed.trim();
  const isSame = newSerial === serial;
  const request = {
    key: ['rename', kind, serial, newSerial],
    call: renameCall(kind, serial, newSerial),
    summary: copy.summary(serial, newSerial),
    confirm: copy.confirm,
    doneWithoutUsers: copy.done,
    doneNote: copy.oldIdStays(serial),
  };
  return (
    <MatchingDialog
      title={copy.title(entryName(entry))}
      request={isPreviewed ? request : undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <PreviewForm onPreview={() => setIsPreviewed(newSerial !== '' && !isSame)} onCancel={onClose}>
        <Text size="sm">{copy.lead(kind)}</Text>
        <div>
          <Text size="sm" c="dimmed">
            {copy.currentId}
          </Text>
          <Text style={{ overflowWrap: 'anywhere' }}>{serial}</Text>
        </div>
        <TextInput
          label={copy.newId}
          error={isSame ? copy.sameId : undefined}
          maxLength={limits.serialMaxLength}
          autoComplete="off"
          required
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          data-autofocus
        />
      </PreviewForm>
    </MatchingDialog>
  );
}
