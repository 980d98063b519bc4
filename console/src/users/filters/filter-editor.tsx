import { Button, Checkbox, Input, Radio, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { useAttributes } from '../../components/attributes.js';
import { useHasParts } from '../../components/directory.js';
import { SerialsInput } from '../../components/entry-inputs.js';
import { usersCopy } from '../../copy/copy.js';
import { AttributeFields, isComplete } from './attribute-filter-fields.js';
import { roleName } from './filter-text.js';
import css from './filters.module.css';
import {
  type Choice,
  type ChoiceFilter,
  choices,
  type DaysFilter,
  type NoSerialsFilter,
  type RolesFilter,
  type RoleValue,
  roleValues,
  type SerialsFilter,
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
  const attributes = useAttributes();
  const form = useRef<HTMLFormElement>(null);
  // The menu that opened the editor is gone, and the focus with it.
  useEffect(() => {
    const find = (selector: string) => form.current?.querySelector<HTMLElement>(selector);
    (find('[data-autofocus]') ?? find('input:checked'))?.focus();
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isComplete(filter, attributes)) onApply(withTyped(filter, typed));
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
    case 'manager':
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
    case 'attribute':
      return <AttributeFields filter={filter} onChange={onChange} typed={typed} onType={onType} />;
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

type Condition = 'is' | 'isNot' | 'isNone';

/** Filters of which users have some of the values, none of them, or no value at all. */
type ConditionalFilter = SerialsFilter | NoSerialsFilter | RolesFilter;

interface FilterConditionProps {
  readonly filter: ConditionalFilter;
  readonly onChange: (filter: UserFilter) => void;
}

function FilterCondition({ filter, onChange }: FilterConditionProps) {
  const { kind } = filter;
  // "No role" is one of the roles.
  const isNot = kind === 'manager' ? [] : [{ value: 'isNot', label: copy.isNot }];
  const isNone = kind === 'role' ? [] : [{ value: 'isNone', label: copy.none[kind] }];
  return (
    <>
      <Input.Label labelElement="div">{copy.kinds[kind]}</Input.Label>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={copy.condition}
        data={[{ value: 'is', label: copy.is }, ...isNot, ...isNone]}
        value={conditionOf(filter)}
        onChange={(chosen) => onChange(withCondition(filter, chosen))}
      />
    </>
  );
}

function conditionOf(filter: ConditionalFilter): Condition {
  if ('isNone' in filter) return 'isNone';
  return filter.isNot ? 'isNot' : 'is';
}

function withCondition(filter: ConditionalFilter, condition: string): UserFilter {
  const isNot = condition === 'isNot';
  if (filter.kind === 'role') return { ...filter, isNot };
  const { kind } = filter;
  if (condition === 'isNone') return { kind, isNone: true };
  return { kind, isNot, values: 'values' in filter ? filter.values : [] };
}

interface IncludePartsProps {
  readonly filter: SerialsFilter;
  readonly onChange: (filter: SerialsFilter) => void;
}

/** Offered if one of the organizations has parts, or if it was chosen before they were removed. */
function IncludeParts({ filter, onChange }: IncludePartsProps) {
  const { includesParts = false, ...exact } = filter;
  const hasParts = useHasParts(filter.values);
  if (!hasParts && !includesParts) return null;
  return (
    <Checkbox
      label={usersCopy.filter.includeParts}
      checked={includesParts}
      onChange={(event) => onChange(event.currentTarget.checked ? { ...exact, includesParts: true } : exact)}
    />
  );
}

interface SerialPickerProps {
  readonly kind: SerialsFilter['kind'];
  readonly values: readonly string[];
  /** What is typed but not yet one of the values. */
  readonly typed: string;
  readonly onChange: (values: string[]) => void;
  readonly onType: (text: string) => void;
}

const suggestionsHeight = 170;
const referenced = { organization: 'organizations', tag: 'tags', manager: 'users' } as const;

/** Picks organizations, tags or managers by name or ID. */
function SerialPicker({ kind, values, typed, onChange, onType }: SerialPickerProps) {
  const [placeholder, hint] =
    kind === 'manager'
      ? [copy.managerPlaceholder, copy.managerHint]
      : [copy.serialPlaceholder, copy.serialHint];
  return (
    <SerialsInput
      kind={referenced[kind]}
      aria-label={usersCopy.filter.kinds[kind]}
      {...(values.length === 0 && { placeholder })}
      description={hint}
      inputWrapperOrder={['input', 'description']}
      value={values}
      onChange={onChange}
      typed={typed}
      onType={onType}
      // The new value would move the button that is being clicked.
      acceptValueOnBlur={false}
      maxTags={limits.filterValuesMax}
      maxLength={limits.searchMaxLength}
      isListOpen
      // A click outside of the editor closes it.
      comboboxProps={{ withinPortal: false }}
      classNames={{ dropdown: css.suggestions }}
      maxDropdownHeight={suggestionsHeight}
      data-autofocus
    />
  );
}
