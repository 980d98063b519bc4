import { Group, Text } from '@mantine/core';
import { usersCopy } from '../copy/copy.js';
import type { Entry } from './directory.js';

interface EntryOptionProps {
  readonly entry: Pick<Entry, 'serial' | 'displayName'> & Partial<Pick<Entry, 'users'>>;
}

/** An entry in a list of suggestions, and how many users have it. */
export function EntryOption({ entry: { serial, displayName, users } }: EntryOptionProps) {
  return (
    <Group justify="space-between" wrap="nowrap" gap="xs" w="100%">
      <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text size="sm">{displayName ?? serial}</Text>
        {displayName !== null && (
          <Text size="xs" c="dimmed">
            {serial}
          </Text>
        )}
      </div>
      {users && (
        <Text size="xs" c="dimmed" flex="none">
          {usersCopy.total({ count: users.total, isExact: users.isExact })}
        </Text>
      )}
    </Group>
  );
}
