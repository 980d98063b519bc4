import { Text } from '@mantine/core';
import { Actor } from '../../components/actor.js';
import { FieldChanges } from '../../components/field-changes.js';
import { isEmpty } from '../../components/field-value.js';
import { activityCopy, userPageCopy } from '../../copy/copy.js';
import { CallLink } from './call-link.js';
import type { Change } from './timeline-entry.js';

export function ChangeBody({ change }: { change: Change }) {
  return (
    <>
      <Text size="sm" c="dimmed">
        {userPageCopy.timeline.by}{' '}
        <Actor actor={change.actor} fallback={activityCopy.actors.service} isInline />
        {change.callId && (
          <>
            {' · '}
            <CallLink id={change.callId} />
          </>
        )}
      </Text>
      <FieldChanges fields={knownFields(change)} kind={change.kind} />
    </>
  );
}

/** An erased user has no values left. */
function knownFields({ fields }: Change): Change['fields'] {
  const known = Object.entries(fields).filter(
    ([, change]) => !isEmpty(change?.before) || !isEmpty(change?.after),
  );
  return Object.fromEntries(known);
}
