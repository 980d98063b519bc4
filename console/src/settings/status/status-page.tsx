import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FactTable } from '../../components/facts.js';
import { Problem } from '../../components/problem.js';
import { statusCopy as copy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { AttentionList } from './attention-list.js';
import { NodesTable } from './nodes-table.js';
import { statusGroups } from './status-groups.js';

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
