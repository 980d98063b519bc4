import { Anchor, Button, Group, Text } from '@mantine/core';
import { type QueryClient, useMutation } from '@tanstack/react-query';
import { useRef } from 'react';
import { Link } from 'wouter';
import { describeError, fieldLabel } from '../../components/error-message.js';
import { focusPage } from '../../components/focus-page.js';
import { hideNotification, notify, showNotification } from '../../components/notify.js';
import { restoreCopy as copy } from '../../copy/copy.js';
import { queryClient } from '../../session/api.js';
import { storedValue, type User } from '../data/user.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';
import { type FieldUpdate, type SavedField, saveFields } from '../form/save-fields.js';

interface SavedNotice {
  readonly text: string;
  readonly saved: VersionedUser;
  /** What was saved, with the values before. */
  readonly updates: readonly FieldUpdate[];
}

/** Long enough to notice a mistake. The history of the user offers the same later. */
const undoMs = 12_000;

/** Says that fields were saved, and offers to undo it. */
export function notifySaved(queries: QueryClient, { text, saved, updates }: SavedNotice): void {
  const { serial } = saved.user;
  const id = `saved-${serial}`;
  const undo = async () => {
    const back = updates.map(({ field, shown }) => ({
      field,
      shown: storedValue(saved.user, field),
      value: shown,
    }));
    const read = () => queries.fetchQuery({ ...userQuery(serial), staleTime: 0 });
    const result = await saveFields(back, { read, save: saveUser });
    const isUndone = !('conflict' in result);
    await updateCachedUser(queries, isUndone ? result.saved : result.conflict);
    if (isUndone)
      notify(
        copy.undone(
          result.saved.user.name,
          updates.map(({ field }) => fieldLabel(field)),
        ),
      );
    else notifyConflict(result.conflict.user, result.fields);
  };
  hideNotification(id); // its values are no longer the ones before
  showNotification({
    id,
    color: 'green',
    autoClose: undoMs,
    message: <SavedText text={text} undo={undo} onDone={() => hideNotification(id)} />,
  });
}

function notifyConflict({ serial, name }: User, fields: readonly SavedField[]): void {
  showNotification({
    color: 'red',
    autoClose: undoMs,
    message: (
      <>
        {copy.notUndone(name, fields.map(fieldLabel))}{' '}
        <Anchor component={Link} href={`/users/${serial}?tab=history`} inherit underline="always">
          {copy.toHistory}
        </Anchor>
      </>
    ),
  });
}

interface SavedTextProps {
  readonly text: string;
  readonly undo: () => Promise<void>;
  readonly onDone: () => void;
}

/** Outside of the tree of the page, and of its query client. */
function SavedText({ text, undo, onDone }: SavedTextProps) {
  const before = useRef<Element | null>(null);
  const undoing = useMutation(
    {
      mutationFn: undo,
      onSuccess: () => {
        onDone();
        const opener = before.current;
        if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
        else focusPage();
      },
    },
    queryClient,
  );
  return (
    <>
      <Group justify="space-between" wrap="nowrap" gap="xs">
        <span>{text}</span>
        <Button
          size="compact-sm"
          variant="default"
          flex="none"
          loading={undoing.isPending}
          onFocus={(event) => {
            before.current = event.relatedTarget;
          }}
          onClick={() => undoing.mutate()}
        >
          {copy.undo}
        </Button>
      </Group>
      {undoing.error && (
        <Text size="sm" c="red" role="alert">
          {describeError(undoing.error)}
        </Text>
      )}
    </>
  );
}
