import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { bulkCopy } from '../../copy/copy.js';
import { useCurrentUser } from '../../session/session.js';
import { useBulkState } from '../state/store.js';

const copy = bulkCopy.result;
const callsShown = 20;

export function CallList() {
  const { calls } = useBulkState();
  const { scopes } = useCurrentUser();
  const maySeeActivity = scopes.includes('audit:read') || scopes.includes('access:admin');
  if (calls.length === 0) return null;
  return (
    <List size="sm" aria-label={copy.calls}>
      {calls.slice(0, callsShown).map(({ id, succeeded, failed, planned, undoneBy }, index) => (
        <List.Item key={id}>
          <Group gap="sm">
            <Text size="sm">
              {planned > 0
                ? copy.plannedCall(index + 1, planned, failed)
                : copy.call(index + 1, succeeded, failed)}
              {undoneBy !== undefined && ` (${copy.undone})`}
            </Text>
            {(maySeeActivity || planned > 0) && (
              <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always">
                {copy.inActivity}
              </Anchor>
            )}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
