import { Button, Group, Stack, Text } from '@mantine/core';
import { isRollcallError, type ServiceError } from '@rollcall/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type RefObject, useState } from 'react';
import { describeError, fieldErrorMessage } from '../../components/error-message.js';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import type { User } from '../data/user.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';
import { type Draft, draftOf, isEqual, submittedValue } from '../form/draft.js';
import { fieldsConcerned, holderOf, validateDraft } from '../form/field-problems.js';
import { ProblemText } from '../form/problem-text.js';
import type { EditableField } from './editable-columns.js';
import { FieldConflict } from './field-conflict.js';
import { FieldInput } from './field-input.js';
import { saveField } from './save-field.js';

const copy = usersListCopy.edit;

interface FieldEditorProps {
  readonly user: User;
  readonly field: EditableField;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onClose: () => void;
}

/** Sends only this field, and only if nobody else has changed it since it was shown. */
export function FieldEditor({ user, field, form, onClose }: FieldEditorProps) {
  const queries = useQueryClient();
  const [shown, setShown] = useState(user);
  const [draft, setDraft] = useState<Draft>(() => draftOf(user));
  const [conflict, setConflict] = useState<VersionedUser>();
  const [isTouched, setIsTouched] = useState(false);
  const query = userQuery(user.serial);
  const service = {
    read: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    save: saveUser,
  };
  const saving = useMutation({
    mutationFn: (base: User) => saveField(base, field, draft, service),
    onSuccess: (result) => {
      if ('conflict' in result) return setConflict(result.conflict);
      void updateCachedUser(queries, result.saved);
      onClose();
    },
    onError: () => form.current?.querySelector('input')?.focus(),
  });
  const invalid = isTouched ? validateDraft(draft)[field] : undefined;
  const save = (base: User) => {
    setIsTouched(true);
    if (validateDraft(draft)[field] === undefined) saving.mutate(base);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEqual(submittedValue(draft, field), shown[field])) onClose();
    else save(shown);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // The table has keys of its own.
    event.stopPropagation();
    if (event.key === 'Escape') onClose();
  };
  if (conflict) {
    return (
      <FieldConflict
        field={field}
        theirs={conflict}
        mine={submittedValue(draft, field)}
        isSaving={saving.isPending}
        onKeyDown={onKeyDown}
        onKeepTheirs={() => {
          void updateCachedUser(queries, conflict);
          onClose();
        }}
        onSaveMine={() => {
          setShown(conflict.user);
          setConflict(undefined);
          save(conflict.user);
        }}
      />
    );
  }
  return (
    <form ref={form} onSubmit={submit} onKeyDown={onKeyDown} noValidate>
      <Stack gap="xs">
        <FieldInput
          field={field}
          label={copy.editing(commonCopy.fields[field], user.name)}
          draft={draft}
          onChange={(next) => {
            setDraft(next);
            saving.reset();
          }}
          error={invalid ?? (saving.error && <Failure error={saving.error} />)}
        />
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="xs" c="dimmed">
            {copy.hint}
          </Text>
          <Group gap={6} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={onClose}>
              {commonCopy.cancel}
            </Button>
            <Button size="compact-sm" type="submit" loading={saving.isPending}>
              {commonCopy.save}
            </Button>
          </Group>
        </Group>
      </Stack>
    </form>
  );
}

function Failure({ error }: { error: unknown }) {
  const isAboutField = isRollcallError(error) && fieldsConcerned(error).length > 0;
  const text = isAboutField ? fieldErrorMessage(error as ServiceError) : describeError(error);
  return <ProblemText text={text} holder={holderOf(error)} />;
}
