import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { tableProblemText } from '@rollcall/sheets';
import { describeError } from '../../components/error-message.js';
import { Notice } from '../../components/notice.js';
import { importCopy, sheetsCopy } from '../../copy/on-demand-copy.js';
import type { ReadFailure } from '../state/source.js';
import type { Reading } from '../state/state.js';

const copy = importCopy.file;

export function ReadingProgress({ reading }: { reading: Extract<Reading, { state: 'reading' }> }) {
  const { name, rows, share, cancel } = reading;
  return (
    <Stack gap="xs" aria-busy>
      <Text fw={600}>{copy.reading(name)}</Text>
      <Progress value={(share ?? 1) * 100} animated={share === undefined} aria-label={copy.reading(name)} />
      <Group justify="space-between">
        <Text size="sm" role="status">
          {copy.readSoFar(rows)}
        </Text>
        <Button variant="default" size="xs" onClick={cancel}>
          {copy.cancel}
        </Button>
      </Group>
    </Stack>
  );
}

export function ReadingFailure({ reading }: { reading: Reading }) {
  if (reading.state !== 'failed') return null;
  const { name, failure } = reading;
  return (
    <Notice color="red" title={copy.cannotRead(name)} role="alert">
      {failureText(failure)}
    </Notice>
  );
}

function failureText(failure: ReadFailure): string {
  if (failure.code === 'NO_ATTRIBUTES') return describeError(failure.error);
  return failure.code === 'UNREADABLE' ? copy.unreadable : tableProblemText(failure, sheetsCopy);
}
