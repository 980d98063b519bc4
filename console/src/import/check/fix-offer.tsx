import { Button, Group, Text } from '@mantine/core';
import type { RefObject } from 'react';
import { focusPage } from '../../components/focus-page.js';
import { Notice } from '../../components/notice.js';
import { importCopy, importReviewCopy } from '../../copy/on-demand-copy.js';
import { dependencies } from '../state/dependencies.js';
import type { Fix } from '../state/state.js';
import { useImportState, useImportStore } from '../state/store.js';
import { applyFix } from './edit-cells.js';

const copy = importCopy.check;

/** Offers to correct all rows with the same problem at once. */
export function FixOffer({ grid }: { grid: RefObject<HTMLElement | null> }) {
  const store = useImportStore();
  const { check, format } = useImportState();
  const fix = check?.fixes[0];
  if (!fix) return null;
  // The buttons go away, and what they are about is below.
  const close = (act: () => void) => {
    act();
    const cell = grid.current?.querySelector<HTMLElement>('[data-cell][tabindex="0"]');
    if (cell) cell.focus({ preventScroll: true });
    else focusPage(); // the table is empty once nothing is left to fix
  };
  const { problem, button } = textsOf(fix, format?.headings[fix.column]?.name ?? '');
  return (
    <Notice color="blue" role="status">
      <Text size="sm">{problem}</Text>
      <Group mt="xs" gap="xs">
        <Button size="xs" onClick={() => close(() => applyFix(store, fix, dependencies))}>
          {button}
        </Button>
        <Button
          size="xs"
          variant="default"
          onClick={() => close(() => store.dispatch({ type: 'fixDismissed' }))}
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
  if (fix.why === 'formerIDs') {
    return {
      problem: importReviewCopy.formerIDs(from, to, count),
      button: importReviewCopy.currentIDsFix(count),
    };
  }
  if (fix.why === 'lastNameFirst') {
    return {
      problem: importReviewCopy.lastNameFirst(from, count),
      button: importReviewCopy.lastNameFirstFix(to, count),
    };
  }
  if (fix.why === 'spacedIDs') {
    return {
      problem: importReviewCopy.spacedIDs(from, count),
      button: importReviewCopy.spacedIDsFix(to, count),
    };
  }
  return {
    problem:
      digits === undefined
        ? copy.lostZeros(from, to, count)
        : importReviewCopy.lostZeros(digits, from, count),
    button: copy.lostZerosFix(from, to, count),
  };
}
