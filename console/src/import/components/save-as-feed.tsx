import { Button, Group, List, Stack, Text } from '@mantine/core';
import type { Heading, UnnamedColumn } from '@rollcall/sheets';
import { useState } from 'react';
import { useFieldTexts } from '../../components/attributes.js';
import { Dialog } from '../../components/dialog.js';
import { proposeFeed } from '../../components/feed-proposal.js';
import { commonCopy } from '../../copy/copy.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { usePermission } from '../../session/session.js';
import { proposalFrom } from '../state/feed-proposal.js';
import { useImportState } from '../state/store.js';

const copy = feedFormCopy.fromImport;

interface SaveAsFeedProps {
  readonly label: string;
  readonly isReady?: boolean;
}

/** Lets administrators repeat the import by itself. Says which columns prevent that. */
export function SaveAsFeed({ label, isReady = true }: SaveAsFeedProps) {
  const mayCreate = usePermission('access:admin');
  const state = useImportState();
  const [unnamed, setUnnamed] = useState<readonly UnnamedColumn[]>();
  if (!mayCreate) return null;
  const open = () => {
    const result = proposalFrom(state);
    if ('unnamed' in result) setUnnamed(result.unnamed);
    else proposeFeed(result);
  };
  return (
    <>
      <Button variant="default" disabled={!isReady} onClick={open}>
        {label}
      </Button>
      {unnamed && (
        <Unnamed
          unnamed={unnamed}
          headings={state.format?.headings ?? []}
          onClose={() => setUnnamed(undefined)}
        />
      )}
    </>
  );
}

interface UnnamedProps {
  readonly unnamed: readonly UnnamedColumn[];
  readonly headings: readonly Heading[];
  readonly onClose: () => void;
}

function Unnamed({ unnamed, headings, onClose }: UnnamedProps) {
  const { nameOf } = useFieldTexts();
  const textOf = ({ field, column }: UnnamedColumn) => {
    const { letter = '', name = '', isEmpty = true } = headings[column] ?? {};
    if (field === 'password') return copy.password;
    return isEmpty ? copy.noHeading(letter, nameOf(field)) : copy.sameHeading(name, nameOf(field));
  };
  return (
    <Dialog title={copy.title} onClose={onClose}>
      <Stack>
        <Text size="sm">{copy.text}</Text>
        <List size="sm">
          {unnamed.map((column) => (
            <List.Item key={column.column}>{textOf(column)}</List.Item>
          ))}
        </List>
        <Group justify="flex-end">
          <Button onClick={onClose}>{commonCopy.close}</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
