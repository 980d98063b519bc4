import {
  ActionIcon,
  Alert,
  Button,
  type ButtonProps,
  Group,
  Popover,
  Stack,
  Text,
  UnstyledButton,
} from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { notify } from '../../components/notify.js';
import { ActionProblem, Problem } from '../../components/problem.js';
import { useStored } from '../../components/use-stored.js';
import { usersListCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import { EditView, SaveView, type ViewDraft } from './edit-view.js';
import { type LocalView, readLocalViews } from './local-views.js';
import { groupedViews, mayChange, viewNamed } from './saved-views.js';
import { changeView, createView, deleteView, type SavedView, useViews } from './use-views.js';
import css from './views.module.css';

const copy = usersListCopy.views;

const ConfirmDialog = lazy(async () => ({
  default: (await import('../../components/dialog.js')).ConfirmDialog,
}));

interface ViewsMenuProps extends Pick<ButtonProps, 'px'> {
  /** Everything about the current view, including what the URL leaves out. */
  readonly query: string;
  readonly onOpen: (query: string) => void;
}

/** Saves the current view under a name, and opens saved ones: those of the user, and those shared with everybody. */
export function ViewsMenu({ query, onOpen, ...layout }: ViewsMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const [removed, setRemoved] = useState<SavedView>();
  const { data: all = [], error, refetch } = useViews();
  const action = useMutation({ mutationFn: (change: () => Promise<void>) => change() });
  const views = groupedViews(all);
  const current = all.find((view) => view.query === query);
  const toggle = (opens: boolean) => {
    setOpen(opens);
    action.reset();
    if (opens) void refetch();
  };
  const remove = (view: SavedView) => {
    setOpen(false);
    if (view.isShared) return setRemoved(view);
    action.mutate(async () => {
      await deleteView(view.id);
      notify(copy.removed(view.name));
    });
  };
  const save = ({ name, isShared }: ViewDraft, replaced: SavedView | undefined) =>
    action.mutate(async () => {
      await (replaced ? changeView(replaced.id, { query }) : createView({ name, query, isShared }));
      notify(copy.saved(name));
      setOpen(false);
    });
  const list = (label: string, listed: readonly SavedView[]) => (
    <ViewList
      label={label}
      views={listed}
      current={current}
      onOpen={(view) => {
        setOpen(false);
        onOpen(view.query);
      }}
      onChange={(view, draft) => action.mutate(() => changeView(view.id, draft))}
      onRemove={remove}
    />
  );
  return (
    <>
      <Popover
        opened={isOpen}
        onChange={toggle}
        position="bottom-end"
        width={320}
        shadow="md"
        trapFocus
        returnFocus
      >
        <Popover.Target>
          <Button variant="default" onClick={() => toggle(!isOpen)} className={css.button} {...layout}>
            {current?.name ?? copy.open}
          </Button>
        </Popover.Target>
        <Popover.Dropdown aria-label={copy.list} className={css.dropdown}>
          <Stack gap="sm">
            {error ? <Problem title={copy.notLoaded} error={error} onRetry={() => void refetch()} /> : null}
            <ActionProblem title={copy.failed} error={action.error} />
            <LocalViews saved={views.own} />
            {all.length === 0 && !error && <Text size="sm">{copy.none}</Text>}
            {list(copy.own, views.own)}
            {list(copy.shared, views.shared)}
            <SaveView views={views} onSave={save} />
            <CopyLink query={query} />
          </Stack>
        </Popover.Dropdown>
      </Popover>
      <Suspense>
        {removed && (
          <ConfirmDialog
            title={copy.remove(removed.name)}
            confirm={copy.confirmRemoval}
            isDangerous
            failed={copy.failed}
            action={async () => {
              await deleteView(removed.id);
              notify(copy.removed(removed.name));
            }}
            onClose={() => setRemoved(undefined)}
          >
            {copy.removalText}
          </ConfirmDialog>
        )}
      </Suspense>
    </>
  );
}

interface ViewListProps {
  readonly label: string;
  readonly views: readonly SavedView[];
  readonly current: SavedView | undefined;
  readonly onOpen: (view: SavedView) => void;
  readonly onChange: (view: SavedView, draft: ViewDraft) => void;
  readonly onRemove: (view: SavedView) => void;
}

function ViewList({ label, views, current, onOpen, onChange, onRemove }: ViewListProps) {
  const [edited, setEdited] = useState<string>();
  if (views.length === 0) return null;
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <ul className={css.list} aria-label={label}>
        {views.map((view) =>
          view.id === edited ? (
            <li key={view.id}>
              <EditView
                view={view}
                onCancel={() => setEdited(undefined)}
                onSave={(draft) => {
                  setEdited(undefined);
                  onChange(view, draft);
                }}
              />
            </li>
          ) : (
            <ViewItem
              key={view.id}
              view={view}
              isCurrent={view === current}
              onOpen={() => onOpen(view)}
              onEdit={() => setEdited(view.id)}
              onRemove={() => onRemove(view)}
            />
          ),
        )}
      </ul>
    </div>
  );
}

interface ViewItemProps {
  readonly view: SavedView;
  readonly isCurrent: boolean;
  readonly onOpen: () => void;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
}

function ViewItem({ view, isCurrent, onOpen, onEdit, onRemove }: ViewItemProps) {
  const user = useCurrentUser();
  const { name, author, isShared } = view;
  const isOthers = isShared && author !== null && author.serial !== user.serial;
  return (
    <li className={css.item}>
      <UnstyledButton className={css.open} aria-current={isCurrent || undefined} onClick={onOpen}>
        {name}
        {isOthers && (
          <Text span size="xs" c="dimmed" display="block">
            {copy.sharedBy(author.name)}
          </Text>
        )}
      </UnstyledButton>
      {mayChange(view, user) && (
        <>
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={copy.edit(name)}
            title={copy.edit(name)}
            onClick={onEdit}
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
        </>
      )}
    </li>
  );
}

/** Offers once to keep on the server what this browser has from the time when views were kept in it. */
function LocalViews({ saved }: { saved: readonly SavedView[] }) {
  const [text, store] = useStored('views');
  const [isOver, setOver] = useStored('views-offered');
  const upload = useMutation({ mutationFn: (views: readonly LocalView[]) => uploadViews(views) });
  const views = readLocalViews(text).filter(({ name }) => viewNamed(saved, name) === undefined);
  if (views.length === 0 || isOver !== null) return null;
  const accept = async () => {
    await upload.mutateAsync(views);
    store('[]');
    notify(copy.uploaded(views.length));
  };
  return (
    <Alert variant="light" p="xs">
      <Text size="sm">{copy.offer(views.map(({ name }) => name))}</Text>
      <ActionProblem title={copy.failed} error={upload.error} />
      <Group gap="xs" mt="xs">
        <Button size="xs" loading={upload.isPending} onClick={() => void accept().catch(() => {})}>
          {copy.upload}
        </Button>
        <Button size="xs" variant="default" onClick={() => setOver('yes')}>
          {copy.notNow}
        </Button>
      </Group>
    </Alert>
  );
}

async function uploadViews(views: readonly LocalView[]): Promise<void> {
  for (const { name, query } of views) await createView({ name, query });
}

function CopyLink({ query }: { query: string }) {
  const { copy: write, copied, error } = useClipboard({ timeout: 4_000 });
  return (
    <div>
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
