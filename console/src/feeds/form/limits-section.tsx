import { Checkbox, SimpleGrid, Text, TextInput } from '@mantine/core';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import { type LimitsDraft, limitNames } from './rules-draft.js';
import { Disclosure, FormSection, type PartProps } from './section.js';

const copy = feedFormCopy.limits;

export function LimitsSection({ draft, onChange, problemOf, refused }: PartProps) {
  const { limits } = draft;
  const set = (part: Partial<LimitsDraft>) => onChange({ limits: { ...limits, ...part } });
  const problems = limitNames.map((name) => problemOf(`limits.${name}`, copy.invalid));
  const isSet = Object.values(limits.values).some((value) => value !== '');
  return (
    <FormSection
      title={copy.title}
      hint={copy.hint}
      refused={refused === 'limits' ? copy.refused : undefined}
    >
      <Checkbox
        label={copy.learn}
        description={copy.learnHint}
        checked={limits.learn}
        onChange={(event) => set({ learn: event.currentTarget.checked })}
      />
      <Disclosure title={copy.entered} isOpen={isSet}>
        <Text size="sm" c="dimmed">
          {copy.valueHint}
        </Text>
        <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
          {limitNames.map((name, at) => (
            <TextInput
              key={name}
              label={copy.labels[name]}
              value={limits.values[name] ?? ''}
              onChange={(event) => set({ values: { ...limits.values, [name]: event.currentTarget.value } })}
              error={problems[at]}
              autoComplete="off"
            />
          ))}
        </SimpleGrid>
      </Disclosure>
    </FormSection>
  );
}
