import { Button, CloseButton, Fieldset, Group, Input, Stack, Text, TextInput } from '@mantine/core';
import { recipeLimits } from '@rollcall/sheets';
import { feedFormCopy } from '../../copy/on-demand-copy.js';
import type { ValueDraft } from './mapping-draft.js';

const copy = feedFormCopy.mapping;

interface ValueTableProps {
  readonly values: readonly ValueDraft[];
  readonly onChange: (values: readonly ValueDraft[]) => void;
}

/** What the values of a column become. */
export function ValueTable({ values, onChange }: ValueTableProps) {
  const change = (at: number, part: Partial<ValueDraft>) =>
    onChange(values.map((value, index) => (index === at ? { ...value, ...part } : value)));
  return (
    <Fieldset
      legend={<Input.Label component="span">{copy.values}</Input.Label>}
      variant="unstyled"
      p={0}
      m={0}
    >
      <Text size="xs" c="dimmed" mb={4}>
        {copy.valuesHint}
      </Text>
      <Stack gap={4}>
        {values.map(({ from, to }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a value has nothing else that tells it apart
          <Group key={at} gap="xs" wrap="nowrap">
            <TextInput
              flex={1}
              aria-label={copy.valueFrom(at + 1)}
              placeholder={copy.inFile}
              value={from}
              onChange={(event) => change(at, { from: event.currentTarget.value })}
              maxLength={recipeLimits.textCharactersMax}
              autoComplete="off"
            />
            <span aria-hidden>→</span>
            <TextInput
              flex={1}
              aria-label={copy.valueTo(at + 1)}
              placeholder={copy.becomes}
              value={to}
              onChange={(event) => change(at, { to: event.currentTarget.value })}
              maxLength={recipeLimits.textCharactersMax}
              autoComplete="off"
            />
            <CloseButton
              aria-label={copy.removeValue(at + 1)}
              onClick={() => onChange(values.filter((_, index) => index !== at))}
            />
          </Group>
        ))}
      </Stack>
      <Button
        size="xs"
        variant="default"
        mt={values.length > 0 ? 'xs' : 0}
        onClick={() => onChange([...values, { from: '', to: '' }])}
      >
        {copy.addValue}
      </Button>
    </Fieldset>
  );
}
