import { Button, Group, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { importCopy } from '../../copy/copy.js';
import { dependencies } from '../state/dependencies.js';
import { useImportState, useImportStore } from '../state/store.js';
import { applyFix } from './edit-cells.js';

const copy = importCopy.check;

/** Offers to correct all rows with the same problem at once. */
export function FixOffer() {
  const store = useImportStore();
  const { check, format } = useImportState();
  const fix = check?.fix;
  if (!fix) return null;
  const { why, texts, from, column } = fix;
  const to = texts[0]?.[1] ?? '';
  const count = texts.length;
  const heading = format?.headings[column]?.name ?? '';
  return (
    <Notice color="blue" role="status">
      <Text size="sm">
        {why === 'lostZeros' ? copy.lostZeros(from, to, count) : copy.sameText(heading, from, count)}
      </Text>
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => applyFix(store, fix, dependencies)}>
          {why === 'lostZeros' ? copy.lostZerosFix(from, to, count) : copy.sameTextFix(from, to, count)}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => store.dispatch({ type: 'fixFound', fix: undefined })}
        >
          {copy.dismiss}
        </Button>
      </Group>
    </Notice>
  );
}
