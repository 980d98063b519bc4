import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { importCopy, importReviewCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import type { CompletedCall } from '../state/state.js';
import { useImportState } from '../state/store.js';

const copy = importCopy.result;
const callsShown = 20;

export function CallList() {
  const { calls } = useImportState();
  const { scopes } = useCurrentUser();
  const maySeeActivity = scopes.includes('users:read');
  if (calls.length === 0) return null;
  return (
    <div>
      {calls.length > 1 && <Text size="sm">{importReviewCopy.result.parts(calls.length)}</Text>}
      <List
        size="sm"
        spacing="xs"
        aria-label={copy.calls}
        {...(calls.length === 1 && { listStyleType: 'none' })}
      >
        {calls.slice(0, callsShown).map((call, index) => (
          <List.Item key={call.id}>
            <Group gap="sm">
              <Text size="sm">{textOf(call, calls.length === 1 ? undefined : index + 1)}</Text>
              {maySeeActivity && (
                <Anchor component={Link} href={`/activity/calls/${call.id}`} size="sm" underline="always">
                  {copy.inActivity}
                </Anchor>
              )}
            </Group>
          </List.Item>
        ))}
      </List>
    </div>
  );
}

/** Only an import of several calls has parts. */
function textOf({ succeeded, failed, planned, undoneBy }: CompletedCall, part: number | undefined): string {
  const text = planned > 0 ? ofPlanned(planned, failed, part) : ofDone(succeeded, failed, part);
  return undoneBy === undefined ? text : copy.undone(text);
}

function ofPlanned(planned: number, failed: number, part: number | undefined): string {
  return part === undefined
    ? importReviewCopy.result.plannedCall(planned, failed)
    : copy.plannedCall(part, planned, failed);
}

function ofDone(succeeded: number, failed: number, part: number | undefined): string {
  return part === undefined
    ? importReviewCopy.result.call(succeeded, failed)
    : copy.call(part, succeeded, failed);
}
