import { Button, Group, Text } from '@mantine/core';
import { Notice } from '../../components/notice.js';
import { importCopy, importReviewCopy } from '../../copy/copy.js';
import { dependencies } from '../state/dependencies.js';
import type { Fix } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { applyFix } from './edit-cells.js';

const copy = importCopy.check;

/** Offers to correct all rows with the same problem at once. */
export function FixOffer() {
  const store = useImportStore();
  const { check, format } = useImportState();
  const fix = check?.fix;
  if (!fix) return null;
  const { problem, button } = textsOf(fix, format?.headings[fix.column]?.name ?? '');
  return (
    <Notice color="blue" role="status">
      <Text size="sm">{problem}</Text>
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => applyFix(store, fix, dependencies)}>
          {button}
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

function textsOf(fix: Fix, heading: string): { readonly problem: string; readonly button: string } {
  if (fix.why === 'skipColumn') {
    return {
      problem: importReviewCopy.wrongColumn(heading, fix.count),
      button: importReviewCopy.skipColumn(heading),
    };
  }
  const { texts, from, digits } = fix;
  const to = texts[0]?.[1] ?? '';
  const count = texts.length;
  if (fix.why === 'sameText') {
    return { problem: copy.sameText(heading, from, count), button: copy.sameTextFix(from, to, count) };
  }
  return {
    problem:
      digits === undefined
        ? copy.lostZeros(from, to, count)
        : importReviewCopy.lostZeros(digits, from, count),
    button: copy.lostZerosFix(from, to, count),
  };
}
