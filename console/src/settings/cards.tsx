import { Button, Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadMore, type PagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import { activityCopy } from '../copy/copy.js';

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

interface CardAction {
  /** Keeps the focus on the button when its label changes. */
  readonly id: string;
  readonly label: string;
  readonly onClick: () => void;
}

export function CardActions({ name, actions }: { name: string; actions: readonly CardAction[] }) {
  return (
    <Group gap="xs" mt="md">
      {actions.map(({ id, label, onClick }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="default"
          onClick={onClick}
          aria-label={activityCopy.cardAction(label, name)}
        >
          {label}
        </Button>
      ))}
    </Group>
  );
}
