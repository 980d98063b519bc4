import { Paper, Table, Title } from '@mantine/core';

export interface FactGroup {
  readonly title: string;
  readonly rows: readonly (readonly [name: string, value: string])[];
}

/** Names and values under a title. */
export function FactTable({ title, rows }: FactGroup) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h4" mb="xs">
        {title}
      </Title>
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
    </Paper>
  );
}
