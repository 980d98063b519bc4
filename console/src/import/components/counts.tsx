import { Group, Paper, Text } from '@mantine/core';
import { formatNumber } from '../../copy/format.js';

export interface Count {
  readonly label: string;
  readonly value: number;
  readonly color?: string | undefined;
}

/** Zeros are left out, except for the first. */
export function Counts({ counts }: { counts: readonly Count[] }) {
  return (
    <Group component="ul" gap="xs" m={0} p={0} style={{ listStyle: 'none' }}>
      {counts
        .filter(({ value }, index) => index === 0 || value > 0)
        .map(({ label, value, color }) => (
          <Paper key={label} component="li" withBorder px="sm" py={4}>
            <Text component="span" fw={700} {...(color === undefined ? {} : { c: color })}>
              {formatNumber(value)}
            </Text>{' '}
            <Text component="span" size="sm">
              {label}
            </Text>
          </Paper>
        ))}
    </Group>
  );
}
