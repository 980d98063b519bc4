import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { texts } from '../../copy/index.js';
import type { Reading } from '../state/wizard.js';

const words = texts.bulk.file;

export function ReadingProgress({ reading }: { reading: Extract<Reading, { state: 'reading' }> }) {
  const { name, rows, share, cancel } = reading;
  return (
    <Stack gap="xs" aria-busy>
      <Text fw={600}>{words.reading(name)}</Text>
      <Progress value={(share ?? 1) * 100} animated={share === undefined} aria-label={words.reading(name)} />
      <Group justify="space-between">
        <Text size="sm" role="status">
          {words.readSoFar(rows)}
        </Text>
        <Button variant="default" size="xs" onClick={cancel}>
          {words.cancel}
        </Button>
      </Group>
    </Stack>
  );
}
