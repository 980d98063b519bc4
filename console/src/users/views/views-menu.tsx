import {
  ActionIcon,
  Button,
  type ButtonProps,
  Group,
  Popover,
  Stack,
  Text,
  TextInput,
  UnstyledButton,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { notify } from '../../components/notify.js';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import {
  readViews,
  removeView,
  renameView,
  type SavedView,
  saveView,
  viewNamed,
  viewNameMaxLength,
} from './saved-views.js';
import { useStored } from './use-stored.js';
import css from './views.module.css';

const copy = usersListCopy.views;

interface ViewsMenuProps extends Pick<ButtonProps, 'px'> {
  /** Everything about the current view, including what the URL leaves out. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

/** Saves the current view under a name, and opens saved ones. */
export function ViewsMenu({ query, onOpen, ...layout }: ViewsMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [text, store] = useStored('views');
  const views = readViews(text);
  const current = views.find((view) => view.query === query);
  const keep = (next: readonly SavedView[]) => store(JSON.stringify(next));
  return (
    <Popover
      opened={isOpen}
      onChange={setOpen}
      position="bottom-end"
      width={320}
      shadow="md"
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button variant="default" onClick={() => setOpen(!isOpen)} className={css.button} {...layout}>
          {current?.name ?? copy.open}
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label={copy.list}>
        <Stack gap="sm">
          {views.length === 0 ? (
            <Text size="sm">{copy.none}</Text>
          ) : (
            <ul className={css.list} aria-label={copy.list}>
              {views.map((view) => (
                <ViewItem
                  key={view.name}
                  view={view}
                  isCurrent={view === current}
                  onOpen={() => {
                    setOpen(false);
                    onOpen(view.query);
                  }}
                  onRename={(name) => keep(renameView(views, view.name, name))}
                  onRemove={() => {
                    keep(removeView(views, view.name));
                    notify(copy.removed(view.name));
                  }}
                />
              ))}
            </ul>
          )}
          <SaveView
            views={views}
            onSave={(name) => {
              keep(saveView(views, { name, query }));
              notify(copy.saved(name.trim()));
              setOpen(false);
            }}
          />
          <CopyLink query={query} />
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

interface ViewItemProps {
  readonly view: SavedView;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onRename: (name: string) => void;
  readonly onRemove: () => void;
}

function ViewItem({ view: { name }, isCurrent, onOpen, onRename, onRemove }: ViewItemProps) {
  const [isRenaming, setIsRenaming] = useState(false);
  if (isRenaming) {
    return (
      <li>
        <RenameView
          name={name}
          onCancel={() => setIsRenaming(false)}
          onRename={(next) => {
            setIsRenaming(false);
            onRename(next);
          }}
        />
      </li>
    );
  }
  return (
    <li className={css.item}>
      <UnstyledButton className={css.open} aria-current={isCurrent || undefined} onClick={onOpen}>
        {name}
      </UnstyledButton>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={copy.rename(name)}
        title={copy.rename(name)}
        onClick={() => setIsRenaming(true)}
      >
        <span aria-hidden="true">✎</span>
      </ActionIcon>
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={copy.remove(name)}
        title={copy.remove(name)}
        onClick={onRemove}
      >
        <span aria-hidden="true">✕</span>
      </ActionIcon>
    </li>
  );
}

interface RenameViewProps {
  readonly name: string;
  readonly onRename: (name: string) => void;
  readonly onCancel: () => void;
}

function RenameView({ name, onRename, onCancel }: RenameViewProps) {
  const [typed, setTyped] = useState(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onRename(typed);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          size="xs"
          aria-label={copy.renameTo(name)}
          maxLength={viewNameMaxLength}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return;
            event.stopPropagation();
            onCancel();
          }}
          autoFocus
        />
        <Button type="submit" size="xs">
          {commonCopy.save}
        </Button>
      </Group>
    </form>
  );
}

function SaveView({ views, onSave }: { views: readonly SavedView[]; onSave: (name: string) => void }) {
  const [name, setName] = useState('');
  const existing = viewNamed(views, name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name.trim() !== '') onSave(name);
  };
  return (
    <form onSubmit={submit}>
      <Group gap="xs" align="flex-end" wrap="nowrap">
        <TextInput
          flex={1}
          size="sm"
          label={copy.saveNew}
          placeholder={copy.name}
          maxLength={viewNameMaxLength}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          data-autofocus
        />
        <Button type="submit" disabled={name.trim() === ''}>
          {commonCopy.save}
        </Button>
      </Group>
      {existing && (
        <Text size="xs" mt={4} role="status">
          {copy.exists}
        </Text>
      )}
    </form>
  );
}

function CopyLink({ query }: { query: string }) {
  const { copy: write, copied, error } = useClipboard({ timeout: 4_000 });
  return (
    <div>
      <Text size="xs" c="dimmed" mb={4}>
        {copy.here}
      </Text>
      <Button
        variant="default"
        size="xs"
        fullWidth
        onClick={() => write(`${location.origin}/users?${query}`)}
      >
        {copied ? copy.copied : copy.copyLink}
      </Button>
      {error && (
        <Text size="xs" mt={4} role="alert">
          {copy.cannotCopy}
        </Text>
      )}
    </div>
  );
}
