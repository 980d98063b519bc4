import { Button, Group, Text } from '@mantine/core';
import { useInViewport } from '@mantine/hooks';
import { useEffect } from 'react';
import { number } from '../copy/format.js';
import { texts } from '../copy/index.js';
import { Problem } from './problem.js';
import type { Endless } from './use-paged-list.js';

const words = texts.activity.list;

/** The end of a list: how much of it is here. The next page comes when the end is seen, or when it is asked for. */
export function More({ list }: { list: Endless<unknown> }) {
  const { ref, inViewport } = useInViewport();
  const { hasMore, isLoadingMore, error, loadMore } = list;
  const isWanted = inViewport && hasMore && !isLoadingMore && error === undefined;
  useEffect(() => {
    if (isWanted) loadMore();
  });
  const shown = number(list.items.length);
  return (
    <div ref={ref}>
      {error !== undefined && (
        <Problem title={words.cannotLoadMore} error={error} onRetry={hasMore ? loadMore : list.reload} />
      )}
      <Group mt="sm" justify="space-between" gap="sm">
        <Text size="sm" c="dimmed" role="status">
          {hasMore ? words.shown(shown) : words.allShown(shown)}
        </Text>
        {hasMore && (
          <Button variant="default" size="xs" onClick={loadMore} loading={isLoadingMore}>
            {words.more}
          </Button>
        )}
      </Group>
    </div>
  );
}
