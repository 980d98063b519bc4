import { Group, Text } from '@mantine/core';
import { attributeField } from '@rollcall/sheets';
import { AttributeInput } from '../../components/attribute-input.js';
import { AttributeName } from '../../components/attribute-name.js';
import type { Attribute } from '../../components/attribute-value.js';
import { useAttributes, useFieldTexts } from '../../components/attributes.js';
import { Icon } from '../../components/icon.js';
import { attributesCopy, commonCopy, userCopy } from '../../copy/copy.js';
import { storedValue, type User } from '../data/user.js';
import { type Draft, type DraftField, typedValue, withValue } from './draft.js';
import { type FormProblems, ProblemText } from './form-problems.js';
import css from './user.module.css';

interface AttributeInputsProps {
  readonly draft: Draft;
  readonly problems: FormProblems;
  readonly onChange: (draft: Draft) => void;
  readonly base?: User;
  readonly changed?: readonly DraftField[];
}

/** The fields that the company has defined. Retired ones show what the user still has. */
export function AttributeInputs({ draft, problems, onChange, base, changed = [] }: AttributeInputsProps) {
  const attributes = useAttributes();
  const { textOf } = useFieldTexts();
  const open = attributes.filter(({ isRetired }) => !isRetired);
  const retired = base ? retiredOf(base, attributes) : [];
  if (open.length + retired.length === 0) return null;
  return (
    <fieldset className={css.attributes}>
      <legend>{commonCopy.fields.attributes}</legend>
      {[...open, ...retired].some(({ isSensitive }) => isSensitive) && <SensitiveHint />}
      <div className={css.attributeFields}>
        {open.map((attribute) => {
          const field = attributeField(attribute.key);
          const isChanged = changed.includes(field);
          const problem = problems.shown[field];
          return (
            <div key={field} className={css.field} data-changed={isChanged || undefined}>
              <AttributeInput
                attribute={attribute}
                name={field}
                label={
                  <>
                    <AttributeName attribute={attribute} />
                    {isChanged && <span className={css.mark}>{userCopy.changed}</span>}
                  </>
                }
                description={
                  base && isChanged ? userCopy.was(textOf(field, storedValue(base, field))) : undefined
                }
                error={problem && <ProblemText text={problem} holder={problems.holders[field]} />}
                onBlur={() => problems.touch(field)}
                value={typedValue(draft, field)}
                onChange={(value) => {
                  onChange(withValue(draft, field, value));
                  problems.clearError(field);
                }}
              />
            </div>
          );
        })}
        {retired.map((attribute) => {
          const field = attributeField(attribute.key);
          return (
            <div key={field} className={css.field}>
              <Text size="sm" fw={500} c="dimmed" component="div">
                <AttributeName attribute={attribute} />
                <span className={css.mark} data-retired>
                  {attributesCopy.retired}
                </span>
              </Text>
              <Text size="sm" c="dimmed" my={6} style={{ overflowWrap: 'anywhere' }}>
                {base && textOf(field, storedValue(base, field))}
              </Text>
              <Text size="xs" c="dimmed">
                {attributesCopy.retiredHint}
              </Text>
            </div>
          );
        })}
      </div>
    </fieldset>
  );
}

/** Those of which the user still has a value. */
export function retiredOf(user: User, attributes: readonly Attribute[]): Attribute[] {
  return attributes.filter(
    ({ key, isRetired }) => isRetired && storedValue(user, attributeField(key)) !== null,
  );
}

function SensitiveHint() {
  return (
    <Group gap={6} wrap="nowrap" mb="sm">
      <Icon name="lock" size={14} />
      <Text size="xs" c="dimmed">
        {attributesCopy.sensitiveHint}
      </Text>
    </Group>
  );
}
