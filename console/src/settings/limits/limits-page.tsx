import { Paper, SimpleGrid, Skeleton, Table, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Problem } from '../../components/problem.js';
import { settingsCopy } from '../../copy/copy.js';
import { rollcall } from '../../session/api.js';
import { type LimitGroup, limitGroups } from './limit-groups.js';

const copy = settingsCopy.limits;

export function LimitsPage() {
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: async ({ signal }) => (await rollcall.call('getSettings', { signal })).body.data,
  });
  return (
    <>
      <Text c="dimmed" mb="md">
        {copy.lead}
      </Text>
      {settings.isPending && <Skeleton height={240} />}
      {settings.isError && (
        <Problem title={copy.cannotLoad} error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {settings.data && limitGroups(settings.data).map((group) => <Group key={group.title} {...group} />)}
      </SimpleGrid>
    </>
  );
}

function Group({ title, rows }: LimitGroup) {
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
