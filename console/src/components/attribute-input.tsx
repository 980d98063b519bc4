import { Input, SegmentedControl, Select, TagsInput, TextInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { type FocusEventHandler, type ReactNode, useState } from 'react';
import { attributesCopy, commonCopy } from '../copy/copy.js';
import { formatDecimal, parseDecimal } from '../copy/format.js';
import { type Attribute, type AttributeValue, attributeLabel } from './attribute-value.js';

const copy = attributesCopy.input;

/** What all inputs have in common. */
interface InputProps {
  readonly label?: ReactNode;
  readonly description?: ReactNode;
  readonly error?: ReactNode;
  readonly name?: string | undefined;
  readonly required?: boolean;
  readonly onBlur?: FocusEventHandler<HTMLElement>;
  readonly 'data-autofocus'?: true | undefined;
}

interface AttributeInputProps extends InputProps {
  readonly attribute: Attribute;
  /** As typed: a number that can't be read is a text. */
  readonly value: AttributeValue;
  readonly onChange: (value: AttributeValue) => void;
  /** The suggestions stay within the element, because a click outside of it closes it. */
  readonly isWithin?: boolean;
}

const order = ['label', 'input', 'description', 'error'] as ('label' | 'input' | 'description' | 'error')[];
const manyChoices = 8;
/** Commas are part of many names. */
const separators = [';', '\n'];
const suggestionsHeight = 170;

/** Enters the value of an attribute. */
export function AttributeInput({
  attribute,
  value,
  onChange,
  isWithin = false,
  ...props
}: AttributeInputProps) {
  const name = attributeLabel(attribute);
  const dropdown = { comboboxProps: { withinPortal: !isWithin, shadow: 'md' }, inputWrapperOrder: order };
  switch (attribute.type) {
    case 'text':
      return (
        <TextInput
          {...props}
          inputWrapperOrder={order}
          autoComplete="off"
          value={textOf(value)}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'number':
      return <DecimalInput {...props} value={value} onChange={onChange} />;
    case 'date':
      return (
        <DateInput
          {...props}
          value={value}
          onChange={onChange}
          min={attribute.minimum}
          max={attribute.maximum}
        />
      );
    case 'boolean':
      return <YesNoInput {...props} name={name} value={value} onChange={onChange} />;
    case 'choice':
      return (
        <Select
          {...props}
          {...dropdown}
          data={choicesWith(attribute.choices ?? [], textOf(value))}
          value={textOf(value) || null}
          onChange={(chosen) => onChange(chosen ?? '')}
          placeholder={copy.choose}
          searchable={(attribute.choices ?? []).length > manyChoices}
          clearable={props.required !== true}
          clearButtonProps={{ 'aria-label': copy.clear(name) }}
          allowDeselect={false}
          maxDropdownHeight={suggestionsHeight}
        />
      );
    case 'list':
      return (
        <TagsInput
          {...props}
          {...dropdown}
          description={props.description ?? copy.listHint}
          value={Array.isArray(value) ? [...value] : []}
          onChange={onChange}
          splitChars={separators}
          maxTags={limits.attributeListMaxCount}
          acceptValueOnBlur
          isDuplicate={(one, others) => others.includes(one)}
        />
      );
  }
}

function textOf(value: AttributeValue): string {
  return typeof value === 'string' ? value : '';
}

/** A user may have a value that is no longer offered. */
function choicesWith(choices: readonly string[], value: string): string[] {
  return value === '' || choices.includes(value) ? [...choices] : [...choices, value];
}

interface DecimalInputProps extends InputProps {
  readonly value: AttributeValue;
  /** Receives the text if it is not a number. */
  readonly onChange: (value: number | string) => void;
}

/** A number as the user's language writes it. Leaving the input shows how it was understood. */
export function DecimalInput({ value, onChange, onBlur, ...props }: DecimalInputProps) {
  const [typed, setTyped] = useState(() => shownNumber(value));
  // The value was changed from outside.
  if (readNumber(typed) !== value) setTyped(shownNumber(value));
  return (
    <TextInput
      {...props}
      inputWrapperOrder={order}
      inputMode="decimal"
      autoComplete="off"
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        onChange(readNumber(event.currentTarget.value));
      }}
      onBlur={(event) => {
        setTyped(shownNumber(value));
        onBlur?.(event);
      }}
    />
  );
}

function readNumber(typed: string): number | string {
  return parseDecimal(typed) ?? typed;
}

function shownNumber(value: AttributeValue): string {
  return typeof value === 'number' ? formatDecimal(value) : textOf(value);
}

interface DateInputProps extends InputProps {
  /** Such as 2026-12-31, or empty. */
  readonly value: AttributeValue;
  readonly onChange: (value: string) => void;
  readonly min?: string | number | null;
  readonly max?: string | number | null;
}

/** The browser shows days in the order of its region. */
export function DateInput({ value, onChange, min = null, max = null, ...props }: DateInputProps) {
  return (
    <TextInput
      {...props}
      inputWrapperOrder={order}
      type="date"
      value={textOf(value)}
      onChange={(event) => onChange(event.currentTarget.value)}
      min={min ?? undefined}
      max={max ?? lastDay}
    />
  );
}

/** Without it, browsers accept years of six digits. */
const lastDay = '9999-12-31';

interface YesNoInputProps extends InputProps {
  readonly name: string;
  readonly value: AttributeValue;
  readonly onChange: (value: AttributeValue) => void;
}

function YesNoInput({ name, value, onChange, label, description, error, ...props }: YesNoInputProps) {
  return (
    <Input.Wrapper
      {...{ label, description, error }}
      labelElement="div"
      inputWrapperOrder={order}
      withAsterisk={props.required ?? false}
    >
      <SegmentedControl
        fullWidth
        aria-label={name}
        value={typeof value === 'boolean' ? String(value) : ''}
        onChange={(chosen) => onChange(chosen === '' ? '' : chosen === 'true')}
        data={[
          { value: '', label: copy.notSet },
          { value: 'true', label: commonCopy.yes },
          { value: 'false', label: commonCopy.no },
        ]}
      />
    </Input.Wrapper>
  );
}
