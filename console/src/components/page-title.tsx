import { Group, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

/** The only h1 of a page, and the title of the browser tab. */
export function PageTitle({ title, children }: { title: string; children?: ReactNode }) {
  useDocumentTitle(`${title} · Rollcall`);
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
