import { Center, Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';

export function EmptyState({
  title,
  hint,
  children,
}: {
  title: string;
  hint?: string;
  children?: ReactNode;
}) {
  return (
    <Center mih={200}>
      <Stack align="center" gap="xs" maw={420}>
        <Title order={2} size="h4" ta="center">
          {title}
        </Title>
        {hint && (
          <Text c="dimmed" ta="center" size="sm">
            {hint}
          </Text>
        )}
        {children}
      </Stack>
    </Center>
  );
}
