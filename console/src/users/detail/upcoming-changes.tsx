import { Anchor, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { FieldChanges } from '../../components/field-changes.js';
import { plannedCopy } from '../../copy/copy.js';
import { formatDateTime } from '../../copy/format.js';
import type { UpcomingChange } from '../data/user-queries.js';

const copy = plannedCopy.upcoming;

/** What planned calls will change, soonest first. */
export function UpcomingChanges({ changes }: { changes: readonly UpcomingChange[] }) {
  return (
    <Stack gap="sm">
      {changes.map((change) => (
        <div key={change.callId}>
          <Text size="sm" fw={600}>
            {copy.what(whenText(change), whatText(change))}
          </Text>
          {!isStatusOnly(change) && <FieldChanges fields={change.effect.fields} kind={change.effect.kind} />}
          <Anchor component={Link} href={`/activity/calls/${change.callId}`} size="sm">
            {copy.view}
          </Anchor>
        </div>
      ))}
    </Stack>
  );
}

function whenText({ state, effectiveAt }: UpcomingChange): string {
  if (effectiveAt === null) return copy.onceApproved;
  const time = formatDateTime(effectiveAt);
  return state === 'awaitingApproval' ? copy.onApproved(time) : copy.on(time);
}

function whatText({ effect }: UpcomingChange): string {
  const after = effect.fields.isActive?.after;
  if (after === undefined) return copy.change;
  return after === false ? copy.deactivate : copy.reactivate;
}

/** A deactivation also removes the role. */
function isStatusOnly({ effect }: UpcomingChange): boolean {
  return Object.keys(effect.fields).every((field) => field === 'isActive' || field === 'role');
}
