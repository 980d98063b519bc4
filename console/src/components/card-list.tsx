import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { activityCopy } from '../copy/copy.js';
import { LoadMore, type PagedList } from './paged-list.js';
import { Problem } from './problem.js';

interface CardListProps<Item> {
  readonly list: PagedList<Item>;
  readonly card: (item: Item) => ReactNode;
  readonly empty: ReactNode;
}

export function CardList<Item>({ list, card, empty }: CardListProps<Item>) {
  const { items, isLoading, error, reload } = list;
  if (isLoading) return <Skeleton height={120} />;
  if (items.length === 0) {
    return error === undefined ? (
      empty
    ) : (
      <Problem title={activityCopy.list.cannotLoad} error={error} onRetry={reload} />
    );
  }
  return (
    <>
      <Stack gap="sm">{items.map(card)}</Stack>
      <LoadMore list={list} />
    </>
  );
}
