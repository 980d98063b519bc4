import { Anchor, Group, Paper, SimpleGrid, Skeleton, Stack, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { FactTable } from '../components/facts.js';
import { Problem } from '../components/problem.js';
import { ScrollRegion } from '../components/scroll-region.js';
import { StateBadge } from '../components/state-badge.js';
import { formatDateTime, formatNumber } from '../copy/format.js';
import { statusCopy as copy } from '../copy/on-demand-copy.js';
import { rollcall } from '../session/api.js';
import { type ServiceStatus, statusGroups } from './status-groups.js';

const refetchMs = 10_000;

export function StatusPage() {
  const status = useQuery({
    queryKey: ['status'],
    queryFn: async ({ signal }) => (await rollcall.call('getStatus', { signal })).body.data,
    refetchInterval: refetchMs,
  });
  return (
    <>
      <Text c="dimmed" mb="md">
        {copy.lead}
      </Text>
      {status.isPending && <Skeleton height={240} />}
      {status.isError && (
        <Problem title={copy.cannotLoad} error={status.error} onRetry={() => void status.refetch()} />
      )}
      {status.data && (
        <>
          <AttentionList items={status.data.attention} />
          <NodesTable nodes={status.data.nodes} />
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            {statusGroups(status.data).map((group) => (
              <FactTable key={group.title} {...group} />
            ))}
          </SimpleGrid>
        </>
      )}
    </>
  );
}

const attentionCopy = copy.attention;

function AttentionList({ items }: { items: ServiceStatus['attention'] }) {
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={attentionCopy.title}>
      <Title order={2} size="h4" mb="xs">
        {attentionCopy.title}
      </Title>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {attentionCopy.nothing}
        </Text>
      )}
      <Stack gap="xs">
        {items.map((item) => (
          <Item key={item.kind} {...item} />
        ))}
      </Stack>
    </Paper>
  );
}

function Item({ kind, count }: ServiceStatus['attention'][number]) {
  const place = attentionPlaces[kind];
  const textOf: (count: number) => string = attentionCopy.kinds[kind];
  const text = textOf(count);
  const hint = attentionCopy.hints[kind as keyof typeof attentionCopy.hints] as string | undefined;
  return (
    <Group justify="space-between" gap="md" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm" fw={600}>
          {text}
        </Text>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {place && (
        <Anchor component={Link} href={place} size="sm" aria-label={`${attentionCopy.show}: ${text}`}>
          {attentionCopy.show}
        </Anchor>
      )}
    </Group>
  );
}

type AttentionKind = ServiceStatus['attention'][number]['kind'];

/** Where in the console something can be done about it. Other things are mended where the service runs. */
const attentionPlaces: Readonly<Partial<Record<AttentionKind, string>>> = {
  messagesParked: '/activity/deliveries?state=parked',
  messagesDelayed: '/activity/deliveries?state=waiting',
  webhooksDisabled: '/settings/webhooks',
  webhooksFailing: '/settings/webhooks',
  scimTargetsStopped: '/settings/targets',
  scimTargetsFailing: '/settings/targets',
  callsDelayed: '/activity/calls?state=planned',
  callsNeedTakeover: '/activity/calls?state=planned',
  callsNeedApproval: '/activity/calls?state=awaitingApproval',
  feedsWaiting: '/feeds',
  feedsFailed: '/feeds',
  feedsDelayed: '/feeds',
};

const nodesCopy = copy.nodes;

function NodesTable({ nodes }: { nodes: ServiceStatus['nodes'] }) {
  return (
    <Paper withBorder p="md" mb="md">
      <Title order={2} size="h4" mb="xs">
        {nodesCopy.title}
      </Title>
      <ScrollRegion label={nodesCopy.title}>
        <Table miw={640} verticalSpacing={6} aria-label={nodesCopy.title}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th pl={0}>{nodesCopy.node}</Table.Th>
              <Table.Th>{nodesCopy.state}</Table.Th>
              <Table.Th>{nodesCopy.version}</Table.Th>
              <Table.Th ta="right">{nodesCopy.processes}</Table.Th>
              <Table.Th>{nodesCopy.started}</Table.Th>
              <Table.Th>{nodesCopy.lastSeen}</Table.Th>
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
                    {node.isAlive ? nodesCopy.alive : nodesCopy.silent}
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
