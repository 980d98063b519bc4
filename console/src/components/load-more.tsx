import { Button, Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { activityCopy } from '../copy/copy.js';
import { Problem } from './problem.js';
import type { PagedList } from './use-paged-list.js';

const copy = activityCopy.list;

/** Loads the next page when the end of the list scrolls into view, or on request. */
export function LoadMore({ list }: { list: PagedList<unknown> }) {
  const { ref, inViewport } = useInViewport();
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const isDue = inViewport && hasMore && !isLoadingMore && error === undefined;
  useEffect(() => {
    if (isDue) loadMore();
  });
  const shown = list.items.length;
  return (
    <div ref={ref}>
      {error !== undefined && (
        <Problem title={copy.cannotLoadMore} error={error} onRetry={hasMore ? loadMore : list.reload} />
      )}
      <Group mt="sm" justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {hasMore ? copy.shown(shown) : copy.allShown(shown)}
        </Text>
        {hasMore && (
          <Button variant="default" size="xs" onClick={loadMore} loading={isLoadingMore}>
            {copy.more}
          </Button>
        )}
      </Group>
    </div>
  );
}
