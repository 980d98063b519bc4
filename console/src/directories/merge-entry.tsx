import { Button, Group, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type DirectoryKind, type Entry, useDisplayNames } from '../components/directory.js';
import { entryName, fullEntryName } from '../components/entry-name.js';
import { EntrySelect } from '../components/entry-select.js';
import { commonCopy } from '../copy/common.js';
import { directoriesCopy } from '../copy/directories.js';
import { matchingCopy } from '../copy/matching.js';
import { MatchingDialog } from '../matching/matching-dialog.js';
import { mergeCall } from './entry-calls.js';

interface MergeEntryProps {
  readonly kind: DirectoryKind;
  readonly entry: Entry;
  readonly onClose: () => void;
}

const copy = directoriesCopy.merge;

/** Moves all users of an organization or tag to another one. */
export function MergeEntry({ kind, entry, onClose }: MergeEntryProps) {
  const [into, setInto] = useState<string | null>(null);
  const [isPreviewed, setIsPreviewed] = useState(false);
  const names = useDisplayNames(kind, into === null ? [] : [into]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    setIsPreviewed(into !== null);
  };
  const request = into !== null && {
    key: ['merge', kind, entry.serial, into],
    call: mergeCall(kind, entry.serial, into),
    summary: copy.summary(
      fullEntryName(entry),
      fullEntryName({ serial: into, displayName: names.get(into) ?? null }),
    ),
    confirm: copy.confirm,
    doneNote: copy.oldStays(entryName(entry)),
  };
  return (
    <MatchingDialog
      title={copy.title(entryName(entry))}
      request={(isPreviewed && request) || undefined}
      onBack={() => setIsPreviewed(false)}
      onClose={onClose}
    >
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm">{copy.lead(kind)}</Text>
          <EntrySelect
            kind={kind}
            label={copy.into}
            value={into}
            onChange={setInto}
            except={entry.serial}
            isRequired
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {commonCopy.cancel}
            </Button>
            <Button type="submit">{matchingCopy.preview}</Button>
          </Group>
        </Stack>
      </form>
    </MatchingDialog>
  );
}
