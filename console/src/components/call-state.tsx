import { Anchor, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { activityCopy, commonCopy, homeCopy, plannedCopy } from '../copy/copy.js';
import { Notice } from './notice.js';
import { StateBadge } from './state-badge.js';

const colors = {
  planned: 'violet',
  awaitingApproval: 'yellow',
  running: 'blue',
  done: 'green',
  interrupted: 'red',
  cancelled: 'gray',
  expired: 'red',
} as const;

interface CallStateBadgeProps {
  readonly state: Schemas['Call']['state'];
  readonly isRejected?: boolean | undefined;
}

export function CallStateBadge({ state, isRejected = false }: CallStateBadgeProps) {
  if (isRejected) return <StateBadge color="red">{plannedCopy.rejected}</StateBadge>;
  return <StateBadge color={colors[state]}>{activityCopy.calls.state[state]}</StateBadge>;
}

const copy = homeCopy.recent;

/** How much a call changed, or will change. Erasing users is no change of them. */
export function CallResult({
  call: { kind, state, items, succeeded, failed, changes },
}: {
  call: Schemas['Call'];
}) {
  if (state === 'cancelled' || state === 'expired') return commonCopy.none;
  if (state === 'planned' || state === 'awaitingApproval') return copy.planned(items);
  return (
    <>
      {kind === 'erase-bulk' ? copy.succeeded(succeeded) : copy.changes(changes)}
      {failed > 0 && (
        <Text span inherit fw={700} c="var(--mantine-color-error)">
          {' · '}
          {copy.failed(failed)}
        </Text>
      )}
    </>
  );
}

/** Says that a call was not run, and where to find it. */
export function AwaitsApproval({ callId }: { callId: string | null }) {
  return (
    <Notice color="yellow" role="status" title={plannedCopy.awaits.title}>
      <Text size="sm">{plannedCopy.awaits.text}</Text>
      {callId !== null && (
        <Anchor component={Link} href={`/activity/calls/${callId}`} size="sm" underline="always">
          {plannedCopy.awaits.view}
        </Anchor>
      )}
    </Notice>
  );
}
