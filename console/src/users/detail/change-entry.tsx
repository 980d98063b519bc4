import { Anchor, Text } from '@mantine/core';
import type { Schemas } from '@rollcall/client';
import { Link } from 'wouter';
import { Actor } from '../../components/actor.js';
import { FieldChanges } from '../../components/field-changes.js';
import { activityCopy, userCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';

export function ChangeEntry({ change }: { change: Schemas['Change'] }) {
  return (
    <>
      <Text size="sm" c="dimmed" mb={4}>
        <time dateTime={change.at}>{formatDateTime(change.at)}</time> ·{' '}
        <Actor actor={change.actor} fallback={activityCopy.actors.service} isInline />
        {change.callId && (
          <>
            {' · '}
            <Anchor component={Link} href={`/activity/calls/${change.callId}`} inherit underline="always">
              {userCopy.history.call}
            </Anchor>
          </>
        )}
      </Text>
      <FieldChanges fields={change.fields} kind={change.kind} />
    </>
  );
}
