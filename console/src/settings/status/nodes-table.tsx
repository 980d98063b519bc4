import { Paper, Table, Title } from '@mantine/core';
import { ScrollRegion } from '../../components/scroll-region.js';
import { StateBadge } from '../../components/state-badge.js';
import { statusCopy } from '../../copy/copy.js';
import { formatDateTime, formatNumber } from '../../copy/format.js';
import type { ServiceStatus } from './status-groups.js';

const copy = statusCopy.nodes;

export function NodesTable({ nodes }: { nodes: ServiceStatus['nodes'] }) {
  return (
    <Paper withBorder p="md" mb="md">
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      <ScrollRegion label={copy.title}>
        <Table miw={640} verticalSpacing={6} aria-label={copy.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th pl={0}>{copy.node}</Table.Th>
              <Table.Th>{copy.state}</Table.Th>
              <Table.Th>{copy.version}</Table.Th>
              <Table.Th ta="right">{copy.processes}</Table.Th>
              <Table.Th>{copy.started}</Table.Th>
              <Table.Th>{copy.lastSeen}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {nodes.map((node) => (
              <Table.Tr key={node.id}>
                <Table.Td pl={0} fw={600}>
                  {node.id}
                </Table.Td>
                <Table.Td>
                  <StateBadge color={node.isAlive ? 'green' : 'red'}>
                    {node.isAlive ? copy.alive : copy.silent}
                  </StateBadge>
                </Table.Td>
                <Table.Td>{node.versions.join(', ')}</Table.Td>
                <Table.Td ta="right">{formatNumber(node.processes)}</Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDateTime(node.startedAt)}</Table.Td>
                <Table.Td style={{ whiteSpace: 'nowrap' }}>{formatDateTime(node.lastSeenAt)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollRegion>
    </Paper>
  );
}
