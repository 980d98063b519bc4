import { Box, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function Facts({ children }: { children: ReactNode }) {
  return (
    <Group
      component="dl"
      gap="sm"
      m={0}
      align="flex-start"
      style={{ columnGap: 'var(--mantine-spacing-xl)' }}
    >
      {children}
    </Group>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Box maw="min(100%, 26rem)">
      <Text component="dt" size="xs" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} size="sm" style={{ overflowWrap: 'anywhere' }}>
        {children}
      </Text>
    </Box>
  );
}
