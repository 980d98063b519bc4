import { Button, Group, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { texts } from '../copy/index.js';

/** A text to carry elsewhere. */
export function CopiedText({ label, value }: { label: string; value: string }) {
  const { copy, copied, error } = useClipboard({ timeout: 4_000 });
  return (
    <div>
      <Group align="flex-end" gap="xs" wrap="nowrap">
        <TextInput
          flex={1}
          label={label}
          value={value}
          readOnly
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button variant="default" onClick={() => copy(value)} aria-label={`${texts.activity.copy}: ${label}`}>
          {texts.activity.copy}
        </Button>
      </Group>
      <Text size="xs" mt={4} role="status">
        {error ? texts.activity.cannotCopy : copied ? texts.activity.copied : ''}
      </Text>
    </div>
  );
}
