import { Checkbox, Input, NativeSelect, Radio, Stack, TagsInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import { DateInput, DecimalInput } from '../../components/attribute-input.js';
import {
  type Attribute,
  type AttributeType,
  attributeName,
  attributeOf,
} from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { attributesCopy, commonCopy, usersCopy } from '../../copy/copy.js';
import { formatDecimal } from '../../copy/format.js';
import css from './filters.module.css';
import type { AttributeFilter, UserFilter } from './user-filters.js';

const copy = attributesCopy.filter;

interface AttributeFieldsProps {
  readonly filter: AttributeFilter;
  readonly onChange: (filter: AttributeFilter) => void;
  readonly typed: string;
  readonly onType: (text: string) => void;
}

type Condition = 'some' | 'isSet' | 'isNotSet';

/** What users are filtered by depends on the type. Yes, no and open are the only choices of a boolean. */
export function AttributeFields({ filter, onChange, typed, onType }: AttributeFieldsProps) {
  const attributes = useAttributes();
  const field = attributeField(filter.key);
  const attribute = attributeOf(field, attributes);
  const name = attributeName(field, attributes);
  if (attribute?.type === 'boolean') return <Answers name={name} filter={filter} onChange={onChange} />;
  const isRange = attribute?.type === 'number' || attribute?.type === 'date';
  const { key } = filter;
  const change = (condition: Condition) => {
    if (condition !== 'some') return onChange({ kind: 'attribute', key, isSet: condition === 'isSet' });
    onChange({ kind: 'attribute', key, ...(isRange ? { from: '', until: '' } : { values: [] }) });
  };
  return (
    <>
      <Input.Label labelElement="div">{name}</Input.Label>
      <NativeSelect
        size="xs"
        aria-label={usersCopy.filter.condition}
        value={'isSet' in filter ? (filter.isSet ? 'isSet' : 'isNotSet') : 'some'}
        onChange={(event) => change(event.currentTarget.value as Condition)}
        data={[
          { value: 'some', label: isRange ? copy.range : copy.is },
          { value: 'isSet', label: copy.isSet },
          { value: 'isNotSet', label: copy.isNotSet },
        ]}
      />
      {'from' in filter && <Range type={attribute?.type} filter={filter} onChange={onChange} />}
      {'values' in filter &&
        (attribute?.type === 'choice' ? (
          <Choices name={name} attribute={attribute} filter={filter} onChange={onChange} />
        ) : (
          <TagsInput
            aria-label={name}
            description={copy.valuesHint}
            inputWrapperOrder={['input', 'description']}
            value={[...filter.values]}
            onChange={(values) => onChange({ ...filter, values })}
            searchValue={typed}
            onSearchChange={onType}
            splitChars={[';', '\n']}
            // The new value would move the button that is being clicked.
            acceptValueOnBlur={false}
            maxTags={limits.filterValuesMax}
            maxLength={limits.searchMaxLength}
            data-autofocus
          />
        ))}
    </>
  );
}

type ValuesFilter = Extract<AttributeFilter, { values: unknown }>;
type RangeFilter = Extract<AttributeFilter, { from: unknown }>;

interface FieldsProps<Filter extends AttributeFilter> {
  readonly filter: Filter;
  readonly onChange: (filter: AttributeFilter) => void;
}

function Answers({ name, filter, onChange }: FieldsProps<AttributeFilter> & { readonly name: string }) {
  const { key } = filter;
  const value = 'isSet' in filter ? 'open' : 'values' in filter ? filter.values[0] : undefined;
  return (
    <Radio.Group
      label={name}
      value={value ?? null}
      onChange={(chosen) =>
        onChange(
          chosen === 'open'
            ? { kind: 'attribute', key, isSet: false }
            : { kind: 'attribute', key, values: [chosen] },
        )
      }
    >
      <Stack gap="xs" mt="xs">
        <Radio value="true" label={commonCopy.yes} />
        <Radio value="false" label={commonCopy.no} />
        <Radio value="open" label={attributesCopy.input.notSet} />
      </Stack>
    </Radio.Group>
  );
}

interface ChoicesProps extends FieldsProps<ValuesFilter> {
  readonly name: string;
  readonly attribute: Attribute;
}

function Choices({ name, attribute, filter, onChange }: ChoicesProps) {
  const choices = attribute.choices ?? [];
  return (
    <Checkbox.Group
      aria-label={name}
      value={[...filter.values]}
      onChange={(chosen) => onChange({ ...filter, values: choices.filter((each) => chosen.includes(each)) })}
    >
      <Stack gap="xs" className={css.choices}>
        {choices.map((choice, index) => (
          <Checkbox key={choice} value={choice} label={choice} data-autofocus={index === 0 || undefined} />
        ))}
      </Stack>
    </Checkbox.Group>
  );
}

interface RangeProps extends FieldsProps<RangeFilter> {
  readonly type: AttributeType | undefined;
}

const exampleNumber = 1234.5;

/** Both ends are included, and each can be left open. */
function Range({ type, filter, onChange }: RangeProps) {
  const ends = [
    { label: copy.from, value: filter.from, set: (from: string) => onChange({ ...filter, from }) },
    { label: copy.to, value: filter.until, set: (until: string) => onChange({ ...filter, until }) },
  ];
  return ends.map(({ label, value, set }, index) =>
    type === 'number' ? (
      <DecimalInput
        key={label}
        label={label}
        value={isNumber(value) ? Number(value) : value}
        onChange={(next) => set(String(next))}
        error={
          value === '' || isNumber(value)
            ? undefined
            : attributesCopy.rules.number(formatDecimal(exampleNumber))
        }
        data-autofocus={index === 0 || undefined}
      />
    ) : (
      <DateInput
        key={label}
        label={label}
        value={value}
        onChange={set}
        data-autofocus={index === 0 || undefined}
      />
    ),
  );
}

function isNumber(text: string): boolean {
  return /^-?\d+(?:\.\d+)?$/.test(text);
}

/** False if an end of a range is not a number. */
export function isComplete(filter: UserFilter, attributes: readonly Attribute[]): boolean {
  if (filter.kind !== 'attribute' || !('from' in filter)) return true;
  const attribute = attributeOf(attributeField(filter.key), attributes);
  if (attribute?.type !== 'number') return true;
  return [filter.from, filter.until].every((end) => end === '' || isNumber(end));
}
