import { Anchor, Group, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts } from '../../copy/index.js';
import { useMe } from '../../session/session.js';
import type { MadeCall } from '../run/run.js';

const words = texts.bulk.result;
const callsShown = 20;

/** The calls of the run, which Activity knows more of. */
export function MadeCalls({ calls }: { calls: readonly MadeCall[] }) {
  const { scopes } = useMe();
  const maySeeActivity = scopes.includes('audit:read') || scopes.includes('access:admin');
  if (calls.length === 0) return null;
  return (
    <List size="sm" aria-label={words.calls}>
      {calls.slice(0, callsShown).map(({ id, succeeded, failed, undoneBy }, index) => (
        <List.Item key={id}>
          <Group gap="sm">
            <Text size="sm">
              {words.call(index + 1, succeeded, failed)}
              {undoneBy !== undefined && ` (${words.undone})`}
            </Text>
            {maySeeActivity && (
              <Anchor component={Link} href={`/activity/calls/${id}`} size="sm" underline="always">
                {words.inActivity}
              </Anchor>
            )}
          </Group>
        </List.Item>
      ))}
    </List>
  );
}
