import { Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function RecordFact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div style={{ marginBottom: 8 }}>
      <Text size="xs" c="dimmed">
        {name}
      </Text>
      <Text size="sm" component="div" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </div>
  );
}
