import { Button, Checkbox, Radio, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { usersCopy } from '../../copy/copy.js';
import { FilterCondition } from './filter-condition.js';
import { roleName } from './filter-text.js';
import { IncludeParts } from './include-parts.js';
import { SerialPicker } from './serial-picker.js';
import {
  type Choice,
  type ChoiceFilter,
  choices,
  type DaysFilter,
  type RolesFilter,
  type RoleValue,
  roleValues,
  type UserFilter,
  withTyped,
} from './user-filters.js';

const copy = usersCopy.filter;

interface FilterEditorProps {
  readonly initial: UserFilter;
  /** The filter may be empty. */
  readonly onApply: (filter: UserFilter) => void;
}

export function FilterEditor({ initial, onApply }: FilterEditorProps) {
  const [filter, setFilter] = useState(initial);
  const [typed, setTyped] = useState('');
  const form = useRef<HTMLFormElement>(null);
  // The menu that opened the editor is gone, and the focus with it.
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[data-autofocus]') ?? find('input:checked'))?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    onApply(withTyped(filter, typed));
  };
  return (
    <form ref={form} onSubmit={submit}>
      <Stack gap="sm">
        <FilterFields filter={filter} onChange={setFilter} typed={typed} onType={setTyped} />
        <Button type="submit" size="xs">
          {copy.apply}
        </Button>
      </Stack>
    </form>
  );
}

interface FieldsProps<Filter extends UserFilter> {
  readonly filter: Filter;
  readonly onChange: (filter: UserFilter) => void;
}

interface FilterFieldsProps extends FieldsProps<UserFilter> {
  readonly typed: string;
  readonly onType: (text: string) => void;
}

function FilterFields({ filter, onChange, typed, onType }: FilterFieldsProps) {
  switch (filter.kind) {
    case 'organization':
    case 'tag':
      return (
        <>
          <FilterCondition filter={filter} onChange={onChange} />
          {'values' in filter && (
            <SerialPicker
              kind={filter.kind}
              values={filter.values}
              onChange={(values) => onChange({ ...filter, values })}
              typed={typed}
              onType={onType}
            />
          )}
          {'values' in filter && filter.kind === 'organization' && !filter.isNot && (
            <IncludeParts filter={filter} onChange={onChange} />
          )}
        </>
      );
    case 'role':
      return (
        <>
          <FilterCondition filter={filter} onChange={onChange} />
          <Roles filter={filter} onChange={onChange} />
        </>
      );
    case 'created':
    case 'updated':
      return <Days filter={filter} onChange={onChange} />;
    default:
      return <Choices filter={filter} onChange={onChange} />;
  }
}

function Roles({ filter, onChange }: FieldsProps<RolesFilter>) {
  return (
    <Checkbox.Group
      aria-label={copy.kinds.role}
      value={[...filter.values]}
      onChange={(values) =>
        onChange({ ...filter, values: roleValues.filter((role) => values.includes(role)) })
      }
    >
      <Stack gap="xs">
        {roleValues.map((role: RoleValue, index) => (
          <Checkbox
            key={role}
            value={role}
            label={roleName(role)}
            data-autofocus={index === 0 || undefined}
          />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

function Days({ filter, onChange }: FieldsProps<DaysFilter>) {
  return (
    <>
      <TextInput
        type="date"
        label={copy.from(copy.kinds[filter.kind])}
        value={filter.from}
        onChange={(event) => onChange({ ...filter, from: event.currentTarget.value })}
        data-autofocus
      />
      <TextInput
        type="date"
        label={copy.until(copy.kinds[filter.kind])}
        value={filter.until}
        onChange={(event) => onChange({ ...filter, until: event.currentTarget.value })}
      />
    </>
  );
}

function Choices({ filter, onChange }: FieldsProps<ChoiceFilter>) {
  return (
    <Radio.Group
      label={copy.kinds[filter.kind]}
      value={filter.value}
      onChange={(value) => onChange({ ...filter, value: value as Choice })}
    >
      <Stack gap="xs" mt="xs">
        {choices[filter.kind].map((choice) => (
          <Radio key={choice} value={choice} label={copy.choices[choice]} />
        ))}
      </Stack>
    </Radio.Group>
  );
}
