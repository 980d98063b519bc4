import { Checkbox, CloseButton, Group, Select, Stack, TagsInput } from '@mantine/core';
import { limits } from '@rollcall/client';
import { attributeField } from '@rollcall/sheets';
import {
  type Attribute,
  attributeLabel,
  attributeName,
  attributeOf,
  attributeProblem,
} from '../../components/attribute-value.js';
import { useAttributes } from '../../components/attributes.js';
import { commonCopy } from '../../copy/copy.js';
import { formatDecimal, parseDecimal } from '../../copy/format.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import type { ScopeAttribute, ScopeValue } from './rules-draft.js';
import type { PartProps } from './section.js';

const copy = feedFormCopy.rules;

interface ScopeAttributesProps extends Pick<PartProps, 'problemOf'> {
  readonly conditions: readonly ScopeAttribute[];
  readonly onChange: (conditions: readonly ScopeAttribute[]) => void;
}

/** The attributes by which users belong to the feed, each with the values that they can have. */
export function ScopeAttributes({ conditions, onChange, problemOf }: ScopeAttributesProps) {
  const attributes = useAttributes();
  const others = attributes.filter(({ key }) => !conditions.some((each) => each.key === key));
  if (attributes.length === 0 && conditions.length === 0) return null;
  return (
    <Stack gap="xs">
      {conditions.map((condition) => {
        const { key } = condition;
        const name = attributeName(attributeField(key), attributes);
        return (
          <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
            <Values
              attribute={attributeOf(attributeField(key), attributes)}
              label={copy.onlyValues(name)}
              values={condition.values}
              onChange={(values) =>
                onChange(conditions.map((each) => (each.key === key ? { key, values } : each)))
              }
              error={problemOf(`scope.${key}`, copy.valuesRequired)}
            />
            <CloseButton
              aria-label={copy.removeAttribute(name)}
              onClick={() => onChange(conditions.filter((each) => each.key !== key))}
            />
          </Group>
        );
      })}
      <Select
        label={copy.attributes}
        description={copy.attributesHint}
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        placeholder={copy.addAttribute}
        data={others.map((each) => ({ value: each.key, label: attributeLabel(each) }))}
        value={null}
        onChange={(key) => key !== null && onChange([...conditions, { key, values: [] }])}
        searchable
        nothingFoundMessage={commonCopy.none}
        comboboxProps={{ shadow: 'md' }}
      />
    </Stack>
  );
}

interface ValuesProps {
  /** Undefined if it was deleted, or is hidden from the user. */
  readonly attribute: Attribute | undefined;
  readonly label: string;
  readonly values: readonly ScopeValue[];
  readonly onChange: (values: readonly ScopeValue[]) => void;
  readonly error: string | undefined;
}

function Values({ attribute, label, values, onChange, error }: ValuesProps) {
  const offered = offeredValues(attribute);
  if (offered) {
    return (
      <Checkbox.Group
        flex={1}
        label={label}
        error={error}
        value={values.map(String)}
        onChange={(chosen) =>
          onChange(offered.flatMap(([value]) => (chosen.includes(String(value)) ? value : [])))
        }
      >
        <Stack gap="xs" mt={4} mah={choicesHeight} style={{ overflowY: 'auto' }}>
          {offered.map(([value, text]) => (
            <Checkbox key={text} value={String(value)} label={text} />
          ))}
        </Stack>
      </Checkbox.Group>
    );
  }
  const problem = attribute && firstProblem(attribute, values);
  return (
    <TagsInput
      flex={1}
      label={label}
      description={attribute?.type === 'date' ? copy.dateValuesHint : copy.valuesHint}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      value={values.map((value) => (typeof value === 'number' ? formatDecimal(value) : String(value)))}
      onChange={(texts) => onChange(texts.map((text) => readValue(attribute, text)))}
      error={error ?? problem}
      splitChars={[';', '\n']}
      acceptValueOnBlur
      isDuplicate={(one, all) => all.includes(one)}
      maxLength={limits.attributeTextMaxLength}
    />
  );
}

const choicesHeight = 170;

/** The values of which there are only a few. */
function offeredValues(attribute: Attribute | undefined): [value: ScopeValue, text: string][] | undefined {
  if (attribute?.type === 'boolean')
    return [
      [true, commonCopy.yes],
      [false, commonCopy.no],
    ];
  return attribute?.type === 'choice' ? (attribute.choices ?? []).map((each) => [each, each]) : undefined;
}

function readValue(attribute: Attribute | undefined, text: string): ScopeValue {
  return attribute?.type === 'number' ? (parseDecimal(text) ?? text) : text;
}

function firstProblem(attribute: Attribute, values: readonly ScopeValue[]): string | undefined {
  const inList = attribute.type === 'list';
  return values
    .map((value) => attributeProblem(attribute, inList ? [String(value)] : value))
    .find((problem) => problem !== undefined);
}
