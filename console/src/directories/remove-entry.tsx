import { Loader, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/dialog.js';
import type { DirectoryKind, Entry } from '../components/directory.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { Problem } from '../components/problem.js';
import { directoriesCopy } from '../copy/copy.js';
import { deleteEntry, moveOrganizations } from './entry-calls.js';
import { partsQuery } from './parts.js';

interface RemoveEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const copy = directoriesCopy.remove;
const noParts: readonly Entry[] = [];

/** Deletes an entry without users. The organizations that are part of it move to another one first. */
export function RemoveEntry({ kind, entry, onClose }: RemoveEntryProps) {
  const [parent, setParent] = useState(entry.parentSerial ?? null);
  const isOrganization = kind === 'organizations';
  const search = useQuery({ ...partsQuery(entry.serial), enabled: isOrganization });
  const parts = isOrganization ? search.data : noParts;
  const remove = async () => {
    await moveOrganizations(parts ?? noParts, parent);
    await deleteEntry(kind, entry.serial);
    notify(copy.done(entryName(entry)));
  };
  return (
    <ConfirmDialog
      title={copy.title(entryName(entry))}
      confirm={parts?.length ? copy.confirmWithParts(parts.length) : copy.confirm}
      isDangerous
      isReady={parts !== undefined}
      failed={copy.failed(kind)}
      action={remove}
      onClose={onClose}
    >
      <Stack>
        {copy.text(kind)}
        {search.error && (
          <Problem title={copy.partsNotLoaded} error={search.error} onRetry={() => void search.refetch()} />
        )}
        {parts === undefined && !search.error && <Loader size="sm" aria-label={copy.partsLoading} />}
        {parts !== undefined && parts.length > 0 && (
          <Parts parts={parts} serial={entry.serial} parent={parent} onParent={setParent} />
        )}
      </Stack>
    </ConfirmDialog>
  );
}

interface PartsProps {
  readonly parts: readonly Entry[];
  readonly serial: string;
  readonly parent: string | null;
  readonly onParent: (serial: string | null) => void;
}

const namedPartsMax = 5;

function Parts({ parts, serial, parent, onParent }: PartsProps) {
  const names = parts.slice(0, namedPartsMax).map(fullEntryName);
  return (
    <>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        {copy.parts(names, parts.length)}
      </Text>
      <EntrySelect
        kind="organizations"
        label={copy.newParent}
        description={copy.newParentHint}
        value={parent}
        onChange={onParent}
        except={serial}
      />
    </>
  );
}
