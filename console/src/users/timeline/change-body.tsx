import { Text } from '@mantine/core';
import { Actor } from '../../components/actor.js';
import { FieldChanges } from '../../components/field-changes.js';
import { formatRole, isEmpty } from '../../components/field-value.js';
import { activityCopy, userCopy, userPageCopy } from '../../copy/copy.js';
import { CallLink } from './call-link.js';
import { type Change, titleOfChange } from './timeline-entry.js';

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
      <Fields change={change} />
    </>
  );
}

/** The title says that the status has changed. What is left to say is that the role is gone. */
function Fields({ change }: { change: Change }) {
  const title = titleOfChange(change);
  const { role } = change.fields;
  if (title !== 'deactivated' && title !== 'reactivated')
    return <FieldChanges fields={knownFields(change)} kind={change.kind} />;
  return role && <Text size="sm">{userCopy.roles.former(formatRole(role.before))}</Text>;
}

/** An erased user has no values left. */
function knownFields({ fields }: Change): Change['fields'] {
  const known = Object.entries(fields).filter(
    ([, change]) => !isEmpty(change?.before) || !isEmpty(change?.after),
  );
  return Object.fromEntries(known);
}
