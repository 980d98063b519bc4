import { Button, Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { activityCopy } from '../copy/activity.js';
import { formatNumber } from '../copy/format.js';
import { Problem } from './problem.js';
import type { PagedList } from './use-paged-list.js';

const copy = activityCopy.list;

/** The end of a list: how much of it is here. The next page comes when the end is seen, or when it is asked for. */
export function LoadMore({ list }: { list: PagedList<unknown> }) {
  const { ref, inViewport } = useInViewport();
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const isWanted = inViewport && hasMore && !isLoadingMore && error === undefined;
  useEffect(() => {
    if (isWanted) loadMore();
  });
  const shown = formatNumber(list.items.length);
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
