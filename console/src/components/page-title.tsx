import { Group, Title } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';

interface PageTitleProps {
  readonly title: string;
  /** Which part of the page is shown, for the title of the browser tab. */
  readonly section?: string;
  readonly children?: ReactNode;
}

/** The only h1 of a page, and the title of the browser tab. */
export function PageTitle({ title, section, children }: PageTitleProps) {
  useDocumentTitle([section, title, 'Rollcall'].filter((part) => part !== undefined).join(' · '));
  return (
    <Group justify="space-between" mb="md" gap="sm">
      <Title order={1} size="h2">
        {title}
      </Title>
      {children && <Group gap="xs">{children}</Group>}
    </Group>
  );
}
