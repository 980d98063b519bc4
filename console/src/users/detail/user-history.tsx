import { Button, Paper, Skeleton, Stack, Text, Timeline, Title } from '@mantine/core';
import { useIntersection } from '@mantine/hooks';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { Problem } from '../../components/problem.js';
import { commonCopy, userCopy } from '../../copy/copy.js';
import { historyQuery } from '../data/user-queries.js';
import { ChangeEntry } from './change-entry.js';

export function UserHistory({ serial }: { serial: string }) {
  const history = useInfiniteQuery(historyQuery(serial));
  const { hasNextPage, isFetching, fetchNextPage, isError } = history;
  const { ref, entry } = useIntersection({ rootMargin: '300px' });
  const isNear = entry?.isIntersecting ?? false;
  useEffect(() => {
    if (isNear && hasNextPage && !isFetching && !isError) void fetchNextPage();
  }, [isNear, hasNextPage, isFetching, isError, fetchNextPage]);
  const changes = history.data?.pages.flatMap(({ items }) => items) ?? [];
  return (
    <Paper withBorder p="md" component="section" aria-label={userCopy.history.title}>
      <Title order={2} size="h4" mb="md">
        {userCopy.history.title}
      </Title>
      {history.isPending && (
        <Stack role="status" aria-label={commonCopy.loading}>
          <Skeleton height={48} />
          <Skeleton height={48} />
        </Stack>
      )}
      {history.isSuccess && changes.length === 0 && <Text size="sm">{userCopy.history.empty}</Text>}
      <Timeline bulletSize={14} lineWidth={2} active={changes.length}>
        {changes.map((change) => (
          <Timeline.Item key={change.sequence} title={commonCopy.changeKinds[change.kind]}>
            <ChangeEntry change={change} />
          </Timeline.Item>
        ))}
      </Timeline>
      {isError && (
        <Problem
          title={userCopy.history.notLoaded}
          error={history.error}
          onRetry={() => void fetchNextPage()}
        />
      )}
      {hasNextPage && (
        <Button ref={ref} variant="default" mt="md" loading={isFetching} onClick={() => void fetchNextPage()}>
          {userCopy.history.more}
        </Button>
      )}
    </Paper>
  );
}
