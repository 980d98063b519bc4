import { Anchor, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { isRollcallError } from '@rollcall/client';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { Actor } from '../../components/actor.js';
import { useAttributes, useFieldTexts } from '../../components/attributes.js';
import { Dialog } from '../../components/dialog.js';
import { FieldChanges } from '../../components/field-changes.js';
import { ActionProblem, Problem } from '../../components/problem.js';
import { activityCopy, commonCopy, restoreCopy as copy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { type FieldValue, managerField, storedValue, type User } from '../data/user.js';
import {
  type Change,
  changesSinceQuery,
  saveUser,
  updateCachedUser,
  userQuery,
} from '../data/user-queries.js';
import { type FieldUpdate, type SavedField, saveFields } from '../form/save-fields.js';
import { changeBack, type Extent, type RestoredField, restoredFields } from './restoration.js';
import { notifySaved } from './saved-notice.js';

type Restored = RestoredField<Change>;

interface RestoreDialogProps {
  readonly user: User;
  readonly change: Change;
  readonly extent: Extent;
  readonly onClose: () => void;
}

/** Shows what changes back before it does, and why something doesn't. */
export function RestoreDialog({ user, change, extent, onClose }: RestoreDialogProps) {
  const attributes = useAttributes();
  const later = useQuery(changesSinceQuery(change));
  const fields = later.data && restoredFields({ user, attributes }, change, later.data, extent);
  const obstacles = useQuery({
    queryKey: ['user', user.serial, 'obstacles', fields],
    queryFn: () => findObstacles(user, fields ?? []),
    enabled: fields !== undefined,
    staleTime: 0,
  });
  const error = later.error ?? obstacles.error;
  const at = formatDateTime(change.at);
  return (
    <Dialog title={copy[extent].title} onClose={onClose} size="lg">
      <Text size="sm" mb="md">
        {copy[extent].hint(user.name, at)}
      </Text>
      {error !== null && <Problem title={copy.notLoaded} error={error} />}
      {error === null && !(fields && obstacles.data) && <Text role="status">{copy.loading}</Text>}
      {fields && obstacles.data && (
        <RestoreForm
          user={user}
          fields={fields}
          obstacles={obstacles.data}
          extent={extent}
          hadRole={extent === 'change' && change.fields.role !== undefined}
          onClose={onClose}
        />
      )}
    </Dialog>
  );
}

/** Why a field can't have its earlier value back. */
type Obstacle =
  | { readonly kind: 'taken'; readonly holder: { readonly serial: string; readonly name: string } }
  | { readonly kind: 'managerGone' }
  | { readonly kind: 'retired' };

type Obstacles = ReadonlyMap<SavedField, Obstacle>;

async function findObstacles(user: User, fields: readonly Restored[]): Promise<Obstacles> {
  const found = await Promise.all(
    fields.map(async (each) => [each.field, await obstacleOf(user, each)] as const),
  );
  return new Map(found.flatMap(([field, obstacle]) => (obstacle ? [[field, obstacle] as const] : [])));
}

async function obstacleOf(
  user: User,
  { field, earlier, isRetired }: Restored,
): Promise<Obstacle | undefined> {
  if (isRetired) return { kind: 'retired' };
  if (earlier === null) return undefined;
  if (field === managerField)
    return (await employeeIdOf(String(earlier))) === null ? { kind: 'managerGone' } : undefined;
  if (field !== 'employeeID' && field !== 'username') return undefined;
  const name = String(earlier);
  const query = field === 'username' ? { username: name } : { employeeID: name };
  const { body } = await rollcall.call('listUsers', { query });
  const holder = body.data.items.find(({ serial }) => serial !== user.serial);
  return holder && { kind: 'taken', holder };
}

/** Null if the user is gone. */
async function employeeIdOf(serial: string): Promise<string | null> {
  try {
    return (await rollcall.call('getUser', { path: { serial } })).body.data.employeeID;
  } catch (error) {
    if (isRollcallError(error, 'USER_NOT_FOUND', 'USER_ERASED')) return null;
    throw error;
  }
}

interface RestoreFormProps {
  readonly user: User;
  readonly fields: readonly Restored[];
  readonly obstacles: Obstacles;
  readonly extent: Extent;
  readonly hadRole: boolean;
  readonly onClose: () => void;
}

function RestoreForm({ user, fields, obstacles, extent, hadRole, onClose }: RestoreFormProps) {
  const queries = useQueryClient();
  const { nameOf } = useFieldTexts();
  // A later change of a field is kept, unless it is what this undoes.
  const [left, setLeft] = useState<readonly SavedField[]>(() =>
    extent === 'version' ? [] : fields.filter(({ lost }) => lost).map(({ field }) => field),
  );
  const chosen = fields.filter(({ field }) => !obstacles.has(field) && !left.includes(field));
  const restoring = useMutation({
    mutationFn: async () => {
      const updates = await Promise.all(chosen.map((each) => updateOf(user, each)));
      const read = () => queries.fetchQuery({ ...userQuery(user.serial), staleTime: 0 });
      return { updates, result: await saveFields(updates, { read, save: saveUser }) };
    },
    onSuccess: async ({ updates, result }) => {
      if ('conflict' in result) return updateCachedUser(queries, result.conflict);
      onClose();
      notifySaved(queries, { text: copy.done(result.saved.user.name), saved: result.saved, updates });
      return updateCachedUser(queries, result.saved);
    },
  });
  const lostMeanwhile =
    restoring.data && 'conflict' in restoring.data.result ? restoring.data.result.fields : [];
  return (
    <Stack gap="sm">
      {fields.length === 0 && <Text>{copy.nothing}</Text>}
      {fields.map((each) => (
        <Group key={each.field} align="flex-start" wrap="nowrap" gap="sm">
          <Checkbox
            mt={2}
            aria-label={nameOf(each.field)}
            checked={chosen.includes(each)}
            disabled={obstacles.has(each.field)}
            onChange={(event) => {
              const others = left.filter((field) => field !== each.field);
              setLeft(event.currentTarget.checked ? others : [...others, each.field]);
            }}
          />
          <div style={{ minWidth: 0 }}>
            <FieldChanges kind="updated" fields={changeBack(each)} />
            <ObstacleNote restored={each} obstacle={obstacles.get(each.field)} />
          </div>
        </Group>
      ))}
      {hadRole && (
        <Text size="sm" c="dimmed">
          {copy.role}
        </Text>
      )}
      {lostMeanwhile.length > 0 && <Problem title={copy.changedNow(lostMeanwhile.map(nameOf))} />}
      <ActionProblem title={copy.failed} error={restoring.error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {chosen.length === 0 ? commonCopy.close : commonCopy.cancel}
        </Button>
        {fields.length > 0 && (
          <Button
            disabled={chosen.length === 0}
            loading={restoring.isPending}
            onClick={() => restoring.mutate()}
          >
            {copy[extent].confirm}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

interface ObstacleNoteProps {
  readonly restored: Restored;
  readonly obstacle: Obstacle | undefined;
}

/** What stands against the earlier value, or what is lost with it. */
function ObstacleNote({ restored: { earlier, lost }, obstacle }: ObstacleNoteProps) {
  if (obstacle?.kind === 'taken')
    return (
      <Text size="sm" fw={600}>
        {copy.taken(String(earlier))}{' '}
        <Anchor component={Link} href={`/users/${obstacle.holder.serial}`} inherit underline="always">
          {obstacle.holder.name}
        </Anchor>
      </Text>
    );
  if (obstacle)
    return (
      <Text size="sm" fw={600}>
        {copy[obstacle.kind]}
      </Text>
    );
  if (!lost) return null;
  return (
    <Text size="sm" c="dimmed">
      {copy.changedAgain(formatDateTime(lost.at))}{' '}
      <Actor actor={lost.actor} fallback={activityCopy.actors.service} isInline />
    </Text>
  );
}

/** Managers are sent by employee ID. */
async function updateOf(user: User, { field, earlier }: Restored): Promise<FieldUpdate> {
  const value: FieldValue =
    field === managerField && earlier !== null ? await employeeIdOf(String(earlier)) : earlier;
  return { field, shown: storedValue(user, field), value };
}
