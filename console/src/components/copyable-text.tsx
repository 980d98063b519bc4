import { Button, Group, Text, TextInput } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { activityCopy } from '../copy/copy.js';

export function CopyableText({ label, value }: { label: string; value: string }) {
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
        <Button variant="default" onClick={() => copy(value)} aria-label={`${activityCopy.copy}: ${label}`}>
          {activityCopy.copy}
        </Button>
      </Group>
      <Text size="xs" mt={4} role="status">
        {error ? activityCopy.cannotCopy : copied ? activityCopy.copied : ''}
      </Text>
    </div>
  );
}
