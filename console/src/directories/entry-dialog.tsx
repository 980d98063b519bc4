import { Loader, Stack, Text } from '@mantine/core';
import { limits } from '@rollcall/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ConfirmDialog } from '../components/dialog.js';
import {
  type DirectoryKind,
  type Entry,
  listOrganizations,
  useDisplayNames,
} from '../components/directory.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { notify } from '../components/notify.js';
import { Problem } from '../components/problem.js';
import { directoriesCopy } from '../copy/on-demand-copy.js';
import { MatchingDialog } from '../matching/matching-dialog.js';
import { PreviewForm } from '../matching/preview-form.js';
import { AddEntry, EditEntry } from './edit-entry.js';
import type { EntryAction } from './entry-action.js';
import { deleteEntry, mergeCall, moveOrganizations } from './entry-calls.js';
import { RenameEntry } from './rename-entry.js';

interface EntryDialogProps {
  readonly kind: DirectoryKind;
  readonly action: EntryAction;
  /** Replaces the dialog with that of another action. */
  readonly onAction: (action: EntryAction) => void;
  /** An organization became part of this one. */
  readonly onNested: (parentSerial: string) => void;
  readonly onRenamed: (from: string, to: string) => void;
  readonly onClose: () => void;
}

export function EntryDialog({ kind, action, onAction, onNested, onRenamed, onClose }: EntryDialogProps) {
  if (action.verb === 'add') {
    const onEdit = (entry: Entry) => onAction({ verb: 'edit', entry });
    return <AddEntry kind={kind} onEdit={onEdit} onNested={onNested} onClose={onClose} />;
  }
  const { verb, entry } = action;
  const props = { kind, entry, onClose };
  switch (verb) {
    case 'edit':
      return <EditEntry {...props} onNested={onNested} />;
    case 'rename':
      return (
        <RenameEntry
          {...props}
          onMerge={(into) => onAction({ verb: 'merge', entry, into })}
          onRenamed={onRenamed}
        />
      );
    case 'merge':
      return <MergeEntry {...props} {...('into' in action && { suggested: action.into })} />;
    case 'remove':
      return <RemoveEntry {...props} />;
  }
}

interface MergeEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** The serial of the one to merge into, unless another one is chosen. */
  readonly suggested?: string;
  readonly onClose: () => void;
}

const mergeCopy = directoriesCopy.merge;

/** Moves all users of an organization or tag to another one. */
function MergeEntry({ kind, entry, suggested, onClose }: MergeEntryProps) {
  const [into, setInto] = useState(suggested ?? null);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const names = useDisplayNames(kind, into === null ? [] : [into]);
  const request = into !== null && {
    key: ['merge', kind, entry.serial, into],
    call: mergeCall(kind, entry.serial, into),
    summary: mergeCopy.summary[kind](
      fullEntryName(entry),
      fullEntryName({ serial: into, displayName: names.get(into) ?? null }),
    ),
    confirm: mergeCopy.confirm[kind],
    doneNote: mergeCopy.oldStays(entryName(entry)),
  };
  return (
    <MatchingDialog
      title={mergeCopy.title(kind, entryName(entry))}
      request={(isPreviewed && request) || undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <PreviewForm onPreview={() => setIsPreviewed(into !== null)} onCancel={onClose}>
        <Text size="sm">{mergeCopy.lead[kind]}</Text>
        <EntrySelect
          kind={kind}
          label={mergeCopy.into}
          value={into}
          onChange={setInto}
          except={entry.serial}
          isRequired
        />
      </PreviewForm>
    </MatchingDialog>
  );
}

interface RemoveEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const removeCopy = directoriesCopy.remove;
const noParts: readonly Entry[] = [];

/** Deletes an entry without users. The organizations that are part of it move to another one first. */
function RemoveEntry({ kind, entry, onClose }: RemoveEntryProps) {
  const [parent, setParent] = useState(entry.parentSerial ?? null);
  const isOrganization = kind === 'organizations';
  const search = useQuery({ ...partsQuery(entry.serial), enabled: isOrganization });
  const parts = isOrganization ? search.data : noParts;
  const remove = async () => {
    await moveOrganizations(parts ?? noParts, parent);
    await deleteEntry(kind, entry.serial);
    notify(removeCopy.done(entryName(entry)));
  };
  return (
    <ConfirmDialog
      title={removeCopy.title(entryName(entry))}
      confirm={parts?.length ? removeCopy.confirmWithParts(parts.length) : removeCopy.confirm}
      isDangerous
      isReady={parts !== undefined}
      failed={removeCopy.failed(kind)}
      action={remove}
      onClose={onClose}
    >
      <Stack>
        {removeCopy.text(kind)}
        {search.error && (
          <Problem
            title={removeCopy.partsNotLoaded}
            error={search.error}
            onRetry={() => void search.refetch()}
          />
        )}
        {parts === undefined && !search.error && <Loader size="sm" aria-label={removeCopy.partsLoading} />}
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
        {removeCopy.parts(names, parts.length)}
      </Text>
      <EntrySelect
        kind="organizations"
        label={removeCopy.newParent}
        description={removeCopy.newParentHint}
        value={parent}
        onChange={onParent}
        except={serial}
      />
    </>
  );
}

/** The organizations that are part of another one. */
function partsQuery(serial: string) {
  return queryOptions({
    queryKey: ['parts', serial],
    queryFn: ({ signal }) => findParts(serial, signal),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

async function findParts(parentSerial: string, signal: AbortSignal): Promise<Entry[]> {
  const parts: Entry[] = [];
  let cursor: string | undefined;
  do {
    const page = await listOrganizations({ parentSerial, limit: limits.pageLimitMax, cursor }, signal);
    parts.push(...page.items);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return parts;
}
