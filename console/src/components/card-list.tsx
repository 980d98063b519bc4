import { Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { texts } from '../copy/index.js';
import { More } from './load-more.js';
import { Problem } from './problem.js';
import type { Endless } from './use-paged-list.js';

interface CardListProps<Item> {
  readonly list: Endless<Item>;
  readonly card: (item: Item) => ReactNode;
  readonly empty: ReactNode;
}

/** A list of few things, of which there is much to say. */
export function CardList<Item>({ list, card, empty }: CardListProps<Item>) {
  const { items, isLoading, error, reload } = list;
  if (isLoading) return <Skeleton height={120} />;
  if (items.length === 0) {
    return error === undefined ? (
      empty
    ) : (
      <Problem title={texts.activity.list.cannotLoad} error={error} onRetry={reload} />
    );
  }
  return (
    <>
      <Stack gap="sm">{items.map(card)}</Stack>
      <More list={list} />
    </>
  );
}
