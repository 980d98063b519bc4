import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { importCopy } from '../../copy/copy.js';
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
    <List size="sm" spacing="xs" aria-label={copy.calls}>
      {calls.slice(0, callsShown).map((call, index) => (
        <List.Item key={call.id}>
          <Group gap="sm">
            <Text size="sm">{textOf(call, index + 1)}</Text>
            {maySeeActivity && (
              <Anchor component={Link} href={`/activity/calls/${call.id}`} size="sm" underline="always">
                {copy.inActivity}
              </Anchor>
            )}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}

function textOf({ succeeded, failed, planned, undoneBy }: CompletedCall, number: number): string {
  const text = planned > 0 ? copy.plannedCall(number, planned, failed) : copy.call(number, succeeded, failed);
  return undoneBy === undefined ? text : copy.undone(text);
}
