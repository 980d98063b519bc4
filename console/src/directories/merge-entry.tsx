import { Text } from '@mantine/core';
import { useState } from 'react';
import { type DirectoryKind, type Entry, useDisplayNames } from '../components/directory.js';
import { EntrySelect } from '../components/entry-inputs.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { directoriesCopy } from '../copy/copy.js';
import { MatchingDialog } from '../matching/matching-dialog.js';
import { PreviewForm } from '../matching/preview-form.js';
import { mergeCall } from './entry-calls.js';

interface MergeEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  /** The serial of the one to merge into, unless another one is chosen. */
  readonly suggested?: string;
  readonly onClose: () => void;
}

const copy = directoriesCopy.merge;

/** Moves all users of an organization or tag to another one. */
export function MergeEntry({ kind, entry, suggested, onClose }: MergeEntryProps) {
  const [into, setInto] = useState(suggested ?? null);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const names = useDisplayNames(kind, into === null ? [] : [into]);
  const request = into !== null && {
    key: ['merge', kind, entry.serial, into],
    call: mergeCall(kind, entry.serial, into),
    summary: copy.summary[kind](
      fullEntryName(entry),
      fullEntryName({ serial: into, displayName: names.get(into) ?? null }),
    ),
    confirm: copy.confirm[kind],
    doneNote: copy.oldStays(entryName(entry)),
  };
  return (
    <MatchingDialog
      title={copy.title(kind, entryName(entry))}
      request={(isPreviewed && request) || undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <PreviewForm onPreview={() => setIsPreviewed(into !== null)} onCancel={onClose}>
        <Text size="sm">{copy.lead[kind]}</Text>
        <EntrySelect
          kind={kind}
          label={copy.into}
          value={into}
          onChange={setInto}
          except={entry.serial}
          isRequired
        />
      </PreviewForm>
    </MatchingDialog>
  );
}
