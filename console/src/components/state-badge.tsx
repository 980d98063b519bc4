import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type StateColor = 'blue' | 'green' | 'red' | 'yellow' | 'violet' | 'gray';

export function StateBadge({ color, children }: { color: StateColor; children: ReactNode }) {
  return (
    <Badge variant="dot" color={color} tt="none" size="md" miw="max-content" style={{ flexShrink: 0 }}>
      {children}
    </Badge>
  );
}
