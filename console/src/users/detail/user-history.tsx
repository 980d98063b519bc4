import { Button, Paper, Skeleton, Stack, Text, Timeline, Title } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Problem } from '../../components/problem.js';
import { texts } from '../../copy/index.js';
import { historyQuery } from '../data/user-queries.js';
import { ChangeEntry } from './change-entry.js';

export function PersonHistory({ serial }: { serial: string }) {
  const history = useInfiniteQuery(historyQuery(serial));
  const { hasNextPage, isFetching, fetchNextPage, isError } = history;
  const { ref, entry } = useIntersection({ rootMargin: '300px' });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isNear, hasNextPage, isFetching, isError, fetchNextPage]);
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label={texts.person.history.title}>
      <Title order={2} size="h4" mb="md">
        {texts.person.history.title}
      </Title>
      {history.isPending && (
        <Stack role="status" aria-label={texts.common.loading}>
          <Skeleton height={48} />
          <Skeleton height={48} />
        </Stack>
      )}
      {history.isSuccess && changes.length === 0 && <Text size="sm">{texts.person.history.empty}</Text>}
      <Timeline bulletSize={14} lineWidth={2} active={changes.length}>
        {changes.map((change) => (
          <Timeline.Item key={change.sequence} title={texts.person.history.kinds[change.kind]}>
            <ChangeEntry change={change} />
          </Timeline.Item>
        ))}
      </Timeline>
      {isError && (
        <Problem
          title={texts.person.history.notLoaded}
          error={history.error}
          onRetry={() => void fetchNextPage()}
        />
      )}
      {hasNextPage && (
        <Button ref={ref} variant="default" mt="md" loading={isFetching} onClick={() => void fetchNextPage()}>
          {texts.person.history.more}
        </Button>
      )}
    </Paper>
  );
}
