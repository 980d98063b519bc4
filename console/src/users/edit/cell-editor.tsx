import { Button, Group, Popover, Stack, Text, TextInput } from '@mantine/core';
import { isRollcallError, type ServiceError } from '@rollcall/client';
import { isAttributeField } from '@rollcall/sheets';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, type ReactNode, type RefObject, useRef, useState } from 'react';
import { AttributeInput } from '../../components/attribute-input.js';
import { attributeOf } from '../../components/attribute-value.js';
import { useAttributes, useFieldTexts } from '../../components/attributes.js';
import { SerialInput, SerialsInput } from '../../components/entry-inputs.js';
import { describeError, fieldErrorMessage } from '../../components/error-message.js';
import { commonCopy, usersListCopy } from '../../copy/copy.js';
import { type EditableField, type ListedUser, storedValue, type User } from '../data/user.js';
import { saveUser, updateCachedUser, userQuery, type VersionedUser } from '../data/user-queries.js';
import { type Draft, draftOf, isEqual, submittedValue, typedValue, withValue } from '../form/draft.js';
import { fieldsConcerned, holderOf, validateDraft } from '../form/field-problems.js';
import { ProblemText } from '../form/form-problems.js';
import { saveFields } from '../form/save-fields.js';
import { notifySaved } from '../restore/saved-notice.js';
import css from './edit.module.css';
import { FieldConflict } from './field-conflict.js';

interface CellEditorProps {
  /** As shown in the table. */
  readonly user: ListedUser;
  readonly field: EditableField;
  readonly onClose: () => void;
}

const width = 320;
/** Covers the cell. */
const offset = -38;

/** Edits one field of a user above its cell. */
export function CellEditor({ user, field, onClose }: CellEditorProps) {
  const form = useRef<HTMLFormElement>(null);
  const { nameOf } = useFieldTexts();
  return (
    <Popover
      opened
      // A click elsewhere saves, as in a spreadsheet.
      onChange={(isOpen) => !isOpen && form.current?.requestSubmit()}
      position="bottom-start"
      offset={offset}
      width={width}
      shadow="md"
      trapFocus
      withRoles={false}
      closeOnEscape={false}
    >
      <Popover.Target>
        <span className={css.anchor} />
      </Popover.Target>
      <Popover.Dropdown
        p="sm"
        role="dialog"
        aria-label={usersListCopy.edit.editing(nameOf(field), user.name)}
        onClick={(event) => event.stopPropagation()}
      >
        <FieldEditor user={user} field={field} form={form} onClose={onClose} />
      </Popover.Dropdown>
    </Popover>
  );
}

const editCopy = usersListCopy.edit;

interface FieldEditorProps {
  readonly user: User;
  readonly field: EditableField;
  readonly form: RefObject<HTMLFormElement | null>;
  readonly onClose: () => void;
}

