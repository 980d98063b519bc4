import { Checkbox, NativeSelect, Stack } from '@mantine/core';
import { selectOptions } from '../../components/choices.js';
import { EntriesInput } from '../../components/entry-inputs.js';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { canHave, type RuleFlag, type RulesDraft, ruleFlags } from './rules-draft.js';
import { ScopeAttributes } from './scope-attributes.js';
import { below, FormSection, type PartProps } from './section.js';

const copy = feedFormCopy.rules;

/** Each rule with the sentence that says what it means. */
export function RulesSection({ draft, onChange, problemOf, refused }: PartProps) {
  const { rules } = draft;
  const set = (part: Partial<RulesDraft>) => onChange({ rules: { ...rules, ...part } });
  const setFlags = (flags: readonly RuleFlag[]) =>
    set({ flags: flags.filter((flag) => canHave({ ...rules, flags }, flag)) });
  const choice = <Name extends 'onConflict' | 'unknownNames' | 'approval' | 'deliver'>(
    name: Name,
    label: string,
    choices: Readonly<Record<RulesDraft[Name], string>>,
    hints: Readonly<Record<RulesDraft[Name], string>>,
  ) => (
    <NativeSelect
      label={label}
      description={hints[rules[name]]}
      inputWrapperOrder={below}
      data={selectOptions(choices)}
      value={rules[name]}
      onChange={(event) => set({ [name]: event.currentTarget.value })}
    />
  );
  return (
    <FormSection title={copy.title} refused={refused === 'rules' ? copy.refused : undefined}>
      <Checkbox.Group
        aria-label={copy.title}
        value={[...rules.flags]}
        onChange={(chosen) => setFlags(ruleFlags.filter((flag) => chosen.includes(flag)))}
      >
        <Stack gap="xs">
          {ruleFlags.map((flag) => (
            <Checkbox
              key={flag}
              value={flag}
              label={copy.flags[flag]}
              description={copy.flagHints[flag]}
              disabled={!canHave(rules, flag)}
            />
          ))}
        </Stack>
      </Checkbox.Group>
      <EntriesInput
        kind="organizations"
        label={copy.organizations}
        description={copy.organizationsHint}
        inputWrapperOrder={below}
        value={rules.organizations}
        onChange={(organizations) => set({ organizations })}
      />
      <EntriesInput
        kind="tags"
        label={copy.tags}
        description={copy.tagsHint}
        inputWrapperOrder={below}
        value={rules.tags}
        onChange={(tags) => set({ tags })}
      />
      <ScopeAttributes
        conditions={rules.attributes}
        onChange={(attributes) => set({ attributes })}
        problemOf={problemOf}
      />
      {choice('approval', copy.approval, copy.approvalChoices, copy.approvalHints)}
      {choice('unknownNames', copy.unknownNames, copy.unknownNamesChoices, copy.unknownNamesHints)}
      {choice('onConflict', copy.onConflict, copy.onConflictChoices, copy.onConflictHints)}
      {choice('deliver', copy.deliver, copy.deliverChoices, copy.deliverHints)}
    </FormSection>
  );
}
