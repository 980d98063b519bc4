import { Anchor, Button, Group, Paper, Skeleton, Stack, Title } from '@mantine/core';
import type { ReactNode, Ref } from 'react';
import { Link } from 'wouter';
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

interface CardProps {
  readonly name: string;
  /** The page of its own, if it has one. */
  readonly href?: string;
  readonly badge: ReactNode;
  /** Takes the focus when what had it is gone. */
  readonly heading?: Ref<HTMLHeadingElement>;
  readonly children: ReactNode;
}

export function Card({ name, href, badge, heading, children }: CardProps) {
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Group justify="space-between" mb="sm">
        <Title ref={heading} tabIndex={-1} order={2} size="h4" style={{ overflowWrap: 'anywhere' }}>
          {href ? (
            <Anchor component={Link} href={href} inherit>
              {name}
            </Anchor>
          ) : (
            name
          )}
        </Title>
        {badge}
      </Group>
      {children}
    </Paper>
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
