import { SimpleGrid, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FactTable } from '../components/facts.js';
import { Problem } from '../components/problem.js';
import { settingsQuery } from '../components/service-settings.js';
import { UnsentNotice } from '../components/unsent-notice.js';
import { settingsCopy } from '../copy/copy.js';
import { limitGroups } from './limit-groups.js';

const copy = settingsCopy.limits;

export function LimitsPage() {
  const settings = useQuery(settingsQuery);
  return (
    <>
      <Text c="dimmed" mb="md">
        {copy.lead}
      </Text>
      <UnsentNotice />
      {settings.isPending && <Skeleton height={240} />}
      {settings.isError && (
        <Problem title={copy.cannotLoad} error={settings.error} onRetry={() => void settings.refetch()} />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        {settings.data &&
          limitGroups(settings.data).map((group) => <FactTable key={group.title} {...group} />)}
      </SimpleGrid>
    </>
  );
}