/** Sends only this field, and only if nobody else has changed it since it was shown. */
function FieldEditor({ user, field, form, onClose }: FieldEditorProps) {
  const queries = useQueryClient();
  const attributes = useAttributes();
  const { nameOf } = useFieldTexts();
  const [shown, setShown] = useState(user);
  const [draft, setDraft] = useState<Draft>(() => draftOf(user));
  const [conflict, setConflict] = useState<VersionedUser>();
  const [isTouched, setIsTouched] = useState(false);
  const [isAsking, setIsAsking] = useState(false);
  const query = userQuery(user.serial);
  const service = {
    read: () => queries.fetchQuery({ ...query, staleTime: 0 }),
    save: saveUser,
  };
  const saving = useMutation({
    mutationFn: async (base: User) => {
      const update = { field, shown: storedValue(base, field), value: submittedValue(draft, field) };
      return { update, result: await saveFields([update], service) };
    },
    onSuccess: ({ update, result }) => {
      if ('conflict' in result) return setConflict(result.conflict);
      void updateCachedUser(queries, result.saved);
      const text = editCopy.saved(nameOf(field), result.saved.user.name);
      notifySaved(queries, { text, saved: result.saved, updates: [update] });
      onClose();
    },
    onError: () => form.current?.querySelector('input')?.focus(),
  });
  const problem = validateDraft(draft, attributes, shown)[field];
  const invalid = isTouched ? problem : undefined;
  const save = (base: User) => {
    setIsTouched(true);
    if (problem !== undefined) return;
    // Whoever signs in with it has to be told, so it asks first.
    if (field === 'username' && !isAsking) setIsAsking(true);
    else saving.mutate(base);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isEqual(submittedValue(draft, field), storedValue(shown, field))) onClose();
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
          label={editCopy.editing(nameOf(field), user.name)}
          draft={draft}
          onChange={(next) => {
            setDraft(next);
            setIsAsking(false);
            saving.reset();
          }}
          error={invalid ?? (saving.error && <Failure error={saving.error} />)}
        />
        {isAsking && (
          <Text size="sm" role="alert">
            {editCopy.signInChanges(submittedValue(draft, 'username') ?? user.employeeID)}
          </Text>
        )}
        <Group justify="space-between" wrap="nowrap" gap="xs">
          <Text size="xs" c="dimmed">
            {isAsking ? '' : editCopy.hint}
          </Text>
          <Group gap={6} wrap="nowrap">
            <Button size="compact-sm" variant="default" onClick={onClose}>
              {commonCopy.cancel}
            </Button>
            <Button size="compact-sm" type="submit" loading={saving.isPending}>
              {isAsking ? editCopy.saveAnyway : commonCopy.save}
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

interface FieldInputProps {
  readonly field: EditableField;
  readonly label: string;
  readonly draft: Draft;
  readonly onChange: (draft: Draft) => void;
  readonly error: ReactNode;
}

const suggestionsHeight = 170;
/** Otherwise, a click on a suggestion would be one outside of the editor. */
const inside = { withinPortal: false } as const;

function FieldInput({ field, label, draft, onChange, error }: FieldInputProps) {
  const [typedTag, setTypedTag] = useState('');
  const attribute = attributeOf(field, useAttributes());
  if (isAttributeField(field)) {
    return (
      attribute && (
        <AttributeInput
          attribute={attribute}
          label={label}
          value={typedValue(draft, field)}
          onChange={(value) => onChange(withValue(draft, field, value))}
          error={error}
          isWithin
          data-autofocus
        />
      )
    );
  }
  switch (field) {
    case 'organizationSerial':
      return (
        <SerialInput
          kind="organizations"
          label={label}
          value={draft.organizationSerial}
          onChange={(organizationSerial) => onChange({ ...draft, organizationSerial })}
          maxDropdownHeight={suggestionsHeight}
          comboboxProps={inside}
          error={error}
          data-autofocus
        />
      );
    case 'managerEmployeeID':
      return (
        <SerialInput
          kind="users"
          except={draft.employeeID}
          label={label}
          value={draft.managerEmployeeID}
          onChange={(managerEmployeeID) => onChange({ ...draft, managerEmployeeID })}
          maxDropdownHeight={suggestionsHeight}
          comboboxProps={inside}
          error={error}
          data-autofocus
        />
      );
    case 'tagSerials':
      return (
        <SerialsInput
          kind="tags"
          label={label}
          value={draft.tagSerials}
          onChange={(tagSerials) => onChange({ ...draft, tagSerials })}
          typed={typedTag}
          onType={setTypedTag}
          acceptValueOnBlur
          maxDropdownHeight={suggestionsHeight}
          comboboxProps={inside}
          error={error}
          data-autofocus
        />
      );
    default:
      return (
        <TextInput
          label={label}
          value={draft[field]}
          onChange={(event) => onChange({ ...draft, [field]: event.currentTarget.value })}
          onFocus={(event) => event.currentTarget.select()}
          autoComplete="off"
          error={error}
          data-autofocus
        />
      );
  }
}
