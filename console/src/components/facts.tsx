import { Box, Group, Table, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Section } from './section.js';

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

/** One below the other. */
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

export interface FactGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** Names and values under a title. */
export function FactTable({ title, rows }: FactGroup) {
  return (
    <Section title={title}>
      <Table aria-label={title} verticalSpacing={6}>
        <Table.Tbody>
          {rows.map(([name, value]) => (
            <Table.Tr key={name}>
              <Table.Th scope="row" fw={400} pl={0}>
                {name}
              </Table.Th>
              <Table.Td ta="right" fw={600} pr={0} style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Section>
  );
}
