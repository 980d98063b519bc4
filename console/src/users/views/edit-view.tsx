import { Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { type FormEvent, useState } from 'react';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import { type SavedViews, viewNamed } from './saved-views.js';
import type { SavedView } from './use-views.js';

const copy = usersListCopy.views;

export interface ViewDraft {
  readonly name: string;
  readonly isShared: boolean;
}

interface EditViewProps {
  readonly view: SavedView;
  readonly onSave: (draft: ViewDraft) => void;
  readonly onCancel: () => void;
}

/** Renames a view, shares it, or ends that. */
export function EditView({ view, onSave, onCancel }: EditViewProps) {
  const [name, setName] = useState(view.name);
  const [isShared, setShared] = useState(view.isShared);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave({ name: name.trim(), isShared });
  };
  return (
    <form
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        onCancel();
      }}
    >
      <Stack gap="xs" py={4}>
        <TextInput
          size="sm"
          aria-label={copy.newName(view.name)}
          maxLength={limits.viewNameMaxLength}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          autoFocus
        />
        <ShareCheckbox isShared={isShared} onChange={setShared} />
        <Group gap="xs" justify="flex-end">
          <Button size="xs" variant="default" onClick={onCancel}>
            {commonCopy.cancel}
          </Button>
          <Button type="submit" size="xs" disabled={name.trim() === ''}>
            {commonCopy.save}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface SaveViewProps {
  readonly views: SavedViews;
  /** A view that is replaced has to be one that the user may change. */
  readonly onSave: (draft: ViewDraft, replaced: SavedView | undefined) => void;
}

/** Saves the list as it is now. */
export function SaveView({ views, onSave }: SaveViewProps) {
  const [name, setName] = useState('');
  const [isShared, setShared] = useState(false);
  const replaced = viewNamed(isShared ? views.shared : views.own, name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave({ name: name.trim(), isShared }, replaced);
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs">
        <Group gap="xs" align="flex-end" wrap="nowrap">
          <TextInput
            flex={1}
            size="sm"
            label={copy.saveNew}
            placeholder={copy.name}
            maxLength={limits.viewNameMaxLength}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            data-autofocus
          />
          <Button type="submit" disabled={name.trim() === ''}>
            {commonCopy.save}
          </Button>
        </Group>
        <ShareCheckbox isShared={isShared} onChange={setShared} />
        {replaced && (
          <Text size="xs" role="status">
            {copy.exists}
          </Text>
        )}
      </Stack>
    </form>
  );
}

interface ShareCheckboxProps {
  readonly isShared: boolean;
  readonly onChange: (isShared: boolean) => void;
}

function ShareCheckbox({ isShared, onChange }: ShareCheckboxProps) {
  return (
    <Checkbox
      size="xs"
      label={copy.share}
      checked={isShared}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
  );
}
