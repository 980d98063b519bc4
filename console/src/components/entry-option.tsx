import { Text } from '@mantine/core';
import type { Entry } from './directory.js';

/** An entry in a list of suggestions. */
export function EntryOption({
  entry: { serial, displayName },
}: {
  entry: Pick<Entry, 'serial' | 'displayName'>;
}) {
  return (
    <div style={{ minWidth: 0, overflowWrap: 'anywhere' }}>
      <Text size="sm">{displayName ?? serial}</Text>
      {displayName !== null && (
        <Text size="xs" c="dimmed">
          {serial}
        </Text>
      )}
    </div>
  );
}
