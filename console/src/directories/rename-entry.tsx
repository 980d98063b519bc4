import { Anchor, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { type DirectoryKind, type Entry, findEntry } from '../components/directory.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { directoriesCopy } from '../copy/on-demand-copy.js';
import type { MatchingRequest } from '../matching/matching-call.js';
import { MatchingDialog } from '../matching/matching-dialog.js';
import { PreviewForm } from '../matching/preview-form.js';
import { NewIdInput } from './edit-entry.js';
import { renameCall } from './entry-calls.js';

interface RenameEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** Merges the entry instead, into one that already has the serial. */
  readonly onMerge: (into: string) => void;
  readonly onRenamed: (from: string, to: string) => void;
  readonly onClose: () => void;
}

const copy = directoriesCopy.rename;

/** Gives an organization or tag, and all its users, another serial. */
export function RenameEntry({ kind, entry, onMerge, onRenamed, onClose }: RenameEntryProps) {
  const { serial } = entry;
  const [typed, setTyped] = useState('');
  const [isPreviewed, setIsPreviewed] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const newSerial = typed.trim();
  const isSame = newSerial === serial;
  const check = useMutation({
    mutationFn: () => findHolder(kind, serial, newSerial),
    onSuccess: (holder) => (holder ? input.current?.focus() : setIsPreviewed(true)),
    // The preview fails in the same way, and says why.
    onError: () => setIsPreviewed(true),
  });
  const rename = renameCall(kind, serial, newSerial);
  const request: MatchingRequest = {
    key: ['rename', kind, serial, newSerial],
    call: async (query) => {
      const result = await rename(query);
      if (!query.dryRun) onRenamed(serial, newSerial);
      return result;
    },
    summary: copy.summary(serial, newSerial),
    confirm: copy.confirm,
    doneWithoutUsers: copy.done,
  };
  return (
    <MatchingDialog
      title={copy.title(entryName(entry))}
      request={isPreviewed ? request : undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <PreviewForm
        onPreview={() => newSerial !== '' && !isSame && check.mutate()}
        isChecking={check.isPending}
        onCancel={onClose}
      >
        <Text size="sm">{copy.lead[kind]}</Text>
        <div>
          <Text size="sm" c="dimmed">
            {copy.currentId}
          </Text>
          <Text style={{ overflowWrap: 'anywhere' }}>{serial}</Text>
        </div>
        <NewIdInput
          ref={input}
          label={copy.newId}
          error={
            isSame
              ? copy.sameId
              : check.data && <Taken kind={kind} entry={entry} holder={check.data} onMerge={onMerge} />
          }
          value={typed}
          onType={(text) => {
            setTyped(text);
            check.reset();
          }}
        />
      </PreviewForm>
    </MatchingDialog>
  );
}

interface TakenProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** Has the serial already. */
  readonly holder: Entry;
  readonly onMerge: (into: string) => void;
}

/** Only users are merged, so there must be some. */
function Taken({ kind, entry, holder, onMerge }: TakenProps) {
  return (
    <span style={{ overflowWrap: 'anywhere' }}>
      {holder.displayName === null ? copy.takenNoName(kind) : copy.taken(fullEntryName(holder))}
      {entry.users.total > 0 && (
        <>
          {` ${copy.mergeInstead} `}
          <Anchor component="button" type="button" size="xs" onClick={() => onMerge(holder.serial)}>
            {directoriesCopy.merge.action}
          </Anchor>
        </>
      )}
    </span>
  );
}

/** The entry that keeps another one from getting its serial. A rename that was interrupted can be repeated. */
async function findHolder(
  kind: DirectoryKind,
  serial: string,
  newSerial: string,
): Promise<Entry | undefined> {
  const holder = await findEntry(kind, newSerial);
  if (holder === undefined) return undefined;
  try {
    await renameCall(kind, serial, newSerial)({ dryRun: true });
    return undefined;
  } catch (error) {
    if (isRollcallError(error, 'DIRECTORY_ENTRY_EXISTS')) return holder;
    throw error;
  }
}
