import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';

export type StateColor = 'blue' | 'green' | 'red' | 'yellow' | 'gray';

/** A state in a word; the colour says nothing that the word does not. */
export function StateBadge({ colour, children }: { colour: StateColor; children: ReactNode }) {
  return (
    <Badge variant="dot" color={colour} tt="none" size="md" style={{ flexShrink: 0 }}>
      {children}
    </Badge>
  );
}
