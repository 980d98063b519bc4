import { Button, Group, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { LoadMore, type PagedList } from '../components/paged-list.js';
import { Problem } from '../components/problem.js';
import { RowMenu } from '../components/row-menu.js';
import { activityCopy, commonCopy } from '../copy/copy.js';

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
  readonly id: string;
  readonly label: string;
  readonly onClick: () => void;
}

interface CardActionsProps {
  readonly name: string;
  /** The first is what is done most. The others are in a menu. */
  readonly actions: readonly [CardAction, ...CardAction[]];
}

export function CardActions({ name, actions: [main, ...others] }: CardActionsProps) {
  const labels = new Map(others.map(({ id, label }) => [id, label]));
  return (
    <Group gap="xs" mt="md">
      <Button
        size="compact-sm"
        variant="default"
        onClick={main.onClick}
        aria-label={activityCopy.cardAction(main.label, name)}
      >
        {main.label}
      </Button>
      <RowMenu
        label={activityCopy.cardAction(commonCopy.moreActions, name)}
        verbs={[...labels.keys()]}
        textOf={(id) => labels.get(id) ?? id}
        onChoose={(id) => others.find((other) => other.id === id)?.onClick()}
      />
    </Group>
  );
}
