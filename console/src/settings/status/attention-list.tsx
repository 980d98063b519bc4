import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { statusCopy } from '../../copy/copy.js';
import { attentionPlaces } from './attention-places.js';
import type { ServiceStatus } from './status-groups.js';

const copy = statusCopy.attention;

export function AttentionList({ items }: { items: ServiceStatus['attention'] }) {
  return (
    <Paper withBorder p="md" mb="md" component="section" aria-label={copy.title}>
      <Title order={2} size="h4" mb="xs">
        {copy.title}
      </Title>
      {items.length === 0 && (
        <Text size="sm" c="dimmed">
          {copy.nothing}
        </Text>
      )}
      <Stack gap="xs">
        {items.map((item) => (
          <Item key={item.kind} {...item} />
        ))}
      </Stack>
    </Paper>
  );
}

function Item({ kind, count }: ServiceStatus['attention'][number]) {
  const place = attentionPlaces[kind];
  const textOf: (count: number) => string = copy.kinds[kind];
  const text = textOf(count);
  const hint = copy.hints[kind as keyof typeof copy.hints] as string | undefined;
  return (
    <Group justify="space-between" gap="md" wrap="nowrap" align="flex-start">
      <div>
        <Text size="sm" fw={600}>
          {text}
        </Text>
        {hint && (
          <Text size="sm" c="dimmed">
            {hint}
          </Text>
        )}
      </div>
      {place && (
        <Anchor component={Link} href={place} size="sm" aria-label={`${copy.show}: ${text}`}>
          {copy.show}
        </Anchor>
      )}
    </Group>
  );
}
