import { Button, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Actor } from '../../components/actor.js';
import { useFieldTexts } from '../../components/attributes.js';
import { type DirectoryKind, useDisplayNames } from '../../components/directory.js';
import { formatField } from '../../components/field-value.js';
import { activityCopy, usersListCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import { rollcall } from '../../session/api.js';
import { useSeesHistory } from '../../session/session.js';
import { type EditableField, type FieldValue, storedValue } from '../data/user.js';
import type { VersionedUser } from '../data/user-queries.js';
import { latestChangeOf } from '../form/save-fields.js';

const copy = usersListCopy.edit;

interface FieldConflictProps {
  readonly field: EditableField;
  readonly theirs: VersionedUser;
  readonly mine: FieldValue;
  readonly isSaving: boolean;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onKeepTheirs: () => void;
  readonly onSaveMine: () => void;
}

/** Says who has changed the field, and asks which value to keep. */
export function FieldConflict(props: FieldConflictProps) {
  const { field, theirs, mine, isSaving, onKeyDown, onKeepTheirs, onSaveMine } = props;
  const box = useRef<HTMLDivElement>(null);
  const { nameOf } = useFieldTexts();
  useEffect(() => box.current?.focus(), []); // the input is gone, and the focus with it
  const textOf = useValueText(field, [mine, storedValue(theirs.user, field)]);
  return (
    <Stack gap="xs" role="alert" ref={box} tabIndex={-1} onKeyDown={onKeyDown}>
      <Text size="sm" fw={600}>
        {copy.conflict(nameOf(field))}
      </Text>
      <WhoChanged field={field} theirs={theirs} />
      <Button variant="default" size="xs" h="auto" mih={30} onClick={onKeepTheirs}>
        {copy.takeTheirs(textOf(storedValue(theirs.user, field)))}
      </Button>
      <Button size="xs" h="auto" mih={30} loading={isSaving} onClick={onSaveMine}>
        {copy.keepMine(textOf(mine))}
      </Button>
    </Stack>
  );
}

/** Only those who may read the history learn who it was. */
function WhoChanged({ field, theirs: { user } }: Pick<FieldConflictProps, 'field' | 'theirs'>) {
  const maySee = useSeesHistory();
  const { data: change } = useQuery({
    queryKey: ['user', user.serial, 'latest-change', field, user.updatedAt],
    queryFn: async ({ signal }) => {
      const { body } = await rollcall.call('userHistory', { path: { serial: user.serial }, signal });
      return latestChangeOf(body.data.items, field) ?? null;
    },
    enabled: maySee,
  });
  return (
    <Text size="sm">
      {copy.changedAt(formatDateTime(change?.at ?? user.updatedAt))}
      {change && (
        <>
          {' · '}
          <Actor actor={change.actor} fallback={activityCopy.actors.service} isInline />
        </>
      )}
    </Text>
  );
}

/** Organizations and tags by name. */
function useValueText(field: EditableField, values: readonly FieldValue[]): (value: FieldValue) => string {
  const { textOf } = useFieldTexts();
  const kind: DirectoryKind = field === 'tagSerials' ? 'tags' : 'organizations';
  const isNamed = field === 'tagSerials' || field === 'organizationSerial';
  const serials = values.flat().filter((value) => typeof value === 'string');
  const names = useDisplayNames(kind, isNamed ? serials : []);
  const nameOf = (value: unknown) => (typeof value === 'string' ? (names.get(value) ?? value) : value);
  return (value) => {
    if (!isNamed) return textOf(field, value);
    return formatField(field, Array.isArray(value) ? value.map(nameOf) : nameOf(value));
  };
}
