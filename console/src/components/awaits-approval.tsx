import { Anchor, Text } from '@mantine/core';
import { Link } from 'wouter';
import { plannedCopy } from '../copy/copy.js';
import { Notice } from './notice.js';

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
