import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { Notice } from '../../components/notice.js';
import { importCopy } from '../../copy/copy.js';
import { formatDay } from '../../copy/format.js';
import { useImportState } from '../state/store.js';
import type { Timing } from '../state/timing.js';

const copy = importCopy.result;

/** Says that calls were not run, what they wait for, and where to find them. */
export function PlannedNotice() {
  const { calls } = useImportState();
  return calls
    .filter(({ planned }) => planned > 0)
    .map(({ id, planned, timing }) => (
      <Notice key={id} color="yellow" role="status" title={titleOf(timing)}>
        <Text size="sm">{copy.plannedHint[timing.kind](planned)}</Text>
        <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always" c="inherit">
          {copy.plannedView}
        </Anchor>
      </Notice>
    ));
}

function titleOf({ kind, day }: Timing): string {
  return kind === 'date' ? copy.plannedTitle.date(formatDay(day)) : copy.plannedTitle[kind];
}
